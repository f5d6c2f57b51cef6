// Runs axe on every view, dialog and menu in both themes: no serious and no critical findings.

import type { Page } from '@playwright/test';
import { severeFindings } from '../support/findings.ts';
import { hammer, runCommand, VIEWS, type ViewName, type Workbench } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

/** Chooses a file with this text to be imported as a workspace. */
async function importText(page: Page, text: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await runCommand(page, 'Import workspace…');
  const chooser = await choosing;
  const buffer = Buffer.from(text);
  await chooser.setFiles({ name: 'brought.json', mimeType: 'application/json', buffer });
}

async function lookAtViews({ page, open }: Workbench, views: readonly ViewName[]): Promise<void> {
  // Tall enough for each view, since a name below the visible area counts as missing.
  await page.setViewportSize({ width: 1280, height: 2000 });
  for (const view of views) {
    await open(view);
    expect.soft(await severeFindings(page), view).toEqual([]);
  }
}

test('no empty view has a serious accessibility finding', async ({ bench }) => {
  test.slow();
  // settings.spec.ts looks at every page of the settings.
  await lookAtViews(
    bench,
    VIEWS.filter((view) => view !== 'Settings'),
  );
});

test('neither a view with data nor the client editor has a serious finding', async ({
  page,
  bench,
}) => {
  test.slow();
  await bench.runAll();
  await hammer(bench);
  // The others look the same as without data.
  await lookAtViews(bench, ['Flow', 'Tokens', 'Traffic', 'Throttling']);
  await bench.open('Clients');
  await page.getByRole('button', { name: 'Register client' }).click();
  await expect(page.getByRole('region', { name: 'New client' })).toBeVisible();
  expect.soft(await severeFindings(page), 'the client editor').toEqual([]);
});

test('no dialog has a serious finding: cheat sheet, palette, import, confirmation', async ({
  page,
  bench,
}) => {
  test.slow();
  await bench.ready();
  const look = async (name: string | RegExp) => {
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    expect.soft(await severeFindings(page), String(name)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name })).toBeHidden();
  };
  await runCommand(page, 'Keyboard shortcuts');
  await look('Keyboard shortcuts');
  await importText(page, '{"format": "grantbench-workspace", "version": 1, "clients": []}');
  await look('Import brought.json');
  await importText(page, '{"clients": [');
  await look('Import brought.json');
  await runCommand(page, 'Reset the sandbox…');
  await look('Reset the sandbox?');
  await page.keyboard.press('ControlOrMeta+K');
  await expect(page.getByPlaceholder('Search or run…')).toBeVisible();
  expect.soft(await severeFindings(page), 'the palette').toEqual([]);
});

test('no menu of the flow or the top bar has a serious finding', async ({ page, bench }) => {
  test.slow();
  await bench.runAll();
  const look = async (button: string) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect(page.getByRole('menuitem').or(page.getByRole('dialog')).first()).toBeVisible();
    expect.soft(await severeFindings(page), button).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menuitem').or(page.getByRole('dialog'))).toHaveCount(0);
  };
  await look('Break it: Exchange the code');
  await look('Break it: Call an API with it');
  await look('Export');
  await look('Saved');
});
