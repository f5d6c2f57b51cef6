// Workspace files in the window: open, save as and import; and a server that outlives the window.

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { collectErrors } from '../support/console-errors.ts';
import { chooseMenuItem, expect, issuerOf, test } from './launch.ts';

const CLIENT = {
  client_id: 'shop',
  client_secret: 'shop-secret',
  client_name: 'Shop',
  redirect_uris: ['http://localhost:1/cb'],
};

function workspaceFile(folder: string, name: string, members: object = {}): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ version: 1, name, clients: [CLIENT], ...members }));
  return file;
}

/** Answers the native dialogs with this file, since no test can click them. */
const answerDialogs = (app: ElectronApplication, file: string) =>
  app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: path });
    dialog.showMessageBox = async (...args: unknown[]) => {
      const { message, detail } = args.at(-1) as { message: string; detail: string };
      (globalThis as { told?: string }).told = `${message}\n${detail}`;
      return { response: 0, checkboxChecked: false };
    };
  }, file);

const told = (app: ElectronApplication) =>
  app.evaluate(() => (globalThis as { told?: string }).told ?? '');

const title = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle());

/** Drops a file on the page, as a file manager would. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([file, content]) => {
      const made = new DataTransfer();
      made.items.add(new File([content ?? ''], file ?? ''));
      return made;
    },
    [name, text],
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

test('Open Workspace loads a file, shows its name in the title and under Open Recent, and saves changes to it', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const file = workspaceFile(userData, 'Shop tests');
  await answerDialogs(app, file);
  await chooseMenuItem(app, 'open');
  await expect(page.getByRole('contentinfo')).toContainText('Shop tests.json');
  await expect.poll(() => title(app)).toContain('Shop tests');
  await bench.open('Users');
  await page.keyboard.press('Alt+2');
  await expect(page.getByText('shop').first()).toBeVisible();
  const recent = () =>
    app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('recent-0')?.label);
  await expect.poll(recent).toBe(basename(file));
  await page.getByRole('button', { name: /^Profile:/ }).click();
  await page.getByRole('menuitemradio', { name: /^strict/ }).click();
  await expect
    .poll(() => JSON.parse(readFileSync(file, 'utf8')) as unknown)
    .toMatchObject({ name: 'Shop tests', settings: { profile: 'strict' } });
  await app.close();

  const again = await launch();
  await again.bench.ready();
  await expect(again.page.getByRole('contentinfo')).toContainText('Shop tests.json');
});

test('opening an invalid file lists every problem and keeps the current workspace', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  await answerDialogs(app, workspaceFile(userData, 'bad', { colour: 1, users: 7 }));
  await chooseMenuItem(app, 'open');
  await expect.poll(() => told(app)).toContain('colour');
  expect(await told(app)).toContain('users');
  expect(await told(app)).toContain('The current workspace is unchanged');
  await expect(page.getByRole('contentinfo')).toContainText('workspace.json');
});

test('Save Workspace As writes the workspace to another file and makes it the current one', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const file = join(userData, 'elsewhere.json');
  await answerDialogs(app, file);
  await chooseMenuItem(app, 'save-as');
  await expect(page.getByRole('contentinfo')).toContainText('elsewhere.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1, name: 'Demo' });
});

test('a workspace file dropped on the page is previewed before its import, which can be undone', async ({
  launch,
}) => {
  const { page, bench } = await launch();
  const errors = collectErrors(page);
  await bench.ready();
  const document = { version: 1, name: 'Dropped', clients: [CLIENT] };
  await drop(page, 'dropped.json', JSON.stringify(document));
  const dialog = page.getByRole('dialog', { name: 'Import dropped.json' });
  await expect(dialog).toContainText('The file contains “Dropped”, with 1 client');
  await dialog.getByRole('button', { name: 'Import workspace' }).click();
  await expect.poll(() => page.title()).toContain('Dropped');
  await page.keyboard.press('Alt+Z');
  await expect(page.getByRole('option', { name: /^Undo: /, selected: true })).toBeVisible();
  await page.getByRole('combobox', { name: 'Search commands' }).press('Enter');
  await expect.poll(() => page.title()).toContain('Demo');
  expect(errors).toEqual([]);
});

for (const [what, text, problem] of [
  [
    'truncated',
    '{"version": 1, "clients": [',
    /^Line 1 is not JSON: expected a value, found the end of the text/,
  ],
  ['of a newer version', '{"version": 2, "name": "N"}', /newer Grantbench/],
  ['with unknown fields', '{"version": 1, "name": "N", "colour": "red"}', /colour/i],
  ['that is not a JSON object', '[1]', /must be a JSON object/],
] as const) {
  test(`a dropped file ${what} is rejected in the dialog, and the workspace stays unchanged`, async ({
    launch,
  }) => {
    const { page, bench } = await launch();
    await bench.ready();
    await drop(page, 'dropped.json', text);
    const dialog = page.getByRole('dialog', { name: 'Import dropped.json' });
    const use = dialog.getByRole('button', { name: 'Import workspace' });
    await expect(dialog.getByRole('listitem')).toHaveText(problem);
    await expect(use).toBeHidden();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect.poll(() => page.title()).toContain('Demo');
  });
}

test('with Keep Running, the server outlives the window, and a second start reopens it', async ({
  launch,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const issuer = await issuerOf(page);
  await chooseMenuItem(app, 'keep-running');
  await page.close();
  expect((await fetch(`${issuer}/livez`)).status).toBe(200);
  const reopened = app.waitForEvent('window');
  await app.evaluate(({ app: electron }) => electron.emit('second-instance', {}, [], ''));
  const again = await reopened;
  await expect(again.getByRole('banner').getByText('Running')).toBeVisible();
});

test('a menu item runs a command of the page', async ({ launch }) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  await chooseMenuItem(app, 'shortcuts');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});
