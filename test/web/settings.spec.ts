// The settings as a user changes them: the server's port, CORS, the workspace, the address for scripts.

import { readFile } from 'node:fs/promises';
import { get } from 'node:https';
import { createServer, type Server } from 'node:net';
import type { Locator } from '@playwright/test';
import type { Api, Settings } from '../../src/control/schemas.ts';
import { ask, DEMO } from '../support/token-calls.ts';
import { holdAnswers } from '../support/held-answers.ts';
import { severeFindings } from '../support/findings.ts';
import { exchangeDetail, type Workbench } from '../support/workbench.ts';
import { expect, openBench, test, testWithOwnPage } from './serve.ts';

/** Each page of the settings with its sections. */
const PAGES = {
  Evaluation: ['Evaluation'],
  Tokens: ['Tokens', 'DPoP'],
  APIs: ['Protected APIs', 'Audiences'],
  Server: ['Server', 'Client registration', 'Capture'],
  'Provider shape': ['Provider shape'],
  'Signing keys': ['Signing keys'],
  Workspace: ['Workspace', 'Automation'],
  Appearance: ['Appearance'],
};
type PageName = keyof typeof PAGES;
const PAGE_NAMES = Object.keys(PAGES) as PageName[];

async function openSection({ page, open }: Workbench, at: PageName, name: string = at) {
  await open('Settings');
  const index = page.getByRole('navigation', { name: 'Settings' });
  await index.getByRole('link', { name: at, exact: true }).click();
  return page.getByRole('region', { name, exact: true });
}

/** The status of a GET request that trusts only this certificate. */
const secureStatus = (url: string, ca: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, (answer) => resolve(answer.resume().statusCode)).on(
      'error',
      reject,
    );
  });

/** Another program on a port of its own. */
async function occupy(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, port: address.port };
}

test('no section has a serious accessibility finding or scrolls sideways or the whole page at 900 by 600; the workspace is exported with its secrets; the command for scripts masks its token, but is copied with it', async ({
  page,
  bench,
  ready,
  errors,
  context,
}) => {
  test.slow();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await bench.open('Settings');
  const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
  await expect(links).toHaveText(PAGE_NAMES);
  const uri = `https://${'long.'.repeat(20)}example`;
  await ask(ready, 'POST', '/audiences', { uri, name: 'long '.repeat(20).trim(), scopes: [] });
  await page.setViewportSize({ width: 900, height: 600 });
  const audiences = await openSection(bench, 'APIs', 'Audiences');
  await expect(audiences.getByRole('button', { name: `Delete ${uri}` })).toBeInViewport({
    ratio: 1,
  });
  for (const name of PAGE_NAMES) {
    await page.setViewportSize({ width: 900, height: 600 });
    await openSection(bench, name);
    for (const title of PAGES[name]) {
      const section = page.getByRole('region', { name: title, exact: true });
      await expect(section).toBeVisible();
      const wide = () => section.evaluate((node) => node.scrollWidth - node.clientWidth);
      await expect.soft.poll(wide, title).toBeLessThanOrEqual(0);
    }
    const scrolls = () =>
      page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
    await expect.soft.poll(scrolls, `${name}: the whole page`).toBe(0);
    // Tall enough for each section, since a name below the visible area counts as missing.
    await page.setViewportSize({ width: 1280, height: 2600 });
    expect.soft(await severeFindings(page), name).toEqual([]);
  }

  const workspace = await openSection(bench, 'Workspace');
  await expect(workspace).toContainText('Changes are kept in memory');
  await ask(ready, 'PATCH', '/users/ada', { password: 'in the file' });
  await expect(workspace).toContainText('including client secrets, user passwords');
  const download = page.waitForEvent('download');
  await workspace.getByRole('button', { name: 'Export' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  const { client_id, client_secret } = DEMO;
  expect(JSON.parse(text)).toMatchObject({
    version: 1,
    clients: [{ client_id, client_secret }],
    users: [{ password: 'in the file' }],
  });

  const section = page.getByRole('region', { name: 'Automation', exact: true });
  await expect(section).toContainText(ready.control.url);
  await expect(section).not.toContainText(ready.control.token);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await section.getByRole('button', { name: 'Copy the control token' }).click();
  await expect.poll(copied).toBe(ready.control.token);
  await section.getByRole('button', { name: 'Copy curl command' }).click();
  await expect.poll(copied).toContain(`Bearer ${ready.control.token}`);
  await section.getByRole('button', { name: 'Reveal' }).click();
  await expect(section).toContainText(ready.control.token);
  expect(errors).toEqual([]);
});

test('clearing a number restores its default, or removes the idle time of refresh tokens; the sign-in page gets a name, a colour and a logo, which can be removed', async ({
  page,
  bench,
  ready,
}) => {
  const lifetimes = async () => (await ask<Settings>(ready, 'GET', '/settings')).lifetimes;
  const read = async () => (await lifetimes()).code;
  const section = await openSection(bench, 'Tokens');
  // A citation is a link, whether or not the value is explained after it.
  await expect(section.getByRole('link', { name: 'RFC 8628 3.5' })).toBeVisible();
  const code = section.getByRole('textbox', { name: 'Code lifetime', exact: true });
  await code.fill('30');
  await code.press('Enter');
  await expect.poll(read).toBe(30);
  await code.fill('');
  await expect(code).toHaveAttribute('placeholder', 'Default: 600');
  await page.keyboard.press('Tab');
  await expect(code).toHaveValue('600 s');
  await expect.poll(read).toBe(600);
  await code.fill('');
  await code.press('Enter');
  await expect(code).toHaveValue('600 s');

  const idle = page.getByRole('textbox', { name: 'Refresh token idle time' });
  await expect(idle).toHaveValue('');
  await idle.fill('600');
  await idle.blur();
  await expect.poll(lifetimes).toMatchObject({ refresh_token_idle: 600 });
  await idle.fill('');
  await idle.blur();
  await expect.poll(lifetimes).toMatchObject({ refresh_token_idle: null });
  // The switch changes once the engine has applied it.
  const expiry = page.getByRole('switch', { name: 'Expiry of the refresh token in responses' });
  await expiry.click();
  await expect(expiry).toBeChecked();
  await expect.poll(() => ask(ready, 'GET', '/settings')).toMatchObject({ expiry_members: true });

  const look = async () =>
    (await ask<{ sign_in_page?: object }>(ready, 'GET', '/settings')).sign_in_page;
  const signIn = await openSection(bench, 'Evaluation', 'Sign-in page');
  await signIn.getByRole('textbox', { name: 'Name' }).fill('Acme');
  const color = signIn.getByRole('textbox', { name: 'Colour' });
  await color.fill('red');
  await color.press('Enter');
  await expect(color).toHaveAttribute('aria-invalid', 'true');
  await color.fill('#1d4ed8');
  await color.press('Enter');
  const logo = signIn.getByRole('button', { name: 'Choose logo…' });
  const choose = async (name: string, mimeType: string, text: string) => {
    const chooser = page.waitForEvent('filechooser');
    await logo.click();
    const buffer = Buffer.from(text, 'latin1');
    await (await chooser).setFiles({ name, mimeType, buffer });
  };
  await choose('logo.png', 'image/png', 'not an image');
  await expect(signIn.getByRole('alert')).toHaveText(/PNG or JPEG/);
  await choose('logo.png', 'image/png', '\x89PNG\r\n\x1a\n rest');
  const kept = /^\{"name":"Acme","color":"#1d4ed8","logo":"data:image\/png;base64,iVBOR/;
  await expect.poll(async () => JSON.stringify(await look())).toMatch(kept);
  await signIn.getByRole('button', { name: 'Remove' }).click();
  await expect.poll(look).toEqual({ name: 'Acme', color: '#1d4ed8' });
  await choose('logo.png', 'image/png', '\x89PNG\r\n\x1a\n rest');
  await expect.poll(async () => JSON.stringify(await look())).toMatch(kept);
  await choose('large.png', 'image/png', 'x'.repeat(65_537));
  await expect(signIn.getByRole('alert')).toHaveText('The file must have at most 65,536 bytes.');
});

testWithOwnPage(
  'input typed while an earlier value is being saved is kept, and saved next',
  async ({ page, ready }) => {
    const answers = await holdAnswers(page);
    const section = await openSection(await openBench(page, ready), 'Tokens');
    const code = section.getByRole('textbox', { name: 'Code lifetime', exact: true });
    const read = async () => (await ask<Settings>(ready, 'GET', '/settings')).lifetimes.code;
    answers.hold();
    await code.fill('30');
    await code.press('Enter');
    await code.fill('45');
    await expect.poll(read).toBe(30);
    answers.release();
    await expect(section.getByText('Saved')).toBeVisible();
    await expect(code).toHaveValue('45 s');
    await code.press('Enter');
    await expect.poll(read).toBe(45);
    // Back to the former value, before the response.
    await expect(section.getByText('Saved')).toBeVisible();
    answers.hold();
    await code.fill('60');
    await code.press('Enter');
    await expect.poll(read).toBe(60);
    await code.fill('45');
    await code.press('Enter');
    await expect.poll(read).toBe(45);
    await expect(code).toHaveValue('45 s');
  },
);

test('behaviour 19.1: a provider changes discovery, and the page says how; a protected API is added with its rules, rejected at the field that is wrong, and restored by Undo', async ({
  page,
  bench,
  ready,
  errors,
}) => {
  const discovery = `${ready.issuer}/realms/sandbox/.well-known/openid-configuration`;
  expect((await fetch(discovery)).status).toBe(404);
  const section = await openSection(bench, 'Provider shape');
  const provider = section.getByRole('combobox', { name: 'Provider' });
  await expect(provider).toHaveValue('None');
  await provider.click();
  await page.getByRole('option', { name: 'Keycloak' }).click();
  await expect(provider).toHaveValue('Keycloak');
  const changes = section.getByRole('list', { name: 'What the shape changes' });
  await expect(changes).toContainText('The issuer ends in /realms/sandbox.');
  const found = (await (await fetch(discovery)).json()) as Record<string, unknown>;
  expect(found).toMatchObject({
    issuer: `${ready.issuer}/realms/sandbox`,
    token_endpoint: `${ready.issuer}/realms/sandbox/protocol/openid-connect/token`,
  });
  await provider.click();
  await page.getByRole('option', { name: 'None' }).click();
  await expect(changes).toHaveCount(0);
  expect((await fetch(discovery)).status).toBe(404);

  const apis = await openSection(bench, 'APIs', 'Protected APIs');
  await apis.getByRole('button', { name: 'Add API' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add API' });
  await expect(dialog).toContainText('Not added yet');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.locator('[aria-invalid=true]').first()).toBeFocused();
  await dialog.getByRole('button', { name: 'Remove rule 1' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const ofList = dialog.getByText('Must have at least one entry.');
  const ofName = dialog.locator('.mantine-TextInput-error').first();
  const colour = (text: Locator) => text.evaluate((shown) => getComputedStyle(shown).color);
  expect(await colour(ofList), 'a problem of the list looks like one').toBe(await colour(ofName));
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('stock');
  await dialog.getByLabel('Path', { exact: true }).first().fill('/oauth/token');
  const rule = dialog.getByRole('group', { name: 'Rule 1' });
  await rule.getByLabel('Scopes').fill('stock:read "quoted"');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/^Must be \/api, \/mcp or a path below one/)).toBeVisible();
  await expect(rule.getByLabel('Scopes')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Path', { exact: true }).first().fill('');
  await rule.getByLabel('Scopes').fill('stock:read');
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  const second = dialog.getByRole('group', { name: 'Rule 2' });
  await expect(second.getByLabel('Path')).toBeFocused();
  await second.getByLabel('Maximum age in seconds').fill('300');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  const audience = `${ready.issuer}/api/stock`;
  await expect(apis.getByRole('row', { name: /stock/ })).toContainText(audience);
  const [first, other] = (await ask<Api>(ready, 'GET', '/apis/stock')).rules;
  expect(first).toMatchObject({ scopes: ['stock:read'], max_age: null });
  expect(other).toMatchObject({ scopes: [], max_age: 300 });
  await bench.open('Clients');
  await page.getByRole('row', { name: /demo-app/ }).click();
  await page.getByRole('combobox', { name: 'Default audience' }).click();
  await expect(page.getByRole('option', { name: `stock (${audience})` })).toBeVisible();
  await page.keyboard.press('Escape');
  await openSection(bench, 'APIs', 'Protected APIs');
  await apis.getByRole('button', { name: 'Delete stock' }).click();
  await expect(apis.getByRole('row', { name: /stock/ })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(apis.getByRole('row', { name: /stock/ })).toContainText('/api/stock');
  for (const { name } of (await ask<{ items: Api[] }>(ready, 'GET', '/apis')).items) {
    await apis.getByRole('button', { name: `Delete ${name}` }).click();
    await expect(apis.getByRole('row', { name: new RegExp(name) })).toBeHidden();
  }
  await expect(apis.getByRole('button', { name: 'Add API' })).toBeFocused();
  expect(errors).toEqual([]);
});

test('an API that changes elsewhere while its dialog is open shows the change, says which edits would overwrite it, and can take theirs', async ({
  page,
  bench,
  ready,
}) => {
  const section = await openSection(bench, 'APIs', 'Protected APIs');
  const [api] = (await ask<{ items: Api[] }>(ready, 'GET', '/apis')).items;
  await section.getByRole('button', { name: `Edit ${api?.name}` }).click();
  const dialog = page.getByRole('dialog');
  const path = dialog.getByLabel('Path', { exact: true }).first();
  const audience = dialog.getByLabel('Audience', { exact: true });
  await path.fill('/api/mine');
  const theirs = { path: '/api/theirs', audience: 'https://theirs.example' };
  await ask(ready, 'PATCH', `/apis/${api?.name}`, theirs);
  await expect(audience).toHaveValue(theirs.audience);
  await expect(path).toHaveValue('/api/mine');
  await expect(dialog).toContainText('Changed elsewhere: Path. Saving keeps your edits.');
  await dialog.getByRole('button', { name: 'Take theirs' }).press('Enter');
  await expect(path).toHaveValue(theirs.path);
  await expect(dialog).toContainText('Nothing to save');
  await expect(dialog.locator(':focus')).toHaveCount(1);
});

test('behaviour 15.1, 15.3: HTTPS is switched on with a certificate to trust, which an app that does not trust it is told, and off; CORS goes off at once; a used port or foreign address is rejected, one that others can reach needs a confirmation', async ({
  page,
  bench,
  ready,
  errors,
}) => {
  // Tall enough for the section, since a name below the visible area counts as missing.
  await page.setViewportSize({ width: 1280, height: 1600 });
  const section = await openSection(bench, 'Server');
  const former = new URL(ready.issuer).port;
  const https = section.getByRole('switch', { name: 'HTTPS' });
  await expect(https).not.toBeChecked();
  await https.click();
  await expect(page.getByRole('banner')).toContainText(`https://localhost:${former}`);
  await expect(https).toBeChecked();
  const command = section.getByRole('region', { name: 'command that trusts the certificate' });
  const file = /NODE_EXTRA_CA_CERTS='(.+)' node/.exec((await command.textContent()) ?? '')?.[1];
  const ca = await readFile(file ?? '', 'utf8');
  expect(await secureStatus(`https://localhost:${former}/livez`, ca)).toBe(200);
  await expect(
    page.getByText(`Access tokens that name ${ready.issuer} are rejected`),
  ).toBeVisible();
  expect(await severeFindings(page, section)).toEqual([]);

  const untrusting = secureStatus(`https://localhost:${former}/livez`, '');
  await expect(untrusting).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  await bench.open('Traffic');
  await page.getByRole('row').filter({ hasText: 'TLS handshake' }).click();
  const failed = exchangeDetail(page);
  await expect(failed.getByRole('heading', { name: 'no HTTP request' })).toBeVisible();
  await expect(failed).toContainText(
    'The client ended the TLS handshake before it sent a request.',
  );
  await expect(
    failed.getByRole('region', { name: 'command that trusts the certificate' }),
  ).toContainText(file ?? '');
  await expect(failed.getByRole('button', { name: /curl|Resend/ })).toHaveCount(0);
  await expect(await bench.detail('Request')).toContainText('No HTTP request was received.');

  await openSection(bench, 'Server');
  await https.click();
  await expect(page.getByRole('banner')).toContainText(ready.issuer);
  await expect(command).toHaveCount(0);
  expect((await fetch(`${ready.issuer}/livez`)).status).toBe(200);

  const headers = { Origin: 'http://localhost:3000' };
  const origin = async () =>
    (await fetch(`${ready.issuer}/.well-known/jwks.json`, { headers })).headers.get(
      'access-control-allow-origin',
    );
  expect(await origin()).toBe(headers.Origin);
  await section.getByRole('switch', { name: /CORS/ }).click();
  await expect.poll(origin).toBeNull();
  expect(await ask<object>(ready, 'GET', '/settings')).toMatchObject({ cors: false });

  const { server, port } = await occupy();
  const field = section.getByRole('textbox', { name: 'Port' });
  const move = section.getByRole('button', { name: 'Move' });
  try {
    await expect(move).toBeDisabled();
    await field.fill(String(port));
    await move.click();
    await expect(section).toContainText(`Port ${port} is already in use`);
    await expect(section).toContainText(`The server is still at ${ready.issuer}.`);
    await expect(field).toHaveValue(String(port));
    await expect(page.getByRole('banner')).toContainText(ready.issuer);
    expect((await fetch(`${ready.issuer}/livez`)).status).toBe(200);
  } finally {
    await new Promise((done) => server.close(done));
  }

  await field.fill('70000');
  await expect(section).not.toContainText(`Port ${port} is already in use`);
  await field.blur();
  await expect(section).toContainText('It must be a whole number from 1 to 65535.');
  await field.fill(String(port));
  await field.press('Enter');
  await expect(page.getByRole('banner')).toContainText(`http://localhost:${port}`);
  await expect(field).toHaveValue(String(port));
  expect((await fetch(`http://localhost:${port}/livez`)).status).toBe(200);

  const address = section.getByRole('combobox', { name: 'Address' });
  await expect(address).toHaveValue('');
  const listen = section.getByRole('button', { name: 'Listen' });
  await address.fill('0.0.0.0');
  await listen.click();
  const dialog = page.getByRole('dialog', { name: 'Let other machines reach the sandbox?' });
  await expect(dialog).toContainText(
    'unless the sign-in page asks for passwords, anyone can sign in',
  );
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(address).toHaveValue('0.0.0.0');
  expect(await ask(ready, 'GET', '/server')).toMatchObject({ host: null });
  await address.fill('203.0.113.1');
  await address.press('Escape');
  await listen.click();
  await dialog.getByRole('button', { name: 'Listen on 203.0.113.1' }).click();
  await expect(section).toContainText('203.0.113.1 is not an address of this machine.');
  expect((await fetch(`http://localhost:${port}/livez`)).status).toBe(200);
  await address.fill('127.0.0.2');
  await address.press('Escape');
  await listen.click();
  await expect.poll(() => ask(ready, 'GET', '/server')).toMatchObject({ host: '127.0.0.2' });
  await expect(listen).toBeDisabled();

  await expect(section).not.toContainText('The server is not running');
  await ask(ready, 'POST', '/server/stop');
  await expect(section).toContainText('a change of port, address or HTTPS starts it');
  await expect(section.getByRole('button', { name: 'Start' })).toHaveCount(2);
  expect(errors).toEqual([]);
});

test('a time cannot be negative', async ({ bench }) => {
  const lifetimes = await openSection(bench, 'Tokens');
  const field = lifetimes.getByRole('textbox').first();
  await field.fill('-5');
  await expect(field).toHaveValue('5 s');
});

/** Replaces the notifications of the browser, which a test can neither see nor click. */
const stubNotifications = ({ page }: Workbench, answer: NotificationPermission) =>
  page.evaluate((decided) => {
    const shown: { title: string; body: string; onclick?: () => void }[] = [];
    class Stub {
      static permission = 'default';
      static requestPermission = () => Promise.resolve((Stub.permission = decided));
      readonly close = () => undefined;
      readonly title: string;
      readonly body: string;
      constructor(title: string, options: { readonly body: string }) {
        this.title = title;
        this.body = options.body;
        shown.push(this);
      }
    }
    document.hasFocus = () => false;
    Object.assign(globalThis, { Notification: Stub, shownNotifications: shown });
  }, answer);

test('desktop notifications stay off when denied; granted, a rejected request raises one that opens its exchange', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await stubNotifications(bench, 'denied');
  const section = await openSection(bench, 'Appearance');
  const choice = section.getByRole('switch', { name: 'Desktop notifications' });
  await expect(choice).not.toBeChecked();
  await choice.press('Space');
  await expect(section.getByRole('status')).toContainText([
    /^Notifications are denied for this page/,
  ]);
  await expect(choice).not.toBeChecked();
  expect(await severeFindings(page, section)).toEqual([]);

  await stubNotifications(bench, 'granted');
  const reject = () =>
    fetch(ready.token_endpoint, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'unknown', code: 's3cret' }),
    }).then((response) => Number(response.headers.get('grantbench-exchange')));
  // While it is off, nothing is shown: the only notification below is of the second request.
  const silent = await reject();
  await expect(page.getByRole('link', { name: /Traffic/ })).toContainText('1');
  await choice.press('Space');
  await expect(choice).toBeChecked();
  const number = await reject();
  expect(number).toBeGreaterThan(silent);
  const shown = () =>
    page.evaluate(() =>
      (
        globalThis as unknown as { shownNotifications: { title: string; body: string }[] }
      ).shownNotifications.map(({ title, body }) => ({ title, body })),
    );
  await expect
    .poll(async () => (await shown()).map(({ title }) => title))
    .toEqual([`Request #${number} rejected`]);
  expect((await shown())[0]?.body).toMatch(/^POST [^? ]+: (?!.*s3cret)/);
  await page.evaluate(() =>
    (
      globalThis as unknown as { shownNotifications: { onclick: () => void }[] }
    ).shownNotifications[0]?.onclick(),
  );
  await expect(page).toHaveURL(new RegExp(`#/traffic/${number}$`));
  await page.goBack();
  await choice.press('Space');
  await expect(choice).not.toBeChecked();
});
