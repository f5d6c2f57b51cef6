// A fresh `grantbench serve` for each test, and the page opened on the address it printed.

import { expect, test as base, type Page } from '@playwright/test';
import { startServe, stopCli, type CliProcess, type Ready } from '../support/cli-process.ts';
import { collectErrors } from '../support/console-errors.ts';
import { workbench, type Workbench } from '../support/workbench.ts';

interface Fixtures {
  readonly cli: CliProcess;
  readonly ready: Ready;
  readonly bench: Workbench;
  readonly errors: readonly string[];
}

export const addressOf = ({ control }: Ready) => `${control.url}/#token=${control.token}`;

export async function openBench(page: Page, ready: Ready): Promise<Workbench> {
  await page.goto(addressOf(ready));
  const bench = workbench(page);
  await bench.ready();
  return bench;
}

export const test = base.extend<Fixtures>({
  cli: async ({}, use) => {
    const cli = startServe('--quiet');
    await use(cli);
    await stopCli(cli);
  },
  ready: async ({ cli }, use) => use(await cli.ready()),
  errors: async ({ page }, use) => use(collectErrors(page)),
  bench: async ({ page, ready, errors: _errors }, use) => use(await openBench(page, ready)),
});

export { expect };
