// A run against a provider in the Flow view: the report of `grantbench run --against`, chosen or dropped, shows both
// responses side by side. The provider is the sandbox of the test.

import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startCli } from '../support/cli-process.ts';
import type { Ready } from '../support/cli-process.ts';
import { severeFindings } from '../support/findings.ts';
import { expect, test } from './serve.ts';

const SCENARIO = {
  format: 'grantbench-scenario',
  version: 1,
  name: 'A token for a machine',
  workspace: {
    clients: [
      {
        client_id: 'machine',
        client_secret: 'machine-secret',
        grant_types: ['client_credentials'],
      },
    ],
  },
  steps: [
    { request: { path: '/userinfo' } },
    { issue_code: {} },
    { token: { grant: 'client_credentials' } },
  ],
};

/** Writes a report with the built command line. @returns the name of its file */
async function reportOf({ issuer }: Ready, ...flags: string[]): Promise<string> {
  const [scenario, report] = ['it.scenario.json', 'comparison.json'].map((name) =>
    test.info().outputPath(name),
  ) as [string, string];
  await writeFile(scenario, JSON.stringify(SCENARIO, null, 2));
  const { stdout } = await startCli(['run', scenario, '--against', issuer, '--json', ...flags], {
    GRANTBENCH_AGAINST_CLIENT_ID: 'demo-app',
    GRANTBENCH_AGAINST_CLIENT_SECRET: 'demo-secret',
  }).ended;
  await writeFile(report, stdout);
  return report;
}

async function openFile(page: Page, path: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Saved', exact: true }).click();
  await page.getByRole('button', { name: 'Open a comparison with a provider…' }).click();
  await (await choosing).setFiles(path);
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'comparison.json' });

test('responses of sandbox and provider are shown side by side, with differences marked', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await openFile(page, await reportOf(ready, '--compare'));
  const dialog = dialogOf(page);
  await expect(dialog).toContainText(
    `${ready.issuer} · 3 steps: 1 as in the sandbox, 1 different, 1 skipped`,
  );
  const values = dialog.getByRole('region', { name: 'Compared values' });
  await expect(values.getByRole('columnheader')).toHaveText(['Value', 'Sandbox', 'Provider']);
  const status = values.getByRole('row', { name: /^status/ });
  await expect(status.getByRole('rowheader')).toHaveText('statusdiffers');
  await expect(status.getByRole('cell')).toHaveText(['200', '400']);
  const type = values.getByRole('row', { name: /content-type/ });
  await expect(type).not.toContainText('differs');
  await dialog.getByRole('switch', { name: 'Only differences' }).check();
  await expect(type).toHaveCount(0);
  await expect(status).toHaveCount(1);
  expect(await severeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: /1\. GET \/userinfo/ }).click();
  await expect(dialog.getByText('The provider responds as the sandbox does.')).toBeVisible();
  await dialog.getByRole('button', { name: /2\. issue a code/ }).click();
  await expect(
    dialog.getByText('Not sent: only a sandbox issues codes without a sign-in.'),
  ).toBeVisible();
  await expect(values).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(errors).toEqual([]);
});

test('a run without comparison shows the expected and the provider’s responses', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  const path = await reportOf(ready);
  const report = JSON.parse(await readFile(path, 'utf8')) as {
    scenarios: { steps: { verdict: string; failure: object | null }[] }[];
  };
  const [step] = report.scenarios[0]?.steps ?? [];
  Object.assign(step ?? {}, {
    verdict: 'failed',
    failure: {
      message: '1 value differs from what was expected',
      differences: [{ what: 'status', expected: '200', got: '401' }],
      exchange: null,
    },
  });
  await writeFile(path, JSON.stringify(report));
  await openFile(page, path);
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('columnheader')).toHaveText(['Value', 'Expected', 'Provider']);
  await expect(dialog.getByRole('cell')).toHaveText(['200', '401']);
});

test('a comparison can be dropped on any view; other files are read as a workspace', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await page.goto(`${page.url().split('#')[0]}#/users`);
  const drop = (text: string) =>
    page.evaluate((content) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], 'comparison.json'));
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }));
    }, text);
  await drop('{"version": 1, "clients": []}');
  const workspace = page.getByRole('dialog', { name: 'Import comparison.json' });
  await expect(workspace).toContainText('with 0 clients');
  await page.keyboard.press('Escape');
  await expect(workspace).toBeHidden();
  await drop(await readFile(await reportOf(ready, '--compare'), 'utf8'));
  await expect(dialogOf(page)).toBeVisible();
  await expect(page).toHaveURL(/#\/flow/);
});

test('a file that is not a report of a run against a provider is rejected with the place and the rule', async ({
  bench,
}) => {
  const { page } = bench;
  const path = test.info().outputPath('comparison.json');
  await writeFile(path, '{"against": "https://login.example",\n "scenarios": [{"file": 1}]}');
  await openFile(page, path);
  const dialog = page.getByRole('dialog', { name: '“comparison.json” cannot be shown' });
  await expect(dialog).toContainText('2:17 scenarios[0].file must be a string');
  await expect(dialog).toContainText('scenarios[0].steps is required');
});
