// DPoP in the Flow view (RFC 9449): tokens are bound to a key of the page, the proof is explained beside its request,
// a mistake in it is made deliberately, and the walk is recorded.

import { readFile } from 'node:fs/promises';
import { severeFindings } from '../support/findings.ts';
import { ask } from '../support/token-calls.ts';
import { exchangeDetail } from '../support/workbench.ts';
import { expect, openBench, test } from './serve.ts';

test('tokens are bound, always for a client that requires it, proofs are explained, a mistake in one gets the expected response, and the walk is recorded', async ({
  page,
  ready,
  errors,
}) => {
  await ask(ready, 'PATCH', '/settings', { dpop: { require_nonce: true } });
  const bench = await openBench(page, ready);
  const { step } = bench;
  await page.getByRole('button', { name: 'Client', exact: true }).click();
  await page.getByRole('button', { name: 'Edit: Client' }).click();
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

  await page.getByRole('button', { name: 'Break it: Call an API with it' }).click();
  await page.getByRole('menuitem', { name: /^Proof for another token/ }).click();
  await expect(step('Call an API with it')).toContainText('Proof for another token:');
  await expect(step('Call an API with it')).toContainText('matched');
  const why = exchangeDetail(page).getByRole('region', { name: 'Cause' });
  await expect(why).toContainText('created for another access token');

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /Scenario \(JSON\)/ }).click();
  const path = test.info().outputPath('dpop.scenario.json');
  await (await coming).saveAs(path);
  expect(await readFile(path, 'utf8')).toContain('"dpop": true');

  await page.getByRole('button', { name: 'Client', exact: true }).click();
  await page.getByRole('button', { name: 'Edit: Client' }).click();
  const bind = page.getByLabel('Bind tokens with DPoP');
  await bind.uncheck();
  await ask(ready, 'PATCH', '/clients/demo-app', { dpop_bound_access_tokens: true });
  await expect(bind).toBeChecked();
  await expect(bind).toBeDisabled();
  await bench.runAll();
  await expect(step('Call an API with it')).toContainText('sub ada');
  expect(errors).toEqual([]);
});
