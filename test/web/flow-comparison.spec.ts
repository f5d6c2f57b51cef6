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
async function reportOf({ issuer }: Ready): Promise<string> {
  const [scenario, report] = ['it.scenario.json', 'comparison.json'].map((name) =>
    test.info().outputPath(name),
  ) as [string, string];
  await writeFile(scenario, JSON.stringify(SCENARIO, null, 2));
  const { stdout } = await startCli(['run', scenario, '--against', issuer, '--json', '--compare'], {
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

/** Drops a file on the page. */
const drop = (page: Page, text: string) =>
  page.evaluate((content) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], 'comparison.json'));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }));
  }, text);

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'comparison.json' });

test('a report of a run against a provider, chosen or dropped on any view, shows both responses side by side', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  const path = await reportOf(ready);
  await openFile(page, path);
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

  // Another file is read as a workspace.
  await page.goto(`${page.url().split('#')[0]}#/users`);
  await drop(page, '{"version": 1, "clients": []}');
  const workspace = page.getByRole('dialog', { name: 'Import comparison.json' });
  await expect(workspace).toContainText('with 0 clients');
  await page.keyboard.press('Escape');
  await expect(workspace).toBeHidden();
  await drop(page, await readFile(path, 'utf8'));
  await expect(dialog).toBeVisible();
  await expect(page).toHaveURL(/#\/flow/);
  expect(errors).toEqual([]);
});

const FAILED = {
  against: 'https://login.example',
  scenarios: [
    {
      file: 'it.scenario.json',
      name: 'A token for a machine',
      verdict: 'failed',
      steps: [
        {
          title: 'GET /userinfo',
          verdict: 'failed',
          line: 16,
          column: 5,
          failure: {
            message: '1 value differs from what was expected',
            differences: [{ what: 'status', expected: '200', got: '401' }],
            exchange: null,
          },
        },
      ],
    },
  ],
};

test('a report without comparison shows the expected and the provider’s responses; any other file is rejected with the place and the rule', async ({
  bench,
}) => {
  const { page } = bench;
  const path = test.info().outputPath('comparison.json');
  await writeFile(path, JSON.stringify(FAILED));
  await openFile(page, path);
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('columnheader')).toHaveText(['Value', 'Expected', 'Provider']);
  await expect(dialog.getByRole('cell')).toHaveText(['200', '401']);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await writeFile(path, '{"against": "https://login.example",\n "scenarios": [{"file": 1}]}');
  await openFile(page, path);
  const problems = page.getByRole('dialog', { name: '“comparison.json” cannot be shown' });
  await expect(problems).toContainText('2:17 scenarios[0].file must be a string');
  await expect(problems).toContainText('scenarios[0].steps is required');
});
