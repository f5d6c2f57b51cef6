// The client editor and client registration over HTTP, as a user configures them.

import type { Page } from '@playwright/test';
import { ask, DEMO } from '../support/token-calls.ts';
import { severeFindings } from '../support/findings.ts';
import { expect, test } from './serve.ts';

const KEY = { kty: 'EC', crv: 'P-256', kid: 'k1', x: 'AA', y: 'AA' };

async function choose(page: Page, field: string, option: string | RegExp) {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
}

test('a client that signs assertions is registered with its keys and no secret; rarely used fields are folded until they have a value or a problem', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await bench.open('Clients');
  await page.getByRole('button', { name: 'Register client' }).click();
  await page.getByRole('textbox', { name: 'client_id', exact: true }).fill('signer');
  await expect(page.getByLabel('client_secret')).toBeVisible();
  await choose(page, 'Client authentication', /private_key_jwt/);
  await expect(page.getByLabel('client_secret')).toHaveCount(0);
  const keys = page.getByLabel('Public keys (JWK Set)');
  const save = page.getByRole('button', { name: 'Save', exact: true });

  await save.click();
  await expect(page.getByText('Is required with token_endpoint_auth_method')).toBeVisible();
  await expect(keys).toBeFocused();
  await keys.fill(JSON.stringify({ ...KEY, d: 'AA' }));
  await save.click();
  await expect(page.getByText('“d” is a private member')).toBeVisible();
  await keys.fill(JSON.stringify(KEY));
  await save.click();

  await expect(page.getByRole('region', { name: 'Client signer' })).toBeVisible();
  expect(await ask(ready, 'GET', '/clients/signer')).toMatchObject({
    client_secret: null,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [KEY] },
  });
  await page.getByRole('tab', { name: 'Connect your app' }).click();
  await choose(page, 'Library', 'openid-client');
  await expect(page.getByText('client.PrivateKeyJwt(privateKey)')).toBeVisible();
  const example = page.getByText('This client has no redirect URI');
  await ask(ready, 'PATCH', '/clients/signer', { redirect_uris: [] });
  await expect(example).toBeVisible();
  await ask(ready, 'PATCH', '/clients/signer', { redirect_uris: ['https://app.example/cb'] });
  await expect(example).toBeHidden();

  await bench.open('Clients');
  await page.getByRole('button', { name: 'Register client' }).click();
  const extras = page.getByText('PAR, DPoP, signatures, logout and throttling');
  const limit = page.getByLabel('Limit in requests');
  await expect(extras).toBeVisible();
  await expect(limit).toBeHidden();
  await extras.click();
  await limit.fill('5');
  await extras.click();
  await expect(limit).toBeHidden();
  await save.click();
  await expect(page.getByLabel('Window in seconds')).toBeFocused();
  await extras.click();
  await expect(limit).toBeVisible();
  await page.getByLabel('Window in seconds').fill('10');
  await save.click();
  await expect(page.getByText(/^app-.+ is registered/)).toBeVisible();
  await expect(limit).toBeVisible();
  expect(errors).toEqual([]);
});

test('a client’s own values are kept, and clearing them restores the defaults', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  const path = `/clients/${DEMO.client_id}`;
  const { post_logout_redirect_uris: uris } = await ask<{ post_logout_redirect_uris: string[] }>(
    ready,
    'GET',
    path,
  );
  const added = `Logout URI ${uris.length + 1}`;
  await bench.open('Clients');
  await page.getByRole('link', { name: 'Demo application' }).click();
  await page.getByRole('checkbox', { name: 'client_credentials' }).check();
  await choose(page, 'Application type', /^Native/);
  await page.getByRole('button', { name: 'Add logout URI' }).click();
  await page.getByLabel(added, { exact: true }).fill('https://app.example/bye');
  await page.getByLabel('Refresh token lifetime in seconds').fill('3600');
  await page.getByLabel('Limit in requests').fill('5');
  await choose(page, 'Signed userinfo', /^ES256$/);
  await page.getByLabel('Back-channel logout URI').fill('http://localhost:3000/logout');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await expect(page.getByLabel('Window in seconds')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Window in seconds').fill('10');
  const editor = page.getByRole('region', { name: `Client ${DEMO.client_id}` });
  expect(await severeFindings(page, editor)).toEqual([]);
  await save.click();
  await expect
    .poll(() => ask(ready, 'GET', path))
    .toMatchObject({
      application_type: 'native',
      post_logout_redirect_uris: [...uris, 'https://app.example/bye'],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      refresh_token_expires_in: 3600,
      throttle: { limit: 5, window_seconds: 10 },
      userinfo_signed_response_alg: 'ES256',
      backchannel_logout_uri: 'http://localhost:3000/logout',
      client_secret: DEMO.client_secret,
    });

  await page.getByLabel('Limit in requests').fill('');
  await page.getByLabel('Window in seconds').fill('');
  await page.getByLabel('Refresh token lifetime in seconds').fill('');
  await page.getByRole('button', { name: `Remove logout URI ${uris.length + 1}` }).click();
  await choose(page, 'Signed userinfo', /^ES256$/);
  await page.getByLabel('Back-channel logout URI').fill('');
  await save.click();
  await expect
    .poll(async () => ask(ready, 'GET', path))
    .toMatchObject({
      throttle: null,
      refresh_token_expires_in: null,
      post_logout_redirect_uris: uris,
    });
  const cleared = await ask(ready, 'GET', path);
  expect(cleared).not.toHaveProperty('userinfo_signed_response_alg');
  expect(cleared).not.toHaveProperty('backchannel_logout_uri');
});

test('the footer says whether there is something to save; another authentication method only hides the secret; leaving asks first, and staying keeps the edits', async ({
  bench,
}) => {
  const { page } = bench;
  await bench.open('Clients');
  await page.getByRole('link', { name: 'Demo application' }).click();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(page.getByText('Nothing to save')).toBeVisible();
  await expect(save).toBeDisabled();
  await name.fill('Another name');
  await expect(page.getByText('Unsaved edits')).toBeVisible();
  await expect(save).toBeEnabled();
  await name.fill('Demo application');
  await expect(page.getByText('Nothing to save')).toBeVisible();
  await page.getByRole('button', { name: 'Add redirect URI' }).click();
  await expect(page.getByText('Unsaved edits')).toBeVisible();
  await page.getByRole('link', { name: 'Flow' }).click();
  const question = page.getByRole('dialog', { name: 'Discard your edits?' });
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();

  const secret = page.getByLabel('client_secret');
  await expect(secret).toHaveValue(DEMO.client_secret);
  await choose(page, 'Client authentication', /^Public client/);
  await expect(secret).toHaveCount(0);
  await choose(page, 'Client authentication', /client_secret_basic/);
  await expect(secret).toHaveValue(DEMO.client_secret);

  await name.fill('Kept name');
  await page.getByRole('link', { name: 'Flow' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(name).toHaveValue('Kept name');
  await page.getByRole('link', { name: 'Flow' }).click();
  await question.getByRole('button', { name: 'Discard edits' }).click();
  await expect(page.getByRole('link', { name: 'Flow' })).toHaveAttribute('aria-current', 'page');
});

test('a client that changes elsewhere while it is edited shows the change, says which edits would overwrite it, and can take theirs; saving sends the edits only', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await bench.open('Clients');
  await page.getByRole('link', { name: 'Demo application' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  const notice = page.getByText('Changed elsewhere');
  await name.fill('Renamed');
  const redirect_uris = ['https://changed.example/callback'];
  await ask(ready, 'PATCH', `/clients/${DEMO.client_id}`, { redirect_uris, client_name: 'Theirs' });
  await expect(page.getByLabel('Redirect URI 1', { exact: true })).toHaveValue(
    'https://changed.example/callback',
  );
  await expect(name).toHaveValue('Renamed');
  await expect(notice).toHaveText('Changed elsewhere: Name. Saving keeps your edits.');
  await page.getByRole('button', { name: 'Take theirs' }).click();
  await expect(name).toHaveValue('Theirs');
  await expect(notice).toBeHidden();
  await name.fill('Renamed');
  await expect(notice).toBeHidden();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('demo-app is saved')).toBeVisible();
  await expect(page.getByText('Nothing to save')).toBeVisible();
  expect(await ask(ready, 'GET', `/clients/${DEMO.client_id}`)).toMatchObject({
    redirect_uris,
    client_name: 'Renamed',
  });
});

test('registration is enabled with a token, and registered clients appear by themselves; a client ID metadata document is imported once its support is on', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await bench.open('Settings');
  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'Server' })
    .click();
  await expect(page.getByText('There is no /register endpoint.')).toBeVisible();
  await choose(page, 'Mode', 'token');
  const field = page.getByRole('textbox', { name: 'Initial access token' });
  await expect(field).toHaveValue(/^[\w-]{43}$/);
  await expect(page.getByText(`POST ${ready.issuer}/register`)).toBeVisible();
  const token = await field.inputValue();
  await field.fill('');
  await field.blur();
  await expect(page.getByText('Is required with mode token.')).toBeVisible();

  await bench.open('Clients');
  const answer = await fetch(`${ready.issuer}/register`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Self-made', redirect_uris: [DEMO.redirect_uri] }),
  });
  expect(answer.status).toBe(201);
  await expect(page.getByRole('link', { name: 'Self-made' })).toBeVisible();
  expect(errors).toEqual([]);

  await bench.open('Settings');
  await page.getByRole('link', { name: 'Server' }).click();
  await page.getByRole('switch', { name: 'Client ID metadata documents' }).click();
  const origins = page.getByRole('textbox', { name: 'Origins of documents' });
  await origins.fill('http://localhost:8080 https://elsewhere.example');
  await origins.press('Enter');
  await expect(origins).toHaveAttribute('aria-invalid', 'true');
  await origins.fill('http://localhost:8080  http://127.0.0.1:9000');
  await origins.press('Enter');
  const saved = async () =>
    (await ask<{ registration: unknown }>(ready, 'GET', '/settings')).registration;
  await expect
    .poll(saved)
    .toMatchObject({ document_origins: ['http://localhost:8080', 'http://127.0.0.1:9000'] });

  const { client_id: own } = (await answer.json()) as { client_id: string };
  for (const id of [DEMO.client_id, own]) await ask(ready, 'DELETE', `/clients/${id}`);
  await bench.open('Clients');
  await expect(page.getByText('No clients', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Import document' }).click();
  const document = page.getByRole('textbox', { name: 'Document' });
  const submit = page.getByRole('button', { name: 'Import', exact: true });
  const client_id = 'https://client.example/client.json';
  await document.fill(JSON.stringify({ client_id, client_name: 'Notes' }));
  await submit.click();
  await expect(document).toHaveAccessibleDescription(/redirect_uris/);
  expect(await severeFindings(page)).toEqual([]);
  const redirect_uris = ['http://127.0.0.1/callback'];
  await document.fill(JSON.stringify({ client_id, client_name: 'Notes', redirect_uris }));
  await submit.click();
  await expect(page.getByText(`${client_id} is registered`)).toBeVisible();
  expect(await ask(ready, 'GET', `/clients/${encodeURIComponent(client_id)}`)).toMatchObject({
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    redirect_uris,
  });
});
