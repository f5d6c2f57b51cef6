// Token exchange and the password grant in the Flow view: walked through, broken on purpose, exported.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startCli } from '../support/cli-process.ts';
import { severeFindings } from '../support/findings.ts';
import { ask } from '../support/token-calls.ts';
import { exchangeDetail } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

async function chooseGrant(page: Page, title: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Grant', exact: true }).click();
  await page.getByRole('option', { name: title }).click();
}

const card = (page: Page, title: string) =>
  page
    .getByRole('list', { name: 'Steps' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: title, exact: true }) });

async function expectBroken(
  page: Page,
  step: string,
  broken: readonly (readonly [mistake: string, cause: string])[],
): Promise<void> {
  for (const [mistake, cause] of broken) {
    await page.getByRole('button', { name: `Break it: ${step}` }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${mistake}`) }).click();
    await expect(card(page, step)).toContainText(`${mistake}:`);
    await expect(card(page, step)).toContainText('matched');
    const why = exchangeDetail(page).getByRole('region', { name: 'Cause' });
    await expect(why).toContainText(cause);
  }
}

/** Exports the walk, and runs it as `grantbench run` does. */
async function exported(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /Scenario \(JSON\)/ }).click();
  const path = test.info().outputPath('grant.scenario.json');
  await (await coming).saveAs(path);
  const { code, stdout } = await startCli(['run', path]).ended;
  expect(code, stdout).toBe(0);
  return readFile(path, 'utf8');
}

test('a token is exchanged in the Flow view, and the recorded scenario runs', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await ask(ready, 'POST', '/clients', {
    client_id: 'orders',
    client_secret: 'orders-secret',
    grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange'],
  });
  await chooseGrant(page, 'Token exchange');
  await bench.runAll();
  await expect(card(page, 'Get a subject token')).toContainText('for ada');
  await expect(card(page, 'Exchange the token')).toContainText('200');
  await expect(card(page, 'Call an API with it')).toContainText('sub ada');
  await expectBroken(page, 'Exchange the token', [
    ['Unknown subject token', 'subject_token'],
    ['Revoked subject token', 'revoked'],
    ['Unknown audience', 'audience'],
  ]);
  expect(await exported(page)).toContain('"issue_tokens"');
  expect(await severeFindings(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('a password gets tokens in the Flow view, once the user’s own is entered', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await ask(ready, 'PATCH', '/users/ada', { password: 'correct horse' });
  await chooseGrant(page, 'Password');
  await page.getByRole('button', { name: 'Client', exact: true }).click();
  await page.getByRole('button', { name: 'Edit: Client' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Old app');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(card(page, 'Client')).toContainText('Old app');
  await bench.runAll();
  await expect(card(page, 'Send the password')).toContainText('ada has a password');
  await page.getByRole('button', { name: 'Edit: Send the password' }).click();
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await bench.runAll();
  await expect(card(page, 'Send the password')).toContainText('200');
  await expect(card(page, 'Call an API with it')).toContainText('sub ada');
  await expectBroken(page, 'Send the password', [
    ['Wrong password', 'password'],
    ['Unknown user', 'user'],
  ]);
  expect(await exported(page)).toContain('"grant": "password"');
  expect(await severeFindings(page)).toEqual([]);
  expect(errors).toEqual([]);
});
