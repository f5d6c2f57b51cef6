// Platform differences of the window on Windows, macOS and Linux. Electron is mocked; the tests compare the options
// passed to it.

import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';

vi.mock('electron', () => ({
  app: { on: () => undefined },
  BrowserWindow: {},
  clipboard: {},
  dialog: {},
  Menu: {},
  nativeTheme: {},
  protocol: {},
  screen: {},
  shell: {},
}));

const { menuTemplate } = await import('../../src/main/menu.ts');
const { endsWithWindow } = await import('../../src/main/window.ts');
const { workspaceFileIn } = await import('../../src/main/opened-files.ts');
type MenuParts = Parameters<typeof menuTemplate>[0];

interface State {
  readonly page?: boolean;
  readonly running?: boolean;
  readonly theme?: string;
  readonly recent?: readonly string[];
}

function menusOn(
  platform: NodeJS.Platform,
  { page = true, running = true, theme = 'system', recent = [] }: State = {},
): MenuItemConstructorOptions[] {
  const parts = {
    platform,
    engine: {
      server: () => ({ workspace: { file: null }, state: running ? 'running' : 'stopped' }),
    },
    settings: { get: () => ({ recent, keep_running: false, workspace: null, theme }) },
    workspaces: {},
    places: {},
    page: { hasPage: () => page, onPages: () => undefined, runInPage: () => undefined },
  };
  return menuTemplate(parts as unknown as MenuParts);
}

const allItems = (items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? allItems(item.submenu) : [])]);

const roles = (items: MenuItemConstructorOptions[]) => items.flatMap(({ role }) => role ?? []);

const rolesOfFile = (platform: NodeJS.Platform) => {
  const file = menusOn(platform).find(({ label }) => label === '&File');
  return roles(file?.submenu as MenuItemConstructorOptions[]);
};

describe('the menus', () => {
  it('on macOS begin with the app menu, and File closes the window', () => {
    expect(menusOn('darwin')[0]).toEqual({ role: 'appMenu' });
    expect(rolesOfFile('darwin')).toEqual(['close']);
  });

  it.each(['win32', 'linux'] as const)(
    'on %s begin with File, which contains Quit, and have no menu that is made for macOS',
    (platform) => {
      expect(menusOn(platform)[0]?.label).toBe('&File');
      expect(roles(menusOn(platform))).toEqual(['help']);
      expect(rolesOfFile(platform)).toEqual(['quit']);
    },
  );

  it('use each shortcut once and list every view', () => {
    const items = allItems(menusOn('linux'));
    const keys = items.flatMap(({ accelerator }) => accelerator ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    expect(items.filter(({ id }) => id?.startsWith('go-'))).toHaveLength(12);
  });

  // test/web/palette.spec.ts covers the order in the page.
  it('list the views in the order of the page, with its shortcuts', () => {
    const view = menusOn('linux').filter(({ label }) => label === '&View');
    const shown = allItems(view).filter(({ id }) => id?.startsWith('go-'));
    expect(shown.map(({ label, accelerator }) => [accelerator, label])).toEqual([
      ['Alt+1', 'Flow'],
      ['Alt+2', 'Clients'],
      ['Alt+3', 'Users'],
      ['Alt+4', 'Requests'],
      ['Alt+5', 'Tokens'],
      ['Alt+6', 'Devices'],
      ['Alt+7', 'Traffic'],
      ['Alt+8', 'Throttling'],
      ['Alt+9', 'Faults'],
      ['Alt+0', 'Check your app'],
    ]);
  });

  it('enable commands of the page only while there is a page', () => {
    const enabled = (page: boolean) =>
      allItems(menusOn('darwin', { page }))
        .filter(({ id }) => id === 'go-clients' || id === 'find' || id === 'import-workspace')
        .map((item) => item.enabled);
    expect(enabled(true)).toEqual([true, true, true]);
    expect(enabled(false)).toEqual([false, false, false]);
  });

  it('enable Start or Stop depending on the state of the server, and check the current theme', () => {
    const enabled = (running: boolean) =>
      allItems(menusOn('linux', { running }))
        .filter(({ id }) => id === 'start' || id === 'stop')
        .map((item) => item.enabled);
    expect(enabled(true)).toEqual([false, true]);
    expect(enabled(false)).toEqual([true, false]);
    const themes = allItems(menusOn('linux', { theme: 'dark' })).filter(
      ({ checked, type }) => checked && type === 'radio',
    );
    expect(themes.map(({ id }) => id)).toEqual(['theme-dark']);
  });

  it('show the name of a recent workspace as it is: a single & would mark a key', () => {
    const items = allItems(menusOn('linux', { recent: ['/home/ada/R&D.json'] }));
    expect(items.find(({ id }) => id === 'recent-0')?.label).toBe('R&&D.json');
  });

  it('use CmdOrCtrl in every shortcut', () => {
    const text = JSON.stringify(menusOn('darwin'));
    expect(text).toContain('CmdOrCtrl+O');
    expect(text).not.toMatch(/"accelerator":"(Ctrl|Cmd|Control|Command)\+/);
  });
});

it('the app quits with its window, except on macOS or with Keep Running', () => {
  expect(endsWithWindow('linux', { keep_running: false })).toBe(true);
  expect(endsWithWindow('win32', { keep_running: false })).toBe(true);
  expect(endsWithWindow('win32', { keep_running: true })).toBe(false);
  expect(endsWithWindow('darwin', { keep_running: false })).toBe(false);
});

it('a workspace file on the command line is found among Chromium flags, whatever its letter case', () => {
  const args = ['--user-data=x.grantbench.json', 'Shop.GrantBench.JSON'];
  expect(workspaceFileIn(args, '/home/ada')).toMatch(/[\\/]Shop\.GrantBench\.JSON$/);
  expect(workspaceFileIn(['--flag', 'other.json'], '/home/ada')).toBeNull();
});
