// All requests of an app since it connected, as a sequence, as a report, and as a scenario.

import type { Download, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { signedIn, tokens } from '../support/app-login.ts';
import type { Scenario } from '../../src/scenario/schema.ts';
import type { Ready } from '../support/cli-process.ts';
import { allFindings, severeFindings } from '../support/findings.ts';
import { ask, DEMO } from '../support/token-calls.ts';
import { exchangeDetail, exchangeRow, lookFor } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

/** Sends a failed redemption, a login, two refreshes with rotation, and userinfo. Returns the secrets among them. */
async function login(ready: Ready): Promise<readonly string[]> {
  await ask(ready, 'PATCH', '/settings', {
    profile: 'interop',
    refresh_rotation: { enabled: true },
  });
  await fetch(`${ready.issuer}/.well-known/openid-configuration`);
  const failing = await signedIn(ready);
  await tokens(ready, { ...failing, redirect_uri: `${DEMO.redirect_uri}/` });
  const first = await tokens(ready, await signedIn(ready));
  const refresh = (from: Readonly<Record<string, string>>) =>
    tokens(ready, { grant_type: 'refresh_token', refresh_token: from['refresh_token'] ?? '' });
  const second = await refresh(first);
  await refresh(second);
  await fetch(`${ready.issuer}/userinfo`, {
    headers: { authorization: `Bearer ${second['access_token'] ?? ''}` },
  });
  const { code = '', code_verifier = '' } = failing;
  return [code, code_verifier, ...Object.values({ ...first, ...second }).map(String)].filter(
    (value) => value.length > 20,
  );
}
const SENT = 10;

async function saved(page: Page, way: string): Promise<Download> {
  const sequence = page.getByRole('region', { name: 'Sequence' });
  const coming = page.waitForEvent('download');
  await sequence.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: way }).click();
  return coming;
}

test('the app’s requests since it connected form a sequence that grows, is offered only when there are any, and is saved only if it can be repeated', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  const since = 'since it connected';
  await lookFor(page, since);
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toContainText('No matching');
  await page.keyboard.press('Escape');
  await fetch(`${ready.issuer}/.well-known/openid-configuration`);
  await expect(page.getByRole('region', { name: 'First request' })).toBeVisible();
  await lookFor(page, since);
  await page.getByRole('option', { name: /^Show what the app sent since it connected/ }).click();
  const sequence = page.getByRole('region', { name: 'Sequence' });
  const messages = sequence.getByRole('option');
  await expect(messages).toHaveCount(1);
  await sequence.getByRole('button', { name: 'Back to the list' }).click();
  await expect(page.getByText('1 exchange', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Scenario (JSON)' }).click();
  await expect(page.getByText('The scenario was not created.')).toBeVisible();
  await expect(page.getByText(/None of these exchanges can be a step/)).toBeVisible();

  await ask(ready, 'POST', '/requests', { method: 'GET', path: '/' });
  await login(ready);
  await bench.open('Flow');
  const app = page.getByRole('region', { name: 'Your app', exact: true });
  await app.getByRole('button', { name: 'Show as sequence' }).click();
  await expect(sequence.getByRole('heading', { name: 'Since the app connected' })).toBeVisible();
  await expect(messages).toHaveCount(1 + SENT);
  await expect(
    sequence.getByText(/^11 exchanges since \d\d:\d\d:\d\d; new ones follow$/),
  ).toBeVisible();
  await expect(messages.nth(4)).toHaveAccessibleName(/400 invalid_grant\. redirect_uri differs/);
  expect(await severeFindings(page, sequence)).toEqual([]);
  await fetch(`${ready.issuer}/.well-known/jwks.json`);
  await fetch(`${ready.issuer}/livez`);
  await ask(ready, 'POST', '/requests', { method: 'GET', path: '/' });
  await expect(messages).toHaveCount(1 + SENT + 1);
  await sequence.getByRole('button', { name: 'Back to the list' }).click();
  await page.getByRole('button', { name: 'Since the app connected' }).click();
  await expect(messages).toHaveCount(1 + SENT + 1);
  expect(errors).toEqual([]);
});

test('the report opens from disk, and the scenario lists what it contains and omits; neither contains a secret', async ({
  bench,
  browser,
  ready,
  errors,
}) => {
  const { page } = bench;
  const issued = await login(ready);
  expect(issued.length).toBeGreaterThan(3);
  await bench.open('Traffic');
  await page.getByRole('button', { name: 'Since the app connected' }).click();
  const sequence = page.getByRole('region', { name: 'Sequence' });
  await expect(sequence.getByRole('option')).toHaveCount(SENT);
  const file = await saved(page, 'Report (HTML)');
  expect(file.suggestedFilename()).toMatch(/^grantbench-traffic-\d{8}-\d{6}\.html$/);
  const path = test.info().outputPath('report.html');
  await file.saveAs(path);
  const text = await readFile(path, 'utf8');
  expect(text).not.toContain(DEMO.client_secret);
  const uncoloured = text.replaceAll(/<\/?span[^>]*>/g, '');
  expect(uncoloured).not.toMatch(/eyJ[\w-]{20,}/);
  expect(issued.filter((value) => text.includes(value))).toEqual([]);
  const context = await browser.newContext();
  const report = await context.newPage();
  await report.goto(pathToFileURL(path).href);
  await expect(report.getByRole('heading', { level: 1 })).toHaveText('Traffic report: demo-app');
  const facts = report.getByRole('banner');
  await expect(facts).toContainText('Result10 exchanges · 1 rejected');
  await expect(facts).toContainText(`Issuer${ready.issuer}`);
  await expect(facts).toContainText('Sent byApp 10');
  await expect(facts).toContainText('Profileinterop');
  const rejected = report.getByRole('article').filter({ hasText: '400 invalid_grant' });
  await expect(rejected).toContainText('redirect_uri differs at character');
  await expect(rejected.getByRole('listitem').filter({ hasText: 'failed' })).toBeVisible();
  expect(await allFindings(report)).toEqual([]);
  await context.close();

  const recording = await saved(page, 'Scenario (JSON)');
  expect(recording.suggestedFilename()).toBe('traffic-of-demo-app.scenario.json');
  const holds =
    '7 requests, 1 expected rejection; without secrets; omitted: 1 request for metadata or keys';
  await expect(page.getByText(`Saving ${recording.suggestedFilename()}: ${holds}`)).toBeVisible();
  const recorded = await readFile(await recording.path(), 'utf8');
  expect(recorded).toContain(`"description": "Recorded from 10 exchanges: ${holds}."`);
  expect(recorded).not.toContain(DEMO.client_secret);
  expect(recorded).not.toMatch(/eyJ[\w-]{20,}|[\w-]{43,}/);
  const { steps } = JSON.parse(recorded) as Scenario;
  expect(steps.flatMap(({ expect: expected }) => expected?.status ?? [])).toEqual([
    303, 400, 303, 200, 200, 200, 200,
  ]);
  expect(errors).toEqual([]);
});

test('exchanges are grouped by login in one sentence each, live, and unfold to their rows', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await login(ready);
  await bench.open('Traffic');
  const list = page.getByRole('treegrid', { name: 'Exchanges' });
  const logins = list.getByRole('row', { level: 1 });
  const good = logins.filter({ hasText: 'ada signed in, refreshed twice, called userinfo once' });
  await expect(good).toContainText('6 exchanges');
  await expect(page.getByText('End of list.')).toBeVisible();
  await expect(logins.filter({ hasText: /ada approved, rejected at #\d+/ })).toContainText(
    'redirect_uri differs',
  );
  await expect(list.getByRole('row').filter({ hasText: 'openid-configuration' })).toBeVisible();
  expect(await severeFindings(page, list)).toEqual([]);

  const rows = list.getByRole('row', { level: 2 });
  await expect(rows).toHaveCount(0);
  await good.click();
  await expect(good).toHaveAttribute('aria-expanded', 'true');
  await expect(rows).toHaveCount(6);
  const next = await tokens(ready, await signedIn(ready));
  await expect(logins.filter({ hasText: 'ada signed in' })).toHaveCount(2);
  await tokens(ready, { grant_type: 'refresh_token', refresh_token: next['refresh_token'] ?? '' });
  await expect(logins.filter({ hasText: 'ada signed in, refreshed once' })).toBeVisible();
  await expect(rows).toHaveCount(6);

  // A login is whole, even if the filter lists only one of its exchanges.
  const filter = page.getByRole('textbox', { name: 'Filter by text' });
  await filter.fill('userinfo');
  await expect(logins.filter({ hasText: 'ada signed in' })).toHaveCount(1);
  await expect(rows).toHaveCount(6);
  await rows.last().click();
  await expect(exchangeDetail(page)).toContainText('userinfo');
  await good.getByRole('button', { name: /^Show as sequence/ }).click();
  await expect(page.getByRole('region', { name: 'Sequence' }).getByRole('option')).toHaveCount(6);
  expect(errors).toEqual([]);
});

test('a login unfolds by keyboard, and when one of its exchanges is opened from elsewhere', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await login(ready);
  await bench.open('Traffic');
  const list = page.getByRole('treegrid', { name: 'Exchanges' });
  const newest = list.getByRole('row', { level: 1 }).first();
  const rows = list.getByRole('row', { level: 2 });
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(newest).toHaveAttribute('aria-expanded', 'true');
  await expect(rows).toHaveCount(6);
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect(rows.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(rows).toHaveCount(0);
  // A range over a folded login has all of its exchanges.
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('9 exchanges selected')).toBeVisible();
  await expect(newest).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Compare logins…' })).toBeVisible();
  await page.keyboard.press('Escape');

  const { items } = await ask<{ items: { number: number; error: string | null }[] }>(
    ready,
    'GET',
    '/exchanges',
  );
  const refused = items.find(({ error }) => error !== null)?.number ?? 0;
  await page.getByRole('textbox', { name: 'Go to exchange number' }).fill(String(refused));
  await page.keyboard.press('Enter');
  await expect(exchangeRow(page, refused)).toHaveAttribute('aria-selected', 'true');
  await expect(rows).toHaveCount(3);
});

test('a login is compared with one that went well, and the redirect URI that changed is named', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await ask(ready, 'PATCH', '/settings', { profile: 'interop' });
  await tokens(ready, await signedIn(ready));
  await tokens(ready, { ...(await signedIn(ready)), redirect_uri: `${DEMO.redirect_uri}/` });
  await tokens(ready, await signedIn(ready));
  await bench.open('Traffic');
  const bad = page.getByRole('row', { name: /ada approved, rejected at #/ });
  await bad.click();
  await expect(exchangeDetail(page)).toContainText('redirect_uri differs');
  await bad.getByRole('button', { name: /^Compare login #/ }).press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Compare login #/ });
  // The newest that went well.
  await expect(dialog.getByRole('combobox', { name: 'With' })).toHaveValue(/ada signed in$/);
  const steps = dialog.getByRole('navigation', { name: 'Requests of both logins' });
  await expect(steps.getByRole('button')).toHaveCount(3);
  await expect(steps.getByRole('button', { name: '1. GET /authorize same' })).toBeVisible();
  await expect(
    steps.getByRole('button', { name: /3\. POST \/oauth\/token authorization_code/ }),
  ).toHaveAttribute('aria-current', 'true');
  const row = (name: string) =>
    dialog.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
  await expect(row('request.redirect_uri')).toContainText('differs');
  await expect(row('request.redirect_uri').getByRole('cell')).toHaveText([
    DEMO.redirect_uri,
    `${DEMO.redirect_uri}/`,
  ]);
  await expect(row('request.code')).toContainText('the value of step 2');
  expect(await severeFindings(page)).toEqual([]);

  await dialog.getByRole('switch', { name: 'Only differences' }).press('Space');
  await expect(row('request.code')).toHaveCount(0);
  await dialog.getByRole('combobox', { name: 'With' }).click();
  await page
    .getByRole('option', { name: /ada signed in$/ })
    .last()
    .click();
  await expect(row('request.redirect_uri')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(errors).toEqual([]);
});
