// The link that opens the page in a browser with the token. It does not work for others who see it.

import { expect, it } from 'vitest';
import { createOneTimeLinks } from '../../src/engine/control-server/routes.ts';
import { call, startHarness } from '../support/harness.ts';

const pathOf = (link: string) => new URL(link).pathname;

it('redirects to the page with the token in the fragment, and is not cached', async () => {
  const { control } = await startHarness({ start: false });
  const link = control.linkOnce();
  expect(link).toMatch(/^http:\/\/localhost:\d+\/open\/[\w-]{43}$/);
  const answer = await call(control.url, 'GET', pathOf(link));
  expect(answer.status).toBe(303);
  expect(answer.headers).toMatchObject({
    location: `/#token=${control.token}`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
});

it('works once; a HEAD request does not use it up', async () => {
  const { control } = await startHarness({ start: false });
  const path = pathOf(control.linkOnce());
  const status = async (method: string) => (await call(control.url, method, path)).status;
  expect(await status('HEAD')).toBe(404);
  expect(await status('GET')).toBe(303);
  const again = await call(control.url, 'GET', path);
  expect(again.status).toBe(404);
  expect(again.body).toMatchObject({ code: 'not_found' });
  expect(again.text).not.toContain(control.token);
});

it('is rejected under another name of the server', async () => {
  const { control } = await startHarness({ start: false });
  const path = pathOf(control.linkOnce());
  const headers = { host: 'evil.example' };
  expect((await call(control.url, 'GET', path, { headers })).status).toBe(403);
  expect((await call(control.url, 'GET', path)).status).toBe(303);
});

it('is invalid after a minute, and after another link was created', () => {
  let now = 0;
  const links = createOneTimeLinks(() => now);
  const first = links.create();
  const second = links.create();
  expect(links.use(first)).toBe(false);
  now = 60_000;
  expect(links.use(second)).toBe(true);
  const third = links.create();
  now = 120_001;
  expect(links.use(third)).toBe(false);
});

it('is rejected when it was never created', () => {
  const links = createOneTimeLinks();
  expect(links.use('/open/')).toBe(false);
  links.create();
  expect(links.use('/open/')).toBe(false);
});
