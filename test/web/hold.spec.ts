// Holding in Traffic: a request is looked at and released, a response edited, another request answered, and what ends a
// hold otherwise.

import type { Locator, Page } from '@playwright/test';
import { decodeJwt } from 'jose';
import { ask, DEMO, issueCode } from '../support/token-calls.ts';
import type { Ready } from '../support/cli-process.ts';
import { severeFindings } from '../support/findings.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

async function redeem(ready: Ready, code: string) {
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, ...DEMO });
  const answer = await fetch(ready.token_endpoint, { method: 'POST', body });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

/** Opens Traffic, and holds what the item of the menu names. */
async function hold({ page, open }: Workbench, what: string): Promise<void> {
  await open('Traffic');
  await page.getByRole('button', { name: 'Hold', exact: true }).click();
  await page.getByRole('menuitem', { name: what, exact: true }).click();
  await expect(page.getByRole('button', { name: 'Stop holding', exact: true })).toBeVisible();
}

const heldStrip = (page: Page) => page.getByRole('region', { name: 'Held exchanges' });

test('a request is held, shown with what would happen, and goes on as decided', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const strip = heldStrip(page);
  const panel = page.getByRole('region', { name: 'Exchange', exact: true });
  await hold(bench, 'Every request');

  const first = redeem(ready, 'unknown');
  await expect(strip).toContainText('1 exchange held');
  await expect(page.getByRole('link', { name: /^Traffic 1 held$/ })).toBeVisible();
  await strip.getByRole('button', { name: /^Open held exchange/ }).click();
  await expect(panel).toContainText(/If released now:\s*400/);
  await expect(panel).toContainText('This service did not issue this code');
  expect(await severeFindings(page, 'all')).toEqual([]);
  await panel
    .getByLabel('Fields of the request: code', { exact: true })
    .fill(await issueCode(ready));
  await expect(panel).toContainText(/If released now:\s*200/);
  await panel.getByRole('button', { name: 'Release edited' }).click();
  expect((await first).status).toBe(200);
  await expect(panel).toContainText('released with edits of code.');
  await expect(strip).toBeHidden();

  const body = new URLSearchParams({ grant_type: 'client_credentials', ...DEMO });
  const lacking = fetch(ready.token_endpoint, { method: 'POST', body });
  await strip.getByRole('button', { name: /^Open held exchange/ }).click();
  await expect(panel.getByText('Allow client_credentials for this client')).toBeVisible();
  await panel.getByRole('button', { name: 'Release', exact: true }).click();
  expect((await lacking).status).toBe(400);
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
  await expect(panel).toContainText(/If released now:\s*200/);
  await ask(ready, 'PATCH', '/clients/demo-app', { client_secret: 'another' });
  await expect(panel).toContainText(/If released now:\s*401/);
  await ask(ready, 'PATCH', '/clients/demo-app', { client_secret: DEMO.client_secret });
  await expect(panel).toContainText(/If released now:\s*200/);
  await page.getByRole('button', { name: 'Clear from view' }).click();
  await ask(ready, 'POST', '/holds/release');
  expect((await other).status).toBe(200);
  await expect(strip).toBeHidden();
  const box = panel.getByRole('region', { name: 'Hold', exact: true });
  await expect(box).toContainText(/Hold.*then released\./);
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

  const leaving = new AbortController();
  const left = expect(fetch(ready.token_endpoint, { signal: leaving.signal })).rejects.toThrow();
  await expect(strip).toBeVisible();
  leaving.abort();
  await left;
  await expect(strip).toContainText('the client hung up');
  await strip.getByRole('button', { name: /^Release held exchange/ }).click();
  await expect(strip).toBeHidden();

  const last = redeem(ready, await issueCode(ready));
  await expect(strip).toBeVisible();
  await button('Stop holding').click();
  expect((await last).status).toBe(200);
  await expect(strip).toBeHidden();
  await expect(button('Hold')).toBeVisible();
  expect(errors).toEqual([]);
});

/** Moves the focus with the Tab key alone. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  const isFocused = () => wanted.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 100 && !(await isFocused()); presses += 1) {
    await page.keyboard.press('Tab');
  }
  await expect(wanted).toBeFocused();
}

test('the claims and headers of a held response are edited by keyboard', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await hold(bench, 'Every response');
  const { client_id, redirect_uri } = DEMO;
  const order = { client_id, redirect_uri, scope: 'openid', nonce: 'expected' };
  const { code } = await ask<{ code: string }>(ready, 'POST', '/codes', order);
  const login = redeem(ready, code);
  const { keyboard } = page;
  await tabTo(page, heldStrip(page).getByRole('button', { name: /^Open held exchange/ }));
  await keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'Exchange', exact: true });
  const consequence = panel.getByRole('alert');
  await expect(consequence).toContainText(/^The code was redeemed\. Issued: an access token/);
  expect(await consequence.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
  await tabTo(page, panel.getByLabel('Claims of the ID token: nonce'));
  await keyboard.type('other');
  const headers = panel.getByRole('group', { name: 'Headers to replace or add' });
  await tabTo(page, headers.getByRole('button', { name: 'Add' }));
  await keyboard.press('Enter');
  await tabTo(page, headers.getByLabel(/name 1$/));
  await keyboard.type('Retry-After');
  await tabTo(page, headers.getByLabel(/: Retry-After$/));
  await keyboard.type('7');
  await tabTo(page, panel.getByRole('button', { name: 'Release edited' }));
  await keyboard.press('Enter');
  expect(decodeJwt((await login).body['id_token'] ?? '')).toMatchObject({ nonce: 'other' });
  await expect(panel).toContainText('released with edits of Retry-After and nonce');
});

test('of two redemptions that are held and released together, one is rejected', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await hold(bench, 'Every request');
  const code = await issueCode(ready);
  const answers = [redeem(ready, code), redeem(ready, code)];
  const strip = heldStrip(page);
  await expect(strip).toContainText('2 exchanges held');
  await expect(page.getByText('Held exchanges are listed here once')).toBeVisible();
  await bench.open('Flow');
  await expect(page.getByText('A request is held: release it in Traffic.')).toBeVisible();
  await bench.open('Traffic');
  await strip
    .getByRole('button', { name: /^Open held exchange/ })
    .last()
    .click();
  await strip.getByRole('button', { name: 'Release all' }).click();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 400]);
  const list = page.getByRole('treegrid');
  await expect(list.getByRole('row', { level: 1 })).toContainText(/rejected at #\d+/);
  // The login of the open exchange is unfolded once the exchange belongs to it.
  await expect(list.getByRole('row', { level: 2 })).toHaveCount(2);
  await expect(list.getByRole('row', { level: 2, selected: true })).toHaveCount(1);
  const rejected = list.getByRole('row', { level: 2 }).filter({ hasText: 'invalid_grant' });
  await expect(rejected).toContainText(/Held before its evaluation for .* then released\./);
  await expect(rejected).toContainText('used at');
  await expect(rejected).not.toContainText('fault');
});
