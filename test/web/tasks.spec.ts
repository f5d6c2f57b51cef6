// What people come for, from the freshly opened first view: each test presses only what a person has to press. keys.spec.ts
// rotates the keys in 4 clicks, faults.spec.ts answers with 429 twice in 2, flow-person.spec.ts signs in as a public client
// with PKCE in 2, and flow-report.spec.ts replays a saved flow in 2.

import { readFile } from 'node:fs/promises';
import { signedIn, tokens } from '../support/app-login.ts';
import { ask, exchange, issueCode, refresh } from '../support/token-calls.ts';
import { exchangeDetail } from '../support/workbench.ts';
import { addressOf, expect, test } from './serve.ts';

test('an access token is expired, and its refresh token exchanged for a new one, in 4 clicks', async ({
  page,
  ready,
}) => {
  await exchange(ready, await issueCode(ready));
  await page.goto(addressOf(ready));
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('row').filter({ hasText: 'Access token' }).first().click();
  await page.getByRole('button', { name: 'Expire and refresh…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Expire and refresh' }).click();
  await expect(page.getByText(/^Expired .* and got a new access token/)).toBeVisible();
  const path = '/tokens?kind=access_token';
  const { items } = await ask<{ items: { state: string }[] }>(ready, 'GET', path);
  expect(items.map(({ state }) => state).toSorted()).toEqual(['active', 'expired']);
});

test('the newest redundant token request and the newest rejection open in 1 click with their advice, and what the app has sent becomes a report', async ({
  page,
  ready,
}) => {
  const redeem = await signedIn(ready);
  const { refresh_token = '' } = await tokens(ready, redeem);
  await refresh(ready, refresh_token);
  await tokens(ready, redeem);
  await fetch(`${ready.issuer}/.well-known/openid-configuration`);
  await page.goto(addressOf(ready));
  const coming = page.waitForEvent('download');
  const app = page.getByRole('region', { name: 'Your app', exact: true });
  await app.getByRole('button', { name: 'Report' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toMatch(/^grantbench-traffic-.*\.html$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('6 exchanges · 1 rejected');
  expect(text).not.toContain(redeem['code']);

  for (const [title, number, words] of [
    ['Newest redundant request', 4, 'was valid for another'],
    ['Newest rejection', 5, 'The code was already used'],
  ] as const) {
    const newest = page.getByRole('region', { name: title });
    await newest.getByRole('link', { name: `exchange #${number}` }).click();
    await expect(exchangeDetail(page)).toContainText(words);
    await page.getByRole('link', { name: 'Flow' }).click();
  }
});
