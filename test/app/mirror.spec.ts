// Mirroring a provider in the window: request it, review the mirror, save and open it; errors appear at their field.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { severeFindings } from '../support/findings.ts';
import { createLoopbackServers } from '../support/loopback-servers.ts';
import { chooseMenuItem, expect, test } from './launch.ts';
import { answerQuestion, chooseFile } from './native-dialogs.ts';

const { serve, closeAll } = createLoopbackServers();

test.afterEach(closeAll);

/** A provider with its keys on another host, and a count of the requests for them. */
async function provider() {
  const requested = { keys: 0 };
  const keys = await serve((_, response) => {
    requested.keys += 1;
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify({ keys: [{ kty: 'RSA', use: 'sig', kid: '1' }] }));
  });
  const issuer: string = await serve((_, response) => {
    response.setHeader('Content-Type', 'application/json').end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/login`,
        token_endpoint: `${issuer}/v1/token`,
        userinfo_endpoint: `${issuer}/v1/me`,
        jwks_uri: `${keys}/keys`,
        op_policy_uri: 'https://example.com/policy',
        scopes_supported: ['openid', 'shop'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
    );
  });
  return { issuer, requested };
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const SAMPLE = `${base64url({ alg: 'RS256', typ: 'JWT' })}.${base64url({ shop: 'Berlin', iat: 1_700_000_000, exp: 1_700_001_000 })}.c2ln`;

/** Opens the dialog from the native menu: File > Mirror a Provider… */
async function openDialog(app: ElectronApplication, page: Page) {
  await chooseMenuItem(app, 'mirror-provider');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Issuer' })).toBeFocused();
  return dialog;
}

test('behaviour 12.11: an invalid issuer or token is reported at its field, which keeps its text; Cancel ends a request without a response and keeps the form; keys on another host are requested only after confirmation; closing an unsaved mirror requires confirmation each time; a mirror is saved and opened', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const dialog = await openDialog(app, page);
  const field = dialog.getByRole('textbox', { name: 'Issuer' });
  const token = dialog.getByRole('textbox', { name: 'Sample token' });
  const mirror = dialog.getByRole('button', { name: 'Mirror', exact: true });
  expect(await severeFindings(page)).toEqual([]);
  const refused = async (text: string, why: string) => {
    await field.fill(text);
    await mirror.click();
    await expect(field).toHaveAccessibleDescription(new RegExp(why));
    await expect(field).toHaveValue(text);
    await expect(field).toBeFocused();
  };
  await refused('', 'Enter the issuer of the provider');
  await refused('login.example.com', 'is not a URL');
  await refused(`http://localhost/${'x'.repeat(2000)}`, 'Must have at most 2000 characters');
  await refused('http://login.example.com/', 'http://login.example.com/ must begin with https://');
  const html = await serve((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<p>Sign in</p>');
  });
  await refused(html, 'responds with HTML, not JSON');
  expect(await severeFindings(page)).toEqual([]);

  await token.fill('opaque');
  await mirror.click();
  await expect(token).toHaveAccessibleDescription(/is not a signed JWT/);
  await expect(token).toBeFocused();

  let closed = () => {};
  const ended = new Promise<void>((done) => {
    closed = done;
  });
  const silent = await serve((request) => request.socket.once('close', closed));
  await field.fill(silent);
  await token.fill('');
  await mirror.click();
  await expect(dialog.getByRole('status')).toHaveText('Requesting the metadata and the JWK Set…');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await ended;
  await expect(dialog.getByRole('status')).toHaveText('');
  await expect(field).toHaveValue(silent);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();

  const { issuer, requested } = await provider();
  await openDialog(app, page);
  await field.fill(issuer);
  await token.fill(SAMPLE);

  const declined = await answerQuestion(app, 'Cancel');
  await mirror.click();
  await expect(dialog).toContainText('/keys is on another host than the issuer.');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(issuer);
  expect(await declined()).toHaveLength(1);
  expect(requested.keys).toBe(0);

  await answerQuestion(app, 'Request');
  await mirror.click();
  const made = dialog.getByRole('region', { name: 'Mirrored workspace' });
  await expect(made).toContainText('/v1/token');
  await expect(made).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(made).toBeFocused();
  await expect(made).toContainText('shop');
  await expect(made).toContainText('op_policy_uri is omitted because it leads to the provider.');
  expect(requested.keys).toBe(1);
  expect(await severeFindings(page)).toEqual([]);

  await dialog.getByRole('button', { name: 'Back' }).click();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(issuer);
  await mirror.click();
  await expect(made).toBeFocused();

  for (let time = 1; time <= 2; time += 1) {
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Discard the mirror?' });
    await question.getByRole('button', { name: 'Discard', exact: true }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await openDialog(app, page);
    await field.fill(issuer);
    await token.fill(SAMPLE);
    await mirror.click();
    await expect(made).toBeVisible();
  }

  const save = async (path: string) => {
    await chooseFile(app, path);
    await dialog.getByRole('button', { name: 'Save and open…' }).click();
  };
  const current = join(userData, 'workspace.json');
  const before = readFileSync(current, 'utf8');
  const warned = await answerQuestion(app, 'OK');
  await save(current);
  await expect.poll(warned).toHaveLength(1);
  await expect(made).toBeVisible();
  expect(readFileSync(current, 'utf8')).toBe(before);

  const file = join(userData, 'mirror.json');
  await save(file);
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('contentinfo')).toContainText('mirror.json');
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    name: `Mirror of ${new URL(issuer).host}`,
    shape: { paths: { token: ['/v1/token'] }, settings: { lifetimes: { access_token: 1000 } } },
  });
  expect(text).not.toContain('Berlin');
});
