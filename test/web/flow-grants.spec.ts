// Token exchange, JWT bearer and the password grant in the Flow view: run, with deliberate mistakes, exported.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startCli } from '../support/cli-process.ts';
import { severeFindings } from '../support/findings.ts';
import { ask } from '../support/token-calls.ts';
import { exchangeDetail } from '../support/workbench.ts';
import { expect, openBench, test } from './serve.ts';

async function chooseGrant(page: Page, title: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Grant', exact: true }).click();
  await page.getByRole('option', { name: title }).click();
}

const card = (page: Page, title: string) =>
  page
    .getByRole('list', { name: 'Steps' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: title, exact: true }) });

async function expectBroken(
  page: Page,
  step: string,
  broken: readonly (readonly [mistake: string, cause: string])[],
): Promise<void> {
  for (const [mistake, cause] of broken) {
    await page.getByRole('button', { name: `Break it: ${step}` }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${mistake}`) }).click();
    await expect(card(page, step)).toContainText(`${mistake}:`);
    await expect(card(page, step)).toContainText('matched');
    const why = exchangeDetail(page).getByRole('region', { name: 'Cause' });
    await expect(why).toContainText(cause);
  }
}

/** Exports the walk, and runs it as `grantbench run` does. */
async function exported(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /Scenario \(JSON\)/ }).click();
  const path = test.info().outputPath('grant.scenario.json');
  await (await coming).saveAs(path);
  const { code, stdout } = await startCli(['run', path]).ended;
  expect(code, stdout).toBe(0);
  return readFile(path, 'utf8');
}

test('behaviour 7.23, 7.31: a signed request gets an ID token with the code, and the recorded scenario signs it again', async ({
  page,
  ready,
  errors,
}) => {
  await ask(ready, 'PATCH', '/clients/demo-app', {
    profile: 'interop',
    grant_types: ['authorization_code', 'refresh_token', 'implicit'],
    require_signed_request_object: true,
  });
  const bench = await openBench(page, ready);
  const code = card(page, 'Issue a code');
  await bench.runAll();
  await expect(code).toContainText('1 failed');
  await page.getByRole('button', { name: 'Edit: Issue a code' }).click();
  await page.getByRole('combobox', { name: 'Response type' }).click();
  await page.getByRole('option', { name: 'code id_token' }).click();
  await page.getByRole('switch', { name: 'Sign the request (JAR)' }).click();
  await expect(code).toContainText('Adds this page’s key');
  expect(await severeFindings(page)).toEqual([]);

  await page.getByRole('button', { name: 'Add a key and sign' }).click();
  await expect(code).toContainText('for ada');
  await expect(page.getByText('Added key')).toBeVisible();
  await bench.runAll();
  await expect(card(page, 'Call an API with it')).toContainText('sub ada');
  const scenario = await exported(page);
  expect(scenario).toContain('"request_object"');
  expect(scenario).toContain('"code id_token"');
  await expectBroken(page, 'Issue a code', [
    ['Request signed with another key', 'registered key'],
    ['Expired request object', 'expired'],
    ['Request of another client', 'client_id'],
  ]);
  expect(errors).toEqual([]);
});

test('a token is exchanged in the Flow view, and the recorded scenario passes', async ({
  page,
  ready,
  errors,
}) => {
  await ask(ready, 'POST', '/clients', {
    client_id: 'orders',
    client_secret: 'orders-secret',
    grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange'],
  });
  const bench = await openBench(page, ready);
  await chooseGrant(page, 'Token exchange');
  await bench.runAll();
  await expect(card(page, 'Get a subject token')).toContainText('for ada');
  await expect(card(page, 'Exchange the token')).toContainText('200');
  await expect(card(page, 'Call an API with it')).toContainText('sub ada');
  await expectBroken(page, 'Exchange the token', [
    ['Unknown subject token', 'subject_token'],
    ['Revoked subject token', 'revoked'],
    ['Unknown audience', 'audience'],
  ]);
  expect(await exported(page)).toContain('"issue_tokens"');
  expect(await severeFindings(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('behaviour 19.2: a token for the audience of a protected API is sent to that API', async ({
  page,
  ready,
  errors,
}) => {
  const default_audience = 'https://orders.example/api';
  await ask(ready, 'PATCH', '/clients/demo-app', { default_audience });
  const bench = await openBench(page, ready);
  await bench.runAll();
  const call = card(page, 'Call an API with it');
  await expect(call).toContainText('403');
  await page.getByRole('button', { name: 'Issue a code', exact: true }).click();
  await page.getByRole('button', { name: 'Edit: Issue a code' }).click();
  await page.getByRole('textbox', { name: 'Scope', exact: true }).fill('openid orders:read');
  await bench.runAll();
  await expect(call).toContainText('sub ada');
  await page.getByRole('button', { name: 'Call an API with it', exact: true }).click();
  await page.getByRole('button', { name: 'Edit: Call an API with it' }).click();
  await expect(page.getByRole('textbox', { name: 'Path', exact: true })).toHaveValue('/api/orders');
  expect(errors).toEqual([]);
});

/** The key that the app under test signs with, from RFC 7517 A.1. */
const APPS_KEY = {
  kty: 'EC',
  crv: 'P-256',
  kid: 'app-1',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
};

test('behaviour 7.20: an assertion gets a token in the Flow view, signed with a key that is added only by its button', async ({
  page,
  ready,
  errors,
}) => {
  await ask(ready, 'POST', '/clients', {
    client_id: 'worker',
    client_secret: 'worker-secret',
    grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
    jwks: { keys: [APPS_KEY] },
  });
  const bench = await openBench(page, ready);
  const keysOfWorker = async () =>
    (await ask<{ jwks: { keys: { kid: string }[] } }>(ready, 'GET', '/clients/worker')).jwks.keys;
  await chooseGrant(page, 'JWT bearer');
  await bench.runAll();
  const signing = card(page, 'Sign an assertion');
  await expect(signing).toContainText('worker does not have this page’s key.');
  expect(await keysOfWorker()).toEqual([APPS_KEY]);
  expect(await severeFindings(page)).toEqual([]);

  await page.getByRole('button', { name: 'Add a key and sign' }).click();
  await expect(signing).toContainText('for ada, as worker');
  const [apps, own] = await keysOfWorker();
  expect(apps).toEqual(APPS_KEY);
  expect(own?.kid).toMatch(/^workbench-/);
  await expect(page.getByText(`Added key ${own?.kid ?? ''} to worker`)).toBeVisible();

  await bench.runAll();
  await expect(card(page, 'Send the assertion')).toContainText('200');
  await expect(card(page, 'Call an API with it')).toContainText('sub ada');
  await expectBroken(page, 'Send the assertion', [
    ['Expired assertion', 'expired'],
    ['Wrong issuer', 'iss'],
    ['Signed with another key', 'registered key'],
    ['Used assertion', 'used'],
  ]);
  expect(await exported(page)).not.toContain('assertion');
  await expect(page.getByText(/^\d requests omitted: signed with a key/)).toBeVisible();
  expect(await severeFindings(page)).toEqual([]);

  // A page that is opened later has another key, which replaces this key.
  await page.reload();
  await bench.ready();
  await chooseGrant(page, 'JWT bearer');
  await page.getByRole('button', { name: 'Run: Sign an assertion' }).click();
  await page.getByRole('button', { name: 'Add a key and sign' }).click();
  await expect(signing).toContainText('for ada, as worker');
  const later = await keysOfWorker();
  expect(later).toHaveLength(2);
  expect(later[0]).toEqual(APPS_KEY);
  expect(later[1]?.kid).not.toBe(own?.kid);
  const meanwhile = { ...APPS_KEY, kid: 'app-2' };
  await ask(ready, 'PATCH', '/clients/worker', { jwks: { keys: [...later, meanwhile] } });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(keysOfWorker).toEqual([apps, meanwhile, own]);
  expect(errors).toEqual([]);
});

test('behaviour 7.20: an assertion from the app can be pasted and is sent unchanged; all mistakes get the expected response', async ({
  page,
  ready,
  errors,
}) => {
  await ask(ready, 'POST', '/clients', {
    client_id: 'worker',
    grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
  });
  const bench = await openBench(page, ready);
  await chooseGrant(page, 'JWT bearer');
  await page.getByRole('button', { name: 'Send the assertion', exact: true }).click();
  await page.getByRole('button', { name: 'Edit: Send the assertion' }).click();
  await page.getByRole('textbox', { name: 'Assertion' }).fill('pasted.by.hand');
  await page.getByRole('button', { name: 'Run: Send the assertion' }).click();
  await expect(card(page, 'Send the assertion')).toContainText('400');
  const request = await bench.detail('Request');
  await expect(request).toContainText('pasted.by.hand');
  await page.getByRole('button', { name: 'Edit: Send the assertion' }).click();
  await page.getByRole('button', { name: 'Assertion: use the flow’s value' }).click();

  await page.getByRole('button', { name: 'Sign an assertion', exact: true }).click();
  await page.getByRole('button', { name: 'Add a key and sign' }).click();
  await expect(card(page, 'Sign an assertion')).toContainText('for ada, as worker');
  await page.getByRole('button', { name: 'Break it: Send the assertion' }).click();
  await page.getByRole('menuitem', { name: /^Run all \d+ mistakes$/ }).click();
  const results = page.getByRole('dialog', { name: 'Deliberate mistakes: Send the assertion' });
  await expect(results.getByRole('status')).toHaveText(/answered as expected/);
  const rows = await results.locator('tbody tr').allInnerTexts();
  const tried = rows.filter((row) => !row.includes('not tried'));
  expect(tried.length).toBeGreaterThan(20);
  expect(tried.filter((row) => !row.includes('matched'))).toEqual([]);
  expect(errors).toEqual([]);
});

test('the password grant gets tokens in the Flow view once the user’s password is entered', async ({
  page,
  ready,
  errors,
}) => {
  await ask(ready, 'PATCH', '/users/ada', { password: 'correct horse' });
  const bench = await openBench(page, ready);
  await chooseGrant(page, 'Password');
  await page.getByRole('button', { name: 'Client', exact: true }).click();
  await page.getByRole('button', { name: 'Edit: Client' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Old app');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(card(page, 'Client')).toContainText('Old app');
  await bench.runAll();
  await expect(card(page, 'Send the password')).toContainText('ada has a password');
  await page.getByRole('button', { name: 'Edit: Send the password' }).click();
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await bench.runAll();
  await expect(card(page, 'Send the password')).toContainText('200');
  await expect(card(page, 'Call an API with it')).toContainText('sub ada');
  await expectBroken(page, 'Send the password', [
    ['Wrong password', 'password'],
    ['Unknown user', 'user'],
  ]);
  expect(await exported(page)).toContain('"grant": "password"');
  expect(await severeFindings(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('one button within the card allows a grant that no client has, and the grant runs', async ({
  bench,
  errors,
}) => {
  const { page } = bench;
  await page.setViewportSize({ width: 900, height: 600 });
  for (const grant of ['JWT bearer', 'Client credentials']) {
    await chooseGrant(page, grant);
    const client = card(page, 'Client');
    await expect(client).toContainText(`No client may use the grant “${grant}”`);
    const allow = client.getByRole('button', { name: 'Allow this grant for demo-app' });
    const sticksOut = () =>
      allow.evaluate((button) => {
        const outer = button.closest('li')?.getBoundingClientRect().right ?? 0;
        return button.getBoundingClientRect().right - outer;
      });
    await expect.poll(sticksOut).toBeLessThanOrEqual(0);
    await allow.click();
    await expect(client).toContainText('demo-app');
    await bench.runAll();
    await expect(card(page, 'Read the token')).toContainText('verified');
  }
  expect(errors).toEqual([]);
});
