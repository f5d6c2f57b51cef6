// The link that a browser is started with: it opens the page with the token, and others who saw it get nothing.

import { expect, it } from 'vitest';
import { createOneTimeLinks } from '../../src/engine/control-server/routes.ts';
import { call, startHarness } from '../support/harness.ts';

const pathOf = (link: string) => new URL(link).pathname;

it('leads to the page with the token in the fragment, and is kept by no cache', async () => {
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

it('is of no use for a page that calls this server by another name', async () => {
  const { control } = await startHarness({ start: false });
  const path = pathOf(control.linkOnce());
  const headers = { host: 'evil.example' };
  expect((await call(control.url, 'GET', path, { headers })).status).toBe(403);
  expect((await call(control.url, 'GET', path)).status).toBe(303);
});

it('is void after a minute, and when another one was made', () => {
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

it('that was never made is refused', () => {
  const links = createOneTimeLinks();
  expect(links.use('/open/')).toBe(false);
  links.create();
  expect(links.use('/open/')).toBe(false);
});
