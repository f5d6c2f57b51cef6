// Runs axe on every view, dialog and menu in both themes: no serious and no critical findings.

import type { Page } from '@playwright/test';
import { severeFindings } from '../support/findings.ts';
import { runCommand, VIEWS } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

/** Chooses a file with this text to be imported as a workspace. */
async function importText(page: Page, text: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await runCommand(page, 'Import workspace…');
  const chooser = await choosing;
  const buffer = Buffer.from(text);
  await chooser.setFiles({ name: 'brought.json', mimeType: 'application/json', buffer });
}

test('no empty view and no new client has a serious accessibility finding', async ({ bench }) => {
  test.slow();
  const { page, open } = bench;
  // Tall enough for each view, since a name below the visible area counts as missing.
  await page.setViewportSize({ width: 1280, height: 2000 });
  // settings.spec.ts looks at every page of the settings; tests of the other views look at them with data.
  for (const view of VIEWS.filter((name) => name !== 'Settings')) {
    await open(view);
    expect.soft(await severeFindings(page, view === 'Flow' ? 'all' : 'content'), view).toEqual([]);
  }
  await open('Clients');
  await page.getByRole('button', { name: 'Register client' }).click();
  const editor = page.getByRole('region', { name: 'New client' });
  await expect(editor).toBeVisible();
  expect.soft(await severeFindings(page, editor), 'the client editor').toEqual([]);
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

test('neither a flow nor a menu of it or the top bar has a serious finding', async ({
  page,
  bench,
}) => {
  test.slow();
  await bench.runAll();
  expect.soft(await severeFindings(page), 'the flow').toEqual([]);
  const menu = page.getByRole('menu').or(page.getByRole('dialog'));
  const look = async (button: string) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect(menu.first()).toBeVisible();
    expect.soft(await severeFindings(page, menu), button).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
  };
  await look('Break it: Exchange the code');
  await look('Break it: Call an API with it');
  await look('Export');
  await look('Saved');
});
