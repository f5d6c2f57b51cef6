// DPoP in the Flow view (RFC 9449): tokens are bound to a key of the page, the proof is explained beside its request,
// mistakes in it are made deliberately, and the recorded scenario passes.

import { readFile } from 'node:fs/promises';
import { startCli } from '../support/cli-process.ts';
import { severeFindings } from '../support/findings.ts';
import { ask } from '../support/token-calls.ts';
import { exchangeDetail, hammer } from '../support/workbench.ts';
import { expect, openBench, test } from './serve.ts';

test('tokens are bound, proofs are explained, their mistakes get the expected response, and the recorded scenario passes', async ({
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
  const jkt = await proof.locator('code').first().textContent();
  await bench.run('Read the token');
  const token = await bench.detail('Token');
  await expect(token).toContainText(jkt ?? 'no thumbprint');
  await expect(token).toContainText('accepted only with a DPoP proof of that key');

  const broken = [
    ['Exchange the code', 'Proof for another URI', 'The proof was created for another URI.'],
    ['Exchange the code', 'Proof of another key', 'signed with a different key'],
    ['Refresh', 'Stale proof', 'The proof is too old.'],
    ['Call an API with it', 'Replayed proof', 'The proof was already used.'],
    ['Call an API with it', 'Proof for another token', 'created for another access token'],
    ['Call an API with it', 'Bound token as Bearer', 'sent as a bearer token'],
  ] as const;
  for (const [card, mistake, cause] of broken) {
    await page.getByRole('button', { name: `Break it: ${card}` }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${mistake}`) }).click();
    await expect(step(card)).toContainText(`${mistake}:`);
    await expect(step(card)).toContainText('matched');
    const why = exchangeDetail(page).getByRole('region', { name: 'Cause' });
    await expect(why).toContainText(cause);
  }

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /Scenario \(JSON\)/ }).click();
  const path = test.info().outputPath('dpop.scenario.json');
  await (await coming).saveAs(path);
  expect(await readFile(path, 'utf8')).toContain('"dpop": true');
  const { code, stdout } = await startCli(['run', path]).ended;
  expect(code, stdout).toBe(0);
  expect(await severeFindings(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('DPoP is on for a client that requires it, and the hammer sends a new proof each time', async ({
  page,
  ready,
}) => {
  await ask(ready, 'PATCH', '/clients/demo-app', {
    profile: 'interop',
    dpop_bound_access_tokens: true,
  });
  await ask(ready, 'PATCH', '/settings', { throttle: { limit: 4 } });
  const bench = await openBench(page, ready);
  await page.getByRole('button', { name: 'Client', exact: true }).click();
  await page.getByRole('button', { name: 'Edit: Client' }).click();
  await expect(page.getByLabel('Bind tokens with DPoP')).toBeChecked();
  await expect(page.getByLabel('Bind tokens with DPoP')).toBeDisabled();
  await bench.runAll();
  await hammer(bench);
});
