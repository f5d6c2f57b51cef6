// Holding in Traffic: a request is looked at and released, its ID token edited, another answered, and stopping releases.

import { ask, DEMO, issueCode } from '../support/token-calls.ts';
import type { Ready } from '../support/cli-process.ts';
import { severeFindings } from '../support/findings.ts';
import { expect, test } from './serve.ts';

async function redeem(ready: Ready, code: string) {
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, ...DEMO });
  const answer = await fetch(ready.token_endpoint, { method: 'POST', body });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

test('a request is held, shown with what would happen, and goes on as decided', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const strip = page.getByRole('region', { name: 'Held exchanges' });
  const panel = page.getByRole('region', { name: 'Exchange', exact: true });
  await bench.open('Traffic');
  await button('Hold').click();
  await page.getByRole('menuitem', { name: 'Every request' }).click();
  await expect(button('Stop holding')).toBeVisible();

  const first = redeem(ready, 'unknown');
  await expect(strip).toContainText('1 exchange held');
  await expect(page.getByRole('link', { name: /^Traffic 1 held$/ })).toBeVisible();
  await strip.getByRole('button', { name: /^Open held exchange/ }).click();
  await expect(panel).toContainText(/If released now:\s*400/);
  await expect(panel).toContainText('This service did not issue this code');
  expect(await severeFindings(page)).toEqual([]);
  await panel
    .getByLabel('Fields of the request: code', { exact: true })
    .fill(await issueCode(ready));
  await expect(panel).toContainText(/If released now:\s*200/);
  await panel.getByRole('button', { name: 'Release edited' }).click();
  expect((await first).status).toBe(200);
  await expect(panel).toContainText('released with edits of code.');
  await expect(strip).toBeHidden();

  const second = redeem(ready, await issueCode(ready));
  await strip.getByRole('button', { name: /^Open held exchange/ }).click();
  await panel.getByRole('button', { name: 'Evaluate' }).click();
  await expect(panel).toContainText('The code was redeemed.');
  await panel.getByLabel('Members of the response: expires_in').fill('5');
  await panel.getByRole('button', { name: 'Release edited' }).click();
  expect((await second).body).toMatchObject({ expires_in: 5 });
  await expect(strip).toBeHidden();

  const third = redeem(ready, await issueCode(ready));
  await strip.getByRole('button', { name: /^Open held exchange/ }).click();
  await panel.getByRole('combobox', { name: 'Answer with a refusal' }).fill('code_expired');
  await page.getByRole('option', { name: /^code_expired/ }).click();
  await panel.getByRole('button', { name: 'Answer', exact: true }).click();
  expect(await third).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  await expect(strip).toBeHidden();

  const other = redeem(ready, await issueCode(ready));
  await strip.getByRole('button', { name: /^Open held exchange/ }).click();
  await expect(panel).toContainText('If released now:');
  await ask(ready, 'POST', '/holds/release');
  expect((await other).status).toBe(200);
  await expect(strip).toBeHidden();
  await expect(panel).toContainText(/then released\./);
  await expect(panel.getByRole('button', { name: 'Release' })).toBeHidden();

  // A body that no edit can be made in.
  const plain = fetch(ready.token_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'grant_type=x',
  });
  const dropped = expect(plain).rejects.toThrow('fetch failed');
  await strip.getByRole('button', { name: /^Open held exchange/ }).click();
  await panel.getByLabel('Fields of the request: grant_type', { exact: true }).fill('y');
  await expect(panel.getByText(/neither a form nor a JSON object/)).toBeVisible();
  await panel.getByRole('button', { name: 'Drop' }).click();
  await dropped;
  await expect(strip).toBeHidden();

  const last = redeem(ready, await issueCode(ready));
  await expect(strip).toBeVisible();
  await button('Stop holding').click();
  expect((await last).status).toBe(200);
  await expect(strip).toBeHidden();
  await expect(button('Hold')).toBeVisible();
  expect(errors).toEqual([]);
});
