// Signed requests, JWT bearer and the password grant in the Flow view: run, with a deliberate mistake, exported.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
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

async function expectBroken(page: Page, step: string, mistake: string, cause: string) {
  await page.getByRole('button', { name: `Break it: ${step}` }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${mistake}`) }).click();
  await expect(card(page, step)).toContainText(`${mistake}:`);
  await expect(card(page, step)).toContainText('matched');
  const why = exchangeDetail(page).getByRole('region', { name: 'Cause' });
  await expect(why).toContainText(cause);
}

/** Exports the walk. Returns the scenario. */
async function exported(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /Scenario \(JSON\)/ }).click();
  const path = test.info().outputPath('grant.scenario.json');
  await (await coming).saveAs(path);
  return readFile(path, 'utf8');
}

test('behaviour 7.23, 7.31: a request signed with a key of the page gets an ID token with the code, and is recorded', async ({
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
  await expect(code).toContainText('demo-app has no key here to sign with');
  await page.getByRole('button', { name: 'Edit: Issue a code' }).click();
  await page.getByRole('combobox', { name: 'Response type' }).click();
  await page.getByRole('option', { name: 'code id_token' }).click();
  const signed = page.getByRole('switch', { name: 'Sign the request (JAR)' });
  await expect(signed).toBeChecked();
  await expect(signed).toBeDisabled();
  await expect(code).toContainText('Adds this page’s key');
  expect(await severeFindings(page, code)).toEqual([]);

  await page.getByRole('button', { name: 'Add a key and sign' }).click();
  await expect(code).toContainText('for ada');
  await expect(page.getByText('Added key')).toBeVisible();
  await bench.runAll();
  await expect(card(page, 'Call an API with it')).toContainText('sub ada');
  const scenario = await exported(page);
  expect(scenario).toContain('"request_object"');
  expect(scenario).toContain('"code id_token"');
  await expectBroken(page, 'Issue a code', 'Request signed with another key', 'registered key');
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

test('behaviour 7.20: a pasted assertion is sent unchanged, and one of the page is signed with a key that only its button adds', async ({
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
  const sending = card(page, 'Send the assertion');
  const edit = () => page.getByRole('button', { name: 'Edit: Send the assertion' }).click();
  await page.getByRole('button', { name: 'Send the assertion', exact: true }).click();
  await edit();
  await page.getByRole('textbox', { name: 'Assertion' }).fill('pasted.by.hand');
  await page.getByRole('button', { name: 'Run: Send the assertion' }).click();
  await expect(sending).toContainText('400');
  await expect(await bench.detail('Request')).toContainText('pasted.by.hand');
  await edit();
  await page.getByRole('button', { name: 'Assertion: use the flow’s value' }).click();

  await bench.runAll();
  const signing = card(page, 'Sign an assertion');
  await expect(signing).toContainText('worker does not have this page’s key.');
  expect(await keysOfWorker()).toEqual([APPS_KEY]);
  expect(await severeFindings(page, signing)).toEqual([]);

  await page.getByRole('button', { name: 'Add a key and sign' }).click();
  await expect(signing).toContainText('for ada, as worker');
  const [apps, own] = await keysOfWorker();
  expect(apps).toEqual(APPS_KEY);
  expect(own?.kid).toMatch(/^workbench-/);
  await expect(page.getByText(`Added key ${own?.kid ?? ''} to worker`)).toBeVisible();

  await bench.runAll();
  await expect(sending).toContainText('200');
  await expect(card(page, 'Call an API with it')).toContainText('sub ada');
  await expectBroken(page, 'Send the assertion', 'Expired assertion', 'expired');
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

test('one button within the card allows a grant that no client has, and the grant runs; the password grant gets tokens in the Flow view once the user’s password is entered', async ({
  bench,
  ready,
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
    await expect(allow).toBeHidden();
    await expect(client).toContainText('demo-app');
    await bench.runAll();
    await expect(card(page, 'Read the token')).toContainText('verified');
  }

  await page.setViewportSize({ width: 1280, height: 720 });
  await ask(ready, 'PATCH', '/users/ada', { password: 'correct horse' });
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
  await expectBroken(page, 'Send the password', 'Wrong password', 'password');
  expect(await exported(page)).toContain('"grant": "password"');
  expect(await severeFindings(page, card(page, 'Send the password'))).toEqual([]);
  expect(errors).toEqual([]);
});
