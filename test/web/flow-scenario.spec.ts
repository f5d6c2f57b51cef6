// Scenarios in the Flow view: opened from a file, run in the current sandbox, exported from the list.

import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ask } from '../support/token-calls.ts';
import { runCommand } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

const openSaved = (page: Page) => page.getByRole('button', { name: 'Saved', exact: true }).click();

async function openFile(page: Page, name: string, content: unknown): Promise<void> {
  const path = test.info().outputPath(name);
  const document = { format: 'grantbench-scenario', version: 1, ...(content as object) };
  await writeFile(path, JSON.stringify(document, null, 2));
  const choosing = page.waitForEvent('filechooser');
  await openSaved(page);
  await page.getByRole('button', { name: 'Open a scenario…' }).click();
  await (await choosing).setFiles(path);
}

const REFRESH = [
  { issue_tokens: {} },
  { token: { grant: 'refresh_token' }, expect: { status: 200 } },
];

const CHANGING = {
  name: 'Throttled at once',
  workspace: {
    clients: [{ client_id: 'other', client_secret: 'other-secret' }],
    settings: { throttle: { limit: 1 } },
  },
  steps: [
    ...REFRESH,
    { token: { grant: 'refresh_token' }, expect: { status: 429 } },
    { clock: { advance_seconds: 120 } },
    { token: { grant: 'refresh_token' }, expect: { status: 200 } },
  ],
};

test('a scenario that cannot run is rejected with the place, the member and the rule; one that changes nothing runs at once, until it is stopped', async ({
  bench,
  errors,
}) => {
  const { page } = bench;
  await openFile(page, 'bad.scenario.json', {
    name: 'Bad',
    steps: [{ token: { grant: 'refresh_token' } }, { request: { path: 'nowhere' } }],
  });
  const dialog = page.getByRole('dialog', { name: '“bad.scenario.json” cannot be run here' });
  await expect(dialog).toContainText('steps[0].token sends {{refresh_token}}');
  await expect(dialog).toContainText('steps[1].request.path must begin with /');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await openFile(page, 'refresh.scenario.json', { name: 'Refreshing', steps: REFRESH });
  await expect(page.getByText('“Refreshing” replayed: 2 steps, all as expected.')).toBeVisible();
  await expect(page.getByRole('option')).toHaveCount(1);

  const steps = [{ request: { path: '/.well-known/jwks.json' }, repeat: 10_000 }];
  await openFile(page, 'long.scenario.json', { name: 'Long', steps });
  await page.getByRole('button', { name: 'Stop: Long' }).click();
  await expect(
    page.getByText(/“Long” replayed: it stopped at step 1 of 1.*the run was stopped/),
  ).toBeVisible();
  expect(errors).toEqual([]);
});

test('a saved flow that cannot be replayed now says why, wherever it was chosen', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await bench.run('Issue a code');
  await openSaved(page);
  await page.getByRole('textbox', { name: 'Save this flow as' }).fill('Kept');
  await page.keyboard.press('Enter');
  await expect(page.getByText('“Kept” is saved')).toBeVisible();
  await ask(ready, 'POST', '/server/stop');
  await expect(page.getByRole('banner')).toContainText('Stopped');
  await runCommand(page, 'Kept');
  await expect(page.getByText('“Kept” was not run.')).toBeVisible();
});

test('a scenario that changes the sandbox runs after a confirmation, and its changes are reverted', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  const workspaceNow = () => ask<object>(ready, 'GET', '/workspace');
  const before = await workspaceNow();
  await openFile(page, 'throttled.scenario.json', CHANGING);
  const question = page.getByRole('dialog', { name: 'Run “Throttled at once” in this sandbox?' });
  await expect(question).toContainText('clients, users, audiences and settings are applied');
  await expect(question).toContainText('The clock is moved');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('option')).toHaveCount(0);
  await openFile(page, 'throttled.scenario.json', CHANGING);
  await question.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByText('“Throttled at once” replayed: 5 steps, all as')).toBeVisible();
  expect(await workspaceNow()).toEqual(before);
  const clock = await ask<{ offset_seconds: number }>(ready, 'GET', '/clock');
  expect(Math.abs(clock.offset_seconds)).toBeLessThan(1);

  const saved = test.info().outputPath('report.html');
  await (await bench.download('Report (HTML)')).saveAs(saved);
  expect(await readFile(saved, 'utf8')).toContain('<dt>Client</dt><dd>other</dd>');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Scenario (JSON)' }).click();
  await expect(page.getByText('other is no longer registered')).toBeVisible();
});
