// The sign-in and consent page in a real browser: by keyboard alone, without scripts, in both themes, and the response
// that a form posts to the app.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import type { Ready } from '../support/cli-process.ts';
import { ask, DEMO } from '../support/token-calls.ts';
import { severeFindings } from '../support/findings.ts';
import { expect, test as base, testWithOwnPage } from './serve.ts';

/** The app under test: what its callback received, from a query or a form. */
interface App {
  readonly url: string;
  readonly answers: Record<string, string>[];
}

async function startApp(): Promise<App & { stop(): void }> {
  const answers: Record<string, string>[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const given = request.method === 'POST' ? new URLSearchParams(body) : url.searchParams;
      if (url.pathname === '/callback') answers.push(Object.fromEntries(given));
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><link rel="icon" href="data:," /><h1>The app</h1>');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/callback`,
    answers,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const app = async ({ ready }: { ready: Ready }, use: (app: App) => Promise<void>) => {
  const app = await startApp();
  await ask(ready, 'PATCH', `/clients/${DEMO.client_id}`, { redirect_uris: [app.url] });
  const users = [
    { sub: 'bob', name: 'Bob Example', email: 'bob@example.test' },
    ...Array.from({ length: 10 }, (_, index) => ({ sub: `tester-${index}` })),
  ];
  for (const user of users) await ask(ready, 'POST', '/users', user);
  await use(app);
  app.stop();
};
const test = base.extend<{ app: App }>({ app });

const addressOf = (ready: Ready, app: App, parameters: Record<string, string> = {}) => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: DEMO.client_id,
    redirect_uri: app.url,
    audience: DEMO.audience,
    scope: 'openid orders:read orders:write',
    state: 'a "b" <c>',
    ...parameters,
  });
  return `${ready.issuer}/authorize?${query.toString()}`;
};

const arrived = (page: Page) =>
  expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();

const CODE: unknown = expect.stringMatching(/^[\w-]{43}$/);

/** The scope of the newest token. */
async function grantedBy(ready: Ready) {
  const { items } = await ask<{ items: { sub: string; scope: string }[] }>(ready, 'GET', '/tokens');
  return items.map(({ sub, scope }) => ({ sub, scope }));
}

test('the keyboard alone denies; it picks a user, unticks a scope and approves', async ({
  page,
  ready,
  app,
  errors,
}) => {
  await page.goto(addressOf(ready, app));
  await expect(page.getByRole('radio', { name: 'Ada Example' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  for (let presses = 0; presses < 10; presses += 1) {
    const deny = page.getByRole('button', { name: 'Deny' });
    if (await deny.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await arrived(page);
  expect(app.answers).toMatchObject([{ error: 'access_denied', state: 'a "b" <c>' }]);

  await page.goto(addressOf(ready, app));
  await expect(page.getByRole('radio', { name: 'Ada Example' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'Bob Example' })).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('checkbox', { name: 'orders:read' })).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Approve' })).toBeFocused();
  await page.keyboard.press('Enter');
  await arrived(page);
  expect(app.answers.slice(1)).toEqual([{ code: CODE, state: 'a "b" <c>', iss: ready.issuer }]);
  expect(await grantedBy(ready)).toEqual([{ sub: 'bob', scope: 'openid orders:write' }]);
  expect(errors).toEqual([]);
});

test('behaviour 7.5: Enter approves, a form posts the response (OAuth 2.0 Form Post Response Mode), the next request shows no page; a wrong password is told, a right one and the code sign in by keyboard', async ({
  page,
  ready,
  app,
  errors,
}) => {
  await page.goto(addressOf(ready, app, { response_mode: 'form_post' }));
  await expect(page.getByRole('radio', { name: 'Ada Example' })).toBeFocused();
  await page.keyboard.press('Enter');
  await arrived(page);
  expect(new URL(page.url()).search).toBe('');
  expect(app.answers).toEqual([{ code: CODE, state: 'a "b" <c>', iss: ready.issuer }]);
  await page.goto(addressOf(ready, app, { prompt: 'none' }));
  await arrived(page);
  expect(app.answers.map(({ code }) => code)).toEqual([CODE, CODE]);
  expect(errors).toEqual([]);

  await ask(ready, 'PATCH', '/settings', {
    sign_in_page: { authentication: 'password_and_code' },
  });
  await ask(ready, 'POST', '/users', { sub: 'cleo', name: 'Cleo', password: 'nile' });
  await page.goto(addressOf(ready, app, { login_hint: 'cleo' }));
  const password = page.getByRole('textbox', { name: 'Password' });
  await password.focus();
  await page.keyboard.type('rome');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('The password is wrong.');
  expect(await severeFindings(page)).toEqual([]);
  await expect(page.getByRole('radio', { name: 'Cleo' })).toBeChecked();
  expect(app.answers).toHaveLength(2);

  await expect(password).toBeFocused();
  await page.keyboard.type('nile');
  await page.keyboard.press('Tab');
  await page.keyboard.type(await page.locator('output[name=code]').innerText());
  await page.keyboard.press('Enter');
  await arrived(page);
  expect(app.answers.slice(2)).toEqual([expect.objectContaining({ code: CODE })]);
});

const testWithoutScripts = testWithOwnPage.extend<{ app: App }>({ app });
testWithoutScripts.describe('without scripts', () => {
  testWithoutScripts.use({ javaScriptEnabled: false });

  testWithoutScripts(
    'behaviour 7.5: without scripts, an error for the app is unfolded and chosen, and the user signs in, approves and sends the response by its button',
    async ({ page, ready, app }) => {
      await page.goto(addressOf(ready, app));
      const error = page.getByRole('button', { name: 'temporarily_unavailable' });
      await expect(error).toBeHidden();
      await page.getByText('Fail with an error').click();
      await error.click();
      await arrived(page);
      expect(app.answers).toMatchObject([{ error: 'temporarily_unavailable' }]);

      await page.goto(addressOf(ready, app, { response_mode: 'form_post' }));
      await page.getByRole('radio', { name: 'Bob Example' }).check();
      await page.getByRole('checkbox', { name: 'openid' }).uncheck();
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await arrived(page);
      expect(app.answers.slice(1)).toMatchObject([{ code: CODE }]);
      expect(await grantedBy(ready)).toEqual([{ sub: 'bob', scope: 'orders:read orders:write' }]);
    },
  );
});

test('behaviour 7.5: someone new signs in with claims of this sign-in, by keyboard alone; one of many users is found by typing', async ({
  page,
  ready,
  app,
  errors,
}) => {
  await page.goto(addressOf(ready, app));
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeHidden();
  const last = page.getByRole('radio').last();
  await page.getByRole('radio', { checked: true }).focus();
  while (!(await last.isChecked())) await page.keyboard.press('ArrowDown');
  await expect(last).toHaveAccessibleName(/^Someone new/);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Grace Hopper');
  await page.keyboard.press('Tab');
  await page.keyboard.type('grace@example.test');
  await page.getByText('Claims for this sign-in').press('Enter');
  await page.getByRole('textbox', { name: 'Claims' }).fill('{"roles": ["admin"]}');
  expect(await severeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve' }).press('Enter');
  await arrived(page);
  expect((await grantedBy(ready)).map(({ sub }) => sub)).toEqual(['grace@example.test']);
  const added = await ask<{ name: string }>(ready, 'GET', '/users/grace%40example.test');
  expect(added).toMatchObject({ name: 'Grace Hopper', email: 'grace@example.test' });

  await page.context().clearCookies();
  for (const sub of ['u1', 'u2', 'u3', 'u4']) await ask(ready, 'POST', '/users', { sub });
  await page.goto(addressOf(ready, app));
  await page.getByRole('combobox', { name: 'Find a user' }).fill('u3');
  await page.getByRole('button', { name: 'Approve' }).click();
  await arrived(page);
  expect((await grantedBy(ready)).map(({ sub }) => sub)).toEqual(['u3', 'grace@example.test']);
  expect(errors).toEqual([]);
});

const SIZES = [
  { width: 1280, height: 800 },
  { width: 900, height: 600 },
  { width: 390, height: 800 },
];

test('in a small window the decision is visible, and no page has a serious accessibility finding or is wider than the window', async ({
  page,
  ready,
  app,
  errors,
}) => {
  const look = async (name: string) => {
    expect.soft(await severeFindings(page), name).toEqual([]);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect.soft(wide, `${name} at ${size.width}`).toBeLessThanOrEqual(size.width);
    }
  };
  await page.setViewportSize({ width: 900, height: 600 });
  await page.goto(addressOf(ready, app));
  await expect(page.getByRole('button', { name: 'Approve' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Deny' })).toBeInViewport({ ratio: 1 });

  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(addressOf(ready, app, { login_hint: 'nobody' }));
  await page.getByText('Fail with an error').click();
  await page.getByText('Claims for this sign-in').click();
  await page.getByRole('radio', { name: 'Someone new' }).check();
  await look('consent');
  await page.goto(addressOf(ready, app, { redirect_uri: `${app.url}/` }));
  await expect(page.getByText(/differs at character \d+/)).toBeVisible();
  await look('refusal');
  await page.goto(`${ready.issuer}/logout`);
  await look('signed out');
  await page.goto(`${ready.issuer}/`);
  await look('landing');
  // The browser itself logs a rejected page; nothing else may be logged.
  expect(errors.filter((error) => !/status of 400/.test(error))).toEqual([]);
});
