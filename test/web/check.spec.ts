// Check your app: cases started and answered by a person, while the app signs in with the sandbox.

import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { signIn as authorize } from '../support/logins/sign-in.mjs';
import { severeFindings } from '../support/findings.ts';
import { ask, exchange, issueCode } from '../support/token-calls.ts';
import type { Ready } from '../support/cli-process.ts';
import { expect, test } from './serve.ts';

const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const panel = (page: Page) => page.getByRole('region', { name: 'Case', exact: true });
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
const openCase = (page: Page, name: string) =>
  page.getByRole('link', { name, exact: true }).click();

/** Starts a case, and waits until it is active. */
async function start(page: Page, name = 'Start this case'): Promise<Locator> {
  await button(page, name).click();
  const active = page.getByRole('group', { name: 'Active case' });
  await expect(active).toBeVisible();
  return active;
}

/** An app that redeems a code, and uses the tokens if it gets any. */
async function signIn(ready: Ready): Promise<void> {
  const response = await exchange(ready, await issueCode(ready));
  const { access_token } = (await response.json()) as { access_token?: string };
  if (access_token === undefined) return;
  const headers = { authorization: `Bearer ${access_token}` };
  await fetch(`${ready.issuer}/userinfo`, { headers });
}

test('a case that the app refuses lists the requests since it started, and is confirmed by a good login', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  // With a frozen clock, an earlier request has the same time.
  await ask(ready, 'PATCH', '/clock', { frozen: true });
  await signIn(ready);
  await bench.open('Check your app');
  await expect(panel(page)).toContainText('Is your login safe?');
  await openCase(page, 'Token endpoint fails');
  await expect(panel(page)).toContainText('A correct app');
  const active = await start(page);
  await expect(active).toContainText('No request has triggered the misbehaviour yet.');
  const pill = page.getByRole('banner').getByRole('link', { name: /^Client check active/ });
  await expect(pill).toHaveAccessibleName('Client check active: Token endpoint fails');
  await signIn(ready);
  await expect(active).toContainText('The misbehaviour was sent.');
  await expect(active.getByRole('listitem')).toHaveCount(1);
  await expect(active.getByRole('listitem')).toContainText('500');
  expect(await severeFindings(page)).toEqual([]);
  await expect(active.getByText('Were you signed in?')).toBeVisible();
  await button(page, 'No').click();
  await expect(pill).toBeHidden();
  await expect(row(page, 'Token endpoint fails')).toContainText('unclear');
  await expect(panel(page)).toContainText('A good login decides it.');

  await expect(page.getByRole('alert').filter({ hasText: '1 result to confirm' })).toBeVisible();
  await start(page, 'Start a good login');
  await button(page, 'Yes').click();
  await expect(panel(page)).toContainText('Your app sent no request, so this login shows nothing.');
  await expect(row(page, 'Token endpoint fails')).toContainText('unclear');

  await start(page, 'Start again');
  await signIn(ready);
  await expect(active).toContainText('So far your app began or continued an authorization');
  await expect(active).not.toContainText('misbehaviour');
  await button(page, 'Yes').click();
  await expect(panel(page)).toContainText('The login succeeded.');
  await expect(row(page, 'Token endpoint fails')).toContainText('refused');
  await expect(page.getByText('1 as expected', { exact: false })).toBeVisible();
});

test('an app that goes on is seen at fault without a question, the report says what to do, and results are deleted', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await ask(ready, 'POST', '/client-checks', { case: 'token-500' });
  await ask(ready, 'POST', '/client-checks/end', { login: 'succeeded' });
  await bench.open('Check your app');
  await expect(row(page, 'Token endpoint fails')).toContainText('not reached');
  await openCase(page, 'Unknown token_type');
  const active = await start(page);
  await signIn(ready);
  await expect(active).toContainText('Since then your app used the tokens.');
  await expect(active).toContainText('Your app went on although it should have stopped.');
  await expect(active.getByText('Were you signed in?')).toBeHidden();
  await button(page, 'Record the result').click();
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText(
    'fault: accepted',
  );
  expect(await severeFindings(page, panel(page))).toEqual([]);
  const filter = page.getByRole('radiogroup', { name: 'Which cases' });
  await filter.getByText('Faults').click();
  await expect(page.getByRole('row')).toHaveCount(2);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Report').click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^grantbench-check-\d{8}-\d{6}\.html$/);
  const report = await readFile(await download.path(), 'utf8');
  const { items } = await ask<{ items: { id: string; advice: string; section: string }[] }>(
    ready,
    'GET',
    '/client-checks/cases',
  );
  const one = items.find(({ id }) => id === 'token-type-unknown');
  expect(report).toContain(one?.advice);
  expect(report).toContain(one?.section);
  expect(report).not.toContain('<script');
  expect(report.match(/<tr>/g)).toHaveLength(items.length + 1);

  await filter.getByText('All').click();
  await expect(row(page, 'Token endpoint fails')).toContainText('not reached');
  await button(page, 'More for the results').click();
  await page.getByRole('menuitem', { name: 'Delete all results' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete results' }).click();
  await expect(row(page, 'Token endpoint fails')).not.toContainText('not reached');
  expect(await ask(ready, 'GET', '/client-checks/results')).toMatchObject({ items: [] });
});

test('the focus moves to the case when it starts, and to its result when it ends', async ({
  bench,
}) => {
  const { page } = bench;
  await bench.open('Check your app');
  await openCase(page, 'Token endpoint fails');
  await button(page, 'Start this case').press('Enter');
  const focused = panel(page).locator(':focus');
  await expect(focused).toContainText('Now sign in with your app.');
  await page.keyboard.press('Tab');
  await expect(button(page, 'Yes')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(focused).toContainText('not reached');
  await page.keyboard.press('Tab');
  await expect(button(page, 'Start the next case')).toBeFocused();
});

test('where traffic cannot decide, the page asks what the app shows', async ({ bench, ready }) => {
  const { page } = bench;
  await bench.open('Check your app');
  await openCase(page, 'Error from another issuer');
  const active = await start(page);
  const url = new URL(`${ready.issuer}/authorize`);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: 'demo-app',
    scope: 'openid',
    state: 'a-state',
    redirect_uri: 'http://localhost:3000/callback',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }).toString();
  await authorize(url);
  await expect(active).toContainText('The misbehaviour was sent.');
  await expect(active.getByText('Does your app show “scripted by a client check”?')).toBeVisible();
  await button(page, 'No').click();
  await expect(row(page, 'Error from another issuer')).toContainText('unclear');
  await expect(panel(page)).toContainText('A good login decides it.');
  await start(page, 'Start again');
  await authorize(url);
  await expect(active).toContainText('The misbehaviour was sent.');
  await button(page, 'Yes').click();
  await expect(row(page, 'Error from another issuer')).toContainText('fault: accepted');
});

test('behaviour 18.1: only one case is active; it is stopped without a result, confirmed first where other clients meet it, and outlives a reload', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await ask(ready, 'POST', '/clients', {
    client_id: 'other-app',
    redirect_uris: ['http://localhost:3001/callback'],
  });
  await signIn(ready);
  await bench.open('Check your app');
  await page.getByRole('combobox', { name: 'Client to check' }).click();
  await page.getByRole('option', { name: 'other-app' }).click();
  await openCase(page, 'Token endpoint fails');
  await button(page, 'Start this case').click();
  await expect(page.getByRole('group', { name: 'Active case' })).toContainText('other-app');
  await openCase(page, 'Unknown token_type');
  await expect(button(page, 'Start this case')).toHaveAttribute(
    'title',
    '“Token endpoint fails” is active. End it first.',
  );
  await button(page, 'Show the active case').click();
  await button(page, 'Stop without a result').click();
  await expect(button(page, 'Start this case')).toBeVisible();
  expect(await ask(ready, 'GET', '/client-checks')).toEqual({ active: null });
  expect(await ask(ready, 'GET', '/client-checks/results')).toMatchObject({ items: [] });

  await openCase(page, 'Metadata of another issuer');
  await button(page, 'Start this case').click();
  const dialog = page.getByRole('dialog', { name: 'Other clients use this sandbox' });
  await expect(dialog).toContainText('demo-app');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await ask(ready, 'GET', '/client-checks')).toEqual({ active: null });
  await button(page, 'Start this case').click();
  await dialog.getByRole('button', { name: 'Start anyway' }).click();
  await expect(page.getByRole('group', { name: 'Active case' })).toContainText(
    'The misbehaviour applies to other-app and to requests that name no client.',
  );

  const pill = page.getByRole('banner').getByRole('link', { name: /^Client check active/ });
  await expect(pill).toBeVisible();
  await page.reload();
  await expect(pill).toBeVisible();
  expect(await ask(ready, 'GET', '/client-checks')).not.toEqual({ active: null });
});

test('an active case says what keeps the app from signing in, and nothing live without a connection; the chosen client stays shown', async ({
  bench,
  ready,
  server,
}) => {
  const { page } = bench;
  const other = { client_id: 'other-app', redirect_uris: ['http://localhost:3001/callback'] };
  await ask(ready, 'POST', '/clients', other);
  await bench.open('Check your app');
  const choice = page.getByRole('combobox', { name: 'Client to check' });
  await choice.click();
  await page.getByRole('option', { name: 'other-app' }).click();
  await openCase(page, 'Token endpoint fails');
  const active = await start(page);
  await ask(ready, 'DELETE', '/clients/other-app');
  await ask(ready, 'POST', '/server/stop');
  await expect(active).toContainText('The server is not running, so your app gets no response.');
  await expect(active).toContainText('The case ends by itself');
  await expect(choice).toHaveValue('other-app');

  await server.stop();
  await expect(active).toContainText('after reconnecting');
  await expect(active).not.toContainText('The case ends by itself');
  await expect(page.getByText('active', { exact: true })).toHaveCount(0);
});
