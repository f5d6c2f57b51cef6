// Silent sign-in in a real browser over https: an app on another site opens the authorization endpoint in a frame, and
// receives the response by a message or a redirect. No other origin receives it.

import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { startServe, stopCli, type Ready } from '../support/cli-process.ts';
import { makeCertificate } from '../support/https.ts';
import { ask, DEMO } from '../support/token-calls.ts';
import { expect, testWithProcess } from './serve.ts';

const PAGE = `<!doctype html><link rel="icon" href="data:," /><h1>The app</h1><script>
  window.messages = [];
  addEventListener('message', ({ data, origin }) => messages.push({ data, origin }));
  window.frame = (src) => document.body.append(Object.assign(document.createElement('iframe'), { src }));
</script>`;

/** An app on https://127.0.0.1, which is another site than localhost. */
async function startApp() {
  const server = createServer(await makeCertificate(), (_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `https://127.0.0.1:${port}`, stop };
}

interface App {
  readonly origin: string;
}

const test = testWithProcess.extend<{ readonly app: App }>({
  cli: async ({}, use) => {
    const cli = startServe('--quiet', '--https');
    await use(cli);
    await stopCli(cli);
  },
  app: async ({ ready }, use) => {
    const app = await startApp();
    const redirect_uris = [`${app.origin}/callback`];
    await ask(ready, 'PATCH', `/clients/${DEMO.client_id}`, { redirect_uris });
    await use(app);
    app.stop();
  },
});
test.use({ ignoreHTTPSErrors: true });

function addressOf(ready: Ready, app: App, parameters: Record<string, string> = {}) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: DEMO.client_id,
    scope: 'openid',
    state: 's',
    redirect_uri: `${app.origin}/callback`,
    ...parameters,
  });
  return `${ready.issuer}/authorize?${query.toString()}`;
}

const SILENT = { prompt: 'none', response_mode: 'web_message' };

const openFrame = (page: Page, src: string) =>
  page.evaluate((address) => {
    (window as unknown as { frame(address: string): void }).frame(address);
  }, src);

const messagesOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { messages: unknown[] }).messages);

const CODE: unknown = expect.stringMatching(/^[\w-]{43}$/);

test('behaviour 7.17: a page of another site learns that nobody has signed in, and then receives the code by a message that auth0-spa-js and okta-auth-js can read, or by a redirect; no other origin can frame the message, and sign-in pages cannot be framed at all', async ({
  page,
  ready,
  app,
}) => {
  await page.goto(app.origin);
  await openFrame(page, addressOf(ready, app, SILENT));
  await expect.poll(() => messagesOf(page)).toHaveLength(1);
  expect(await messagesOf(page)).toMatchObject([
    { data: { response: { error: 'login_required' } } },
  ]);

  await page.goto(addressOf(ready, app));
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();
  await openFrame(page, addressOf(ready, app, SILENT));
  await expect.poll(() => messagesOf(page)).toHaveLength(1);
  const response = { code: CODE, state: 's', iss: ready.issuer };
  const answered = { type: 'authorization_response', response };
  expect(await messagesOf(page)).toEqual([{ data: answered, origin: ready.issuer }]);
  await openFrame(page, addressOf(ready, app, { ...SILENT, response_mode: 'okta_post_message' }));
  await expect.poll(() => messagesOf(page)).toHaveLength(2);
  expect((await messagesOf(page))[1]).toEqual({ data: response, origin: ready.issuer });

  await openFrame(page, addressOf(ready, app, { prompt: 'none', response_mode: 'fragment' }));
  await expect.poll(() => page.frames().at(-1)?.url()).toMatch(/\/callback#code=[\w-]{43}&state=s/);

  const blocked: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('frame-ancestors')) blocked.push(message.text());
  });
  await openFrame(page, addressOf(ready, app, { prompt: 'consent' }));
  await expect.poll(() => blocked).toHaveLength(1);
  const other = await startApp();
  await page.goto(other.origin);
  await openFrame(page, addressOf(ready, app, SILENT));
  await expect.poll(() => blocked).toHaveLength(2);
  expect(await messagesOf(page)).toEqual([]);
  other.stop();
});
