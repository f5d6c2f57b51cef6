// The device authorization grant in the Flow view: a client registered for it, run, with a deliberate mistake, exported.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { severeFindings } from '../support/findings.ts';
import { expect, test } from './serve.ts';

const card = (page: Page, title: string) =>
  page
    .getByRole('list', { name: 'Steps' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: title, exact: true }) });

test('a step registers a client for the device grant, which gets its tokens, and the walk is recorded', async ({
  bench,
  errors,
}) => {
  const { page } = bench;
  await page.getByRole('combobox', { name: 'Grant', exact: true }).click();
  await page.getByRole('option', { name: 'Device authorization' }).click();
  await page.getByRole('button', { name: 'Client', exact: true }).click();
  await page.getByRole('button', { name: 'Edit: Client' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Television');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await bench.runAll();
  await expect(card(page, 'Request the codes')).toContainText(/user code [A-Z]{4}-[A-Z]{4}/);
  await expect(card(page, 'Approve or deny')).toContainText('approved');
  await expect(card(page, 'Poll for the tokens')).toContainText('200');
  await expect(card(page, 'Call an API with it')).toContainText('sub ada');
  await expect(page.getByRole('option', { name: /approve [A-Z]{4}-[A-Z]{4}/ })).toBeVisible();

  await page.getByRole('button', { name: 'Break it: Poll for the tokens' }).click();
  await page.getByRole('menuitem', { name: /^Polled too fast/ }).click();
  await expect(card(page, 'Poll for the tokens')).toContainText('slow_down');
  await expect(card(page, 'Poll for the tokens')).toContainText('matched');
  const changed = page.getByRole('region', { name: /^(Steps|Sequence)$/ });
  expect(await severeFindings(page, changed)).toEqual([]);

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /Scenario \(JSON\)/ }).click();
  const path = test.info().outputPath('device.scenario.json');
  await (await coming).saveAs(path);
  expect(await readFile(path, 'utf8')).toContain('"approve_device"');
  expect(errors).toEqual([]);
});
