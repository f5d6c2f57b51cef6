import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { startSlowRequest, untilRefused } from '../support/slow-request.ts';
import { VIEWS } from '../support/workbench.ts';
import { chooseMenuItem, expect, issuerOf, test } from './launch.ts';
import { answerQuestion } from './native-dialogs.ts';

const bounds = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());

const themeOf = (app: ElectronApplication) =>
  app.evaluate(({ Menu, nativeTheme }) => ({
    source: nativeTheme.themeSource,
    checked: Menu.getApplicationMenu()?.getMenuItemById('theme-dark')?.checked,
  }));

const keysOf = async (page: Page) =>
  (await fetch(`${await issuerOf(page)}/.well-known/jwks.json`)).json() as Promise<unknown>;

test('a restart restores the size and position of the window, the theme chosen in the page, registered clients and signing keys; the compiled page is kept for it', async ({
  launch,
  userData,
}) => {
  const first = await launch();
  await first.bench.ready();
  // Chromium writes it in the background.
  const compiled = () => readdirSync(join(userData, 'Code Cache', 'js')).length;
  await expect.poll(compiled).toBeGreaterThan(5);

  await expect.poll(() => themeOf(first.app)).toEqual({ source: 'system', checked: false });
  await first.page.keyboard.press('ControlOrMeta+,');
  await first.page.getByRole('link', { name: 'Appearance' }).click();
  await first.page.getByText('Dark', { exact: true }).click();
  await expect.poll(() => themeOf(first.app)).toEqual({ source: 'dark', checked: true });

  await first.bench.open('Clients');
  await first.page.getByRole('button', { name: 'Register client' }).click();
  await first.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Checkout');
  await first.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(first.page.getByText(/is registered/)).toBeVisible();
  const keys = await keysOf(first.page);

  const wanted = { x: 40, y: 30, width: 1000, height: 640 };
  await first.app.evaluate(
    ({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to),
    wanted,
  );
  await expect.poll(() => bounds(first.app)).toEqual(wanted);
  await first.app.close();

  const second = await launch();
  await expect.poll(() => bounds(second.app)).toEqual(wanted);
  await second.bench.ready();
  await expect.poll(() => themeOf(second.app)).toEqual({ source: 'dark', checked: true });
  await second.bench.open('Clients');
  await expect(second.page.getByRole('link', { name: 'Checkout' })).toBeVisible();
  expect(await keysOf(second.page)).toEqual(keys);
});

test('the window opens despite what it finds: a remembered position outside every display, of which it keeps the size that fits, an unreadable workspace file, which stays unchanged, and a port in use, which a button replaces by a free one', async ({
  launch,
  userData,
}) => {
  const lost = { x: 90_000, y: 90_000, width: 1010, height: 65_000, maximised: false };
  writeFileSync(join(userData, 'window-state.json'), JSON.stringify(lost));
  const file = join(userData, 'workspace.json');
  writeFileSync(file, '{"version": 1, "clients": 7}');
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { app, page, bench } = await launch({ port });
  await expect.poll(() => bounds(app)).toMatchObject({ width: 1010 });
  const { x, height } = (await bounds(app)) ?? {};
  expect(x).toBeLessThan(5000);
  expect(height).toBeLessThan(20_000);
  await expect(page.getByRole('contentinfo')).toContainText('in memory only');

  const notRunning = page.getByText('The server is not running', { exact: true });
  await expect(notRunning).toBeVisible();
  await expect(page.getByRole('status').filter({ has: notRunning })).toContainText(String(port));
  await page.getByRole('button', { name: /Start on port \d+/ }).click();
  await bench.ready();
  await expect(notRunning).toBeHidden();
  await bench.runAll();
  expect(readFileSync(file, 'utf8')).toBe('{"version": 1, "clients": 7}');
  other.close();
  // The message box is still open, so the test ends the app as the system would.
  await app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined);
});

test('the menus open every view, Find and the documentation, run a command of the page, and stop the server once confirmed and start it; the page shows its state, copies text to the clipboard and reconnects to the engine after a reload; closing the window with unsaved edits asks for confirmation, and Stay keeps the edits; quitting completes a request in flight and exits with 0', async ({
  launch,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  for (const view of VIEWS) {
    await chooseMenuItem(app, `go-${view === 'Check your app' ? 'check' : view.toLowerCase()}`);
    const link = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view });
    await expect(link).toHaveAttribute('aria-current', 'page');
  }
  await expect(page.getByRole('article', { name: 'Document' })).toContainText('Documentation');
  await chooseMenuItem(app, 'find');
  await expect(page.getByRole('searchbox', { name: 'Search the documentation' })).toBeFocused();

  const declined = await answerQuestion(app, 'Cancel');
  await chooseMenuItem(app, 'stop');
  await expect.poll(declined).toHaveLength(1);
  await bench.ready();
  await answerQuestion(app, 'Stop server');
  await chooseMenuItem(app, 'stop');
  await expect(page.getByRole('banner').getByText('Stopped')).toBeVisible();
  await chooseMenuItem(app, 'start');
  await bench.ready();

  await page.getByRole('banner').getByRole('button', { name: 'Copy base URL' }).click();
  const copied = () => app.evaluate(async ({ clipboard }) => clipboard.readText());
  await expect.poll(copied).toBe(await issuerOf(page));

  await chooseMenuItem(app, 'shortcuts');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();

  await page.reload();
  await bench.ready();
  await bench.open('Flow');
  await bench.runAll();

  await bench.open('Clients');
  await page.getByRole('button', { name: 'Register client' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Half done');
  await expect(page.getByText('Unsaved edits')).toBeVisible();
  const answer = (button: number) =>
    app.evaluate(({ dialog, app: electron }, to) => {
      dialog.showMessageBoxSync = () => {
        electron.setName('asked');
        return to;
      };
    }, button);
  await answer(1);
  await app.evaluate(({ app: electron }) => electron.quit());
  await expect.poll(() => app.evaluate(({ app: electron }) => electron.getName())).toBe('asked');
  await expect(name).toHaveValue('Half done');

  await answer(0);
  const port = Number(new URL(await issuerOf(page)).port);
  const request = await startSlowRequest(port, '{"grant_type":"authorization_code"}');
  const exited = once(app.process(), 'exit');
  await app.evaluate(({ app: electron }) => electron.quit());
  await untilRefused(port);
  expect(await request.finish()).toMatch(/^HTTP\/1\.1 400 [\s\S]*invalid_request/);
  expect(await exited).toEqual([0, null]);
});
