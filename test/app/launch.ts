// Launches the built app in a real Electron, with its own user-data folder and port.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  _electron,
  expect,
  test as base,
  type ElectronApplication,
  type Page,
} from '@playwright/test';
import { testElectron } from '../../scripts/test-runtimes.mjs';
import { workbench, type Workbench } from '../support/workbench.ts';

const APP_FOLDER = join(import.meta.dirname, '../..');
/** For `_electron.launch`. */
const ATTACHED_APP = join(import.meta.dirname, 'attached');

export interface Launched {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly bench: Workbench;
}

export interface LaunchOptions {
  /** The OAuth port; 0 selects a free one. */
  readonly port?: number;
}

interface Fixtures {
  readonly executablePath: string;
  /** The data folder of this test's app. */
  readonly userData: string;
  readonly launch: (options?: LaunchOptions) => Promise<Launched>;
}

/** @param app the path that Electron opens */
export function appArguments(app = APP_FOLDER): string[] {
  const root = process.platform === 'linux' && process.getuid?.() === 0;
  return [...(root ? ['--no-sandbox'] : []), app];
}

export function appEnvironment(userData: string, port: number): Record<string, string> {
  const own = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    ...Object.fromEntries(own),
    GRANTBENCH_USER_DATA: userData,
    GRANTBENCH_PORT: String(port),
  };
}

/** Opens the native menu and chooses an item as soon as it is enabled. */
export async function chooseMenuItem(app: ElectronApplication, id: string): Promise<void> {
  const enabled = () =>
    app.evaluate(({ Menu }, item) => {
      const menu = Menu.getApplicationMenu();
      for (const { submenu } of menu?.items ?? []) submenu?.emit('menu-will-show');
      return menu?.getMenuItemById(item)?.enabled;
    }, id);
  await expect.poll(enabled, id).toBe(true);
  await app.evaluate(({ Menu }, item) => {
    Menu.getApplicationMenu()?.getMenuItemById(item)?.click();
  }, id);
}

/** The settings file of the window; null before it is first written. */
export function rememberedSettings(userData: string): unknown {
  const file = join(userData, 'window-settings.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : null;
}

export const test = base.extend<Fixtures>({
  executablePath: async ({}, use) => {
    const electron = testElectron();
    if ('reason' in electron) throw new Error(`No Electron: ${electron.reason}.`);
    await use(electron.binary);
  },
  userData: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'grantbench-app-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  launch: async ({ executablePath, userData }, use, info) => {
    const running: ElectronApplication[] = [];
    await use(async ({ port = 0 } = {}) => {
      const app = await _electron.launch({
        executablePath,
        args: appArguments(ATTACHED_APP),
        env: appEnvironment(userData, port),
      });
      running.push(app);
      const page = await app.firstWindow();
      // Until then the main process loads the engine, and may collect the promise of an evaluation as garbage.
      await expect(page.getByRole('contentinfo')).toContainText('Workspace');
      return { app, page, bench: workbench(page) };
    });
    // A window with unsaved edits would ask before it closes, and nobody would answer.
    const close = (app: ElectronApplication) =>
      info.status === info.expectedStatus ? app.close() : app.process().kill('SIGKILL');
    for (const app of running) await close(app);
  },
});

export { expect };

/** The issuer that the page shows. */
export async function issuerOf(page: Page): Promise<string> {
  const issuer = page.getByRole('banner').getByText(/^http:\/\/localhost:\d+$/);
  return (await issuer.textContent()) ?? '';
}

/** Whether a server answers on this port. */
export const isAlive = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/livez`).then(
    (answer) => answer.ok,
    () => false,
  );

/** Opens a section of Settings. @param name of the region, where it differs from the link's */
export async function openSection({ page, open }: Workbench, link: string, name = link) {
  await open('Settings');
  const sections = page.getByRole('navigation', { name: 'Settings' });
  await sections.getByRole('link', { name: link, exact: true }).click();
  return page.getByRole('region', { name, exact: true });
}
