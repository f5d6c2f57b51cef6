// A flow for QA: saved by name, replayed, and exported as a self-contained file.

import type { Browser, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { startCli } from '../support/cli-process.ts';
import { ask } from '../support/token-calls.ts';
import { allFindings } from '../support/findings.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

const openSaved = (page: Page) => page.getByRole('button', { name: 'Saved', exact: true }).click();

async function save(page: Page, name: string): Promise<void> {
  await openSaved(page);
  const field = page.getByLabel('Save this flow as');
  await field.fill(name);
  await field.press('Enter');
  await expect(page.getByText(`“${name}” is saved, without secrets`)).toBeVisible();
}

test('a flow saved by name survives a reload and its deletion, is replayed and compared, and names a missing client', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await bench.runAll();
  await bench.breakIt('Call an API with it', 'Revoked token');
  await openSaved(page);
  await page.getByLabel('Save this flow as').press('Enter');
  await expect(page.getByText('Enter a name.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Save this flow as')).toHaveCount(0);
  await save(page, 'Checkout');
  const stored = await page.evaluate(() => localStorage.getItem('grantbench.scenarios') ?? '');
  expect(stored).toContain('"client":"demo-app"');
  expect(stored).not.toMatch(/demo-secret|eyJ[\w-]{20,}|[\w-]{43,}/);
  await page.reload();
  await bench.ready();
  await openSaved(page);
  await page.getByRole('button', { name: 'Replay: Checkout' }).click();
  await expect(page.getByText(/“Checkout” replayed: \d steps, all as expected\./)).toBeVisible();
  await expect(page.getByRole('option', { name: /401 invalid_token/ })).toBeVisible();
  await expect(bench.step('Refresh')).toContainText('200');
  await ask(ready, 'PATCH', '/settings', { authorize: 'deny' });
  await openSaved(page);
  await page.getByRole('button', { name: 'Replay: Checkout' }).click();
  await expect(
    page.getByText(/it stopped at step 1 of \d, .* later steps were not run/),
  ).toBeVisible();
  await expect(page.getByText('status: expected 303, actual 302')).toBeVisible();

  await openSaved(page);
  await page.getByRole('button', { name: 'Delete: Checkout' }).click();
  await expect(page.getByText('Nothing is saved.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Nothing is saved.')).toHaveCount(0);
  await ask(ready, 'DELETE', '/clients/demo-app');
  await expect(page.getByRole('link', { name: 'Clients' })).toHaveText('Clients');
  await openSaved(page);
  await page.getByRole('button', { name: 'Replay: Checkout' }).click();
  const dialog = page.getByRole('dialog', { name: '“Checkout” cannot be run here' });
  await expect(dialog).toContainText(/steps\[0\]\.authorize.*/);
  expect(errors).toEqual([]);
});

async function exported(bench: Workbench): Promise<{ url: string; text: string }> {
  const file = await bench.download('Report (HTML)');
  expect(file.suggestedFilename()).toMatch(/^grantbench-flow-\d{8}-\d{6}\.html$/);
  const path = test.info().outputPath('report.html');
  await file.saveAs(path);
  return { url: pathToFileURL(path).href, text: await readFile(path, 'utf8') };
}

/** Opens the file as its recipient would: without network and scripts. */
async function openReport(browser: Browser, url: string) {
  const context = await browser.newContext({
    offline: true,
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(url);
  return { page, asked, close: () => context.close() };
}

/** Expects the report to be accessible, and to follow the reader’s theme. */
async function expectReadable(browser: Browser, url: string): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  for (const [colorScheme, colour] of [
    ['dark', 'rgb(14, 16, 20)'],
    ['light', 'rgb(246, 247, 249)'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('body')).toHaveCSS('background-color', colour);
  }
  expect(await allFindings(page)).toEqual([]);
  await context.close();
}

test('a walk is exported as a report that opens from disk, without secrets, and as a scenario that grantbench run repeats', async ({
  bench,
  browser,
}) => {
  await bench.runAll();
  await bench.breakIt('Call an API with it', 'Revoked token');
  await expectReadable(browser, (await exported(bench)).url);
  await bench.breakIt('Refresh', 'Wrong secret');
  const { url, text } = await exported(bench);
  await save(bench.page, 'Checkout, happy path');
  const file = await bench.download('Scenario (JSON)');
  expect(file.suggestedFilename()).toBe('checkout-happy-path.scenario.json');
  const scenario = test.info().outputPath('checkout.scenario.json');
  await file.saveAs(scenario);
  const steps = await readFile(scenario, 'utf8');
  expect(steps).not.toMatch(/eyJ[\w-]{20,}/);
  expect(steps).toContain('"name": "Checkout, happy path"');
  const { code, stdout } = await startCli(['run', scenario]).ended;
  expect(code, stdout).toBe(0);

  expect(text).not.toContain('demo-secret');
  expect(text).not.toMatch(/eyJ[\w-]{20,}/);
  // Contains no text as long as a code or a refresh token, except members of public keys.
  const uncoloured = text.replaceAll(/<\/?span[^>]*>/g, '');
  const withoutKeys = uncoloured.replaceAll(/"(n|kid)": "[\w-]+"/g, '');
  expect(withoutKeys).not.toMatch(/[\w-]{43,}(?=["&<\s])/);
  expect(text).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  const { page, asked, close } = await openReport(browser, url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Flow report: Demo application');
  await expect(page.getByRole('img', { name: /^Sequence diagram of \d+ messages/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: /2 of 2 answered as expected/ })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Revoked token' })).toContainText('pass');
  const refused = page.getByRole('article').filter({ hasText: 'Wrong secret:' });
  await expect(refused).toContainText('401 invalid_client');
  await expect(refused).toContainText('[redacted]');
  await expect(refused.getByRole('listitem').filter({ hasText: 'failed' })).toBeVisible();
  expect(asked).toEqual([url]);
  await close();
});
