// The device authorization grant in the Flow view: run, with deliberate mistakes, decided elsewhere, exported.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startCli } from '../support/cli-process.ts';
import { registerTv } from '../support/device-calls.ts';
import { severeFindings } from '../support/findings.ts';
import { ask } from '../support/token-calls.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, openBench, test } from './serve.ts';

async function chooseDevice(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Grant', exact: true }).click();
  await page.getByRole('option', { name: 'Device authorization' }).click();
}

const card = (page: Page, title: string) =>
  page
    .getByRole('list', { name: 'Steps' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: title, exact: true }) });

async function breakIt({ page }: Workbench, step: string, mistake: string): Promise<void> {
  await page.getByRole('button', { name: `Break it: ${step}` }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${mistake}`) }).click();
}

test('a device gets its tokens in the Flow view, and the recorded scenario runs', async ({
  page,
  ready,
  errors,
}) => {
  await registerTv(ready);
  const bench = await openBench(page, ready);
  await chooseDevice(page);
  await bench.runAll();
  await expect(card(page, 'Request the codes')).toContainText(/user code [A-Z]{4}-[A-Z]{4}/);
  await expect(card(page, 'Approve or deny')).toContainText('approved');
  await expect(card(page, 'Poll for the tokens')).toContainText('200');
  await expect(card(page, 'Call an API with it')).toContainText('sub ada');
  await expect(page.getByRole('option', { name: /approve [A-Z]{4}-[A-Z]{4}/ })).toBeVisible();
  await breakIt(bench, 'Poll for the tokens', 'Polled too fast');
  await expect(card(page, 'Poll for the tokens')).toContainText('slow_down');
  await expect(card(page, 'Poll for the tokens')).toContainText('matched');

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /Scenario \(JSON\)/ }).click();
  const path = test.info().outputPath('device.scenario.json');
  await (await coming).saveAs(path);
  expect(await readFile(path, 'utf8')).toContain('"approve_device"');
  const { code, stdout } = await startCli(['run', path]).ended;
  expect(code, stdout).toBe(0);
  expect(await severeFindings(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('each mistake of a device gets the expected response, with its cause', async ({
  page,
  ready,
}) => {
  await registerTv(ready);
  await ask(ready, 'POST', '/clients', {
    client_id: 'radio',
    client_secret: 'radio-secret',
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
  });
  const bench = await openBench(page, ready);
  await chooseDevice(page);
  const broken = [
    ['Approve or deny', 'Mistyped user code', 'No device is waiting for this code.'],
    ['Poll for the tokens', 'Before the decision', 'The user has not decided yet'],
    ['Poll for the tokens', 'After expiry', 'expired'],
    ['Poll for the tokens', 'Redeemed twice', 'already used'],
    ['Poll for the tokens', 'Device code of another client', 'presented by client'],
  ] as const;
  for (const [step, mistake, cause] of broken) {
    await breakIt(bench, step, mistake);
    await expect(card(page, step)).toContainText(`${mistake}:`);
    await expect(card(page, step)).toContainText('matched');
    const why = page.getByRole('region', { name: 'Exchange', exact: true });
    await expect(why.getByRole('region', { name: 'Cause' })).toContainText(cause);
  }
});

test('the step does not approve a device that was denied elsewhere', async ({ page, ready }) => {
  await registerTv(ready);
  await openBench(page, ready);
  await chooseDevice(page);
  await page.getByRole('button', { name: 'Run: Request the codes' }).click();
  await expect(card(page, 'Request the codes')).toContainText('user code');
  const text = (await card(page, 'Request the codes').textContent()) ?? '';
  const [user_code = ''] = /[A-Z]{4}-[A-Z]{4}/.exec(text) ?? [];
  await ask(ready, 'POST', `/devices/${user_code}/deny`, {});
  await page.getByRole('button', { name: 'Run: Approve or deny' }).click();
  await expect(card(page, 'Approve or deny')).toContainText('already decided');
  await page.getByRole('button', { name: 'Run: Poll for the tokens' }).click();
  await expect(card(page, 'Poll for the tokens')).toContainText('400');
});

test('without a client for the grant, the step can register one', async ({ bench }) => {
  const { page } = bench;
  await chooseDevice(page);
  await page.getByRole('button', { name: 'Client', exact: true }).click();
  await page.getByRole('button', { name: 'Edit: Client' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Television');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await bench.runAll();
  await expect(card(page, 'Poll for the tokens')).toContainText('200');
});
