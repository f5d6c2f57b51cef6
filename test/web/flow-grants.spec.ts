// The grants of the Flow view other than the plain authorization code: run, with a deliberate mistake, recorded.

import { readFile } from 'node:fs/promises';
import { severeFindings } from '../support/findings.ts';
import { ask } from '../support/token-calls.ts';
import { exchangeDetail, type Step, type Workbench } from '../support/workbench.ts';
import { expect, openBench, test } from './serve.ts';

async function expectBroken(bench: Workbench, step: Step, mistake: string, cause: string) {
  await bench.breakIt(step, mistake);
  const why = exchangeDetail(bench.page).getByRole('region', { name: 'Cause' });
  await expect(why).toContainText(cause);
}

/** Exports the walk. Returns the scenario. */
const exported = async (bench: Workbench): Promise<string> =>
  readFile(await (await bench.download('Scenario (JSON)')).path(), 'utf8');

async function edit({ page }: Workbench, step: Step): Promise<void> {
  await page.getByRole('button', { name: step, exact: true }).click();
  await page.getByRole('button', { name: `Edit: ${step}` }).click();
}

/** Registers a client for the grant within the card. */
async function registerClient(bench: Workbench, name: string): Promise<void> {
  const { page } = bench;
  await edit(bench, 'Client');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(bench.step('Client')).toContainText(name);
}

test('a step registers a client for the device grant, which gets its tokens, and the walk is recorded', async ({
  bench,
  errors,
}) => {
  const { page, step } = bench;
  await bench.chooseGrant('Device authorization');
  await registerClient(bench, 'Television');
  await bench.runAll();
  await expect(step('Request the codes')).toContainText(/user code [A-Z]{4}-[A-Z]{4}/);
  await expect(step('Approve or deny')).toContainText('approved');
  await expect(step('Poll for the tokens')).toContainText('200');
  await expect(step('Call an API with it')).toContainText('sub ada');
  await expect(page.getByRole('option', { name: /approve [A-Z]{4}-[A-Z]{4}/ })).toBeVisible();

  await bench.breakIt('Poll for the tokens', 'Polled too fast');
  await expect(step('Poll for the tokens')).toContainText('slow_down');
  const changed = page.getByRole('region', { name: /^(Steps|Sequence)$/ });
  expect(await severeFindings(page, changed)).toEqual([]);
  expect(await exported(bench)).toContain('"approve_device"');
  expect(errors).toEqual([]);
});

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
  const code = bench.step('Issue a code');
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
  await expect(bench.step('Call an API with it')).toContainText('sub ada');
  const scenario = await exported(bench);
  expect(scenario).toContain('"request_object"');
  expect(scenario).toContain('"code id_token"');
  await expectBroken(bench, 'Issue a code', 'Request signed with another key', 'registered key');
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
  await bench.chooseGrant('JWT bearer');
  const sending = bench.step('Send the assertion');
  await edit(bench, 'Send the assertion');
  await page.getByRole('textbox', { name: 'Assertion' }).fill('pasted.by.hand');
  await page.getByRole('button', { name: 'Run: Send the assertion' }).click();
  await expect(sending).toContainText('400');
  await expect(await bench.detail('Request')).toContainText('pasted.by.hand');
  await page.getByRole('button', { name: 'Edit: Send the assertion' }).click();
  await page.getByRole('button', { name: 'Assertion: use the flow’s value' }).click();

  await bench.runAll();
  const signing = bench.step('Sign an assertion');
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
  await expect(bench.step('Call an API with it')).toContainText('sub ada');
  await expectBroken(bench, 'Send the assertion', 'Expired assertion', 'expired');
  expect(await exported(bench)).not.toContain('assertion');
  await expect(page.getByText(/^\d requests omitted: signed with a key/)).toBeVisible();
  expect(await severeFindings(page)).toEqual([]);

  // A page that is opened later has another key, which replaces this key.
  await page.reload();
  await bench.ready();
  await bench.chooseGrant('JWT bearer');
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
    await bench.chooseGrant(grant);
    const client = bench.step('Client');
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
    await expect(bench.step('Read the token')).toContainText('verified');
  }

  await page.setViewportSize({ width: 1280, height: 720 });
  await ask(ready, 'PATCH', '/users/ada', { password: 'correct horse' });
  await bench.chooseGrant('Password');
  await registerClient(bench, 'Old app');
  await bench.runAll();
  await expect(bench.step('Send the password')).toContainText('ada has a password');
  await page.getByRole('button', { name: 'Edit: Send the password' }).click();
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await bench.runAll();
  await expect(bench.step('Send the password')).toContainText('200');
  await expect(bench.step('Call an API with it')).toContainText('sub ada');
  await expectBroken(bench, 'Send the password', 'Wrong password', 'password');
  expect(await exported(bench)).toContain('"grant": "password"');
  expect(await severeFindings(page, bench.step('Send the password'))).toEqual([]);
  expect(errors).toEqual([]);
});

test('RFC 9449: tokens are bound, always for a client that requires it, proofs are explained, a mistake in one gets the expected response, and the walk is recorded', async ({
  page,
  ready,
  errors,
}) => {
  await ask(ready, 'PATCH', '/settings', { dpop: { require_nonce: true } });
  const bench = await openBench(page, ready);
  const { step } = bench;
  await edit(bench, 'Client');
  await page.getByLabel('Bind tokens with DPoP').check();
  await page.getByRole('button', { name: 'Use interop for this client' }).click();
  await expect(page.getByText('ignores proofs')).toBeHidden();
  await bench.runAll();
  await expect(step('Call an API with it')).toContainText('sub ada');

  await page.getByRole('button', { name: 'Call an API with it', exact: true }).click();
  const request = await bench.detail('Request');
  const proof = request.getByRole('region', { name: 'DPoP proof', exact: true });
  await expect(proof).toContainText('The presented access token is bound to this key');
  await expect(proof).toContainText('Binds it to the method of the request');
  await expect(proof).toContainText('The value that the service supplied in DPoP-Nonce');
  expect(await severeFindings(page, request)).toEqual([]);
  const jkt = await proof.locator('code').first().textContent();
  await bench.run('Read the token');
  const token = await bench.detail('Token');
  await expect(token).toContainText(jkt ?? 'no thumbprint');
  await expect(token).toContainText('accepted only with a DPoP proof of that key');

  const cause = 'created for another access token';
  await expectBroken(bench, 'Call an API with it', 'Proof for another token', cause);
  expect(await exported(bench)).toContain('"dpop": true');

  await edit(bench, 'Client');
  const bind = page.getByLabel('Bind tokens with DPoP');
  await bind.uncheck();
  await ask(ready, 'PATCH', '/clients/demo-app', { dpop_bound_access_tokens: true });
  await expect(bind).toBeChecked();
  await expect(bind).toBeDisabled();
  await bench.runAll();
  await expect(step('Call an API with it')).toContainText('sub ada');
  expect(errors).toEqual([]);
});
