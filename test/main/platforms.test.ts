// What the window does on Windows, macOS and Linux, decided by the platform that it is told. Electron is not there:
// what it would be asked for is compared.

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

function menusOn(platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  const parts = {
    platform,
    engine: { server: () => ({ workspace: { file: null } }) },
    settings: { get: () => ({ recent: [], keep_running: false, workspace: null }) },
    workspaces: {},
    places: {},
    runInPage: () => undefined,
  };
  return menuTemplate(parts as unknown as MenuParts);
}

const roles = (items: MenuItemConstructorOptions[]) => items.flatMap(({ role }) => role ?? []);

const rolesOfFile = (platform: NodeJS.Platform) => {
  const file = menusOn(platform).find(({ label }) => label === '&File');
  return roles(file?.submenu as MenuItemConstructorOptions[]);
};

describe('the menus', () => {
  it('on macOS begin with that of the app, which has Quit; File closes the window', () => {
    expect(menusOn('darwin')[0]).toEqual({ role: 'appMenu' });
    expect(rolesOfFile('darwin')).toEqual(['close']);
  });

  it.each(['win32', 'linux'] as const)('on %s begin with File, which has Quit', (platform) => {
    expect(menusOn(platform)[0]?.label).toBe('&File');
    expect(roles(menusOn(platform))).not.toContain('appMenu');
    expect(rolesOfFile(platform)).toEqual(['quit']);
  });

  it('have shortcuts that are Cmd on macOS and Ctrl elsewhere, of one template', () => {
    const text = JSON.stringify(menusOn('darwin'));
    expect(text).toContain('CmdOrCtrl+O');
    expect(text).not.toMatch(/"accelerator":"(Ctrl|Cmd|Control|Command)\+/);
  });
});

it('the app ends with its window, but not on macOS and not if it is to keep running', () => {
  expect(endsWithWindow('linux', { keep_running: false })).toBe(true);
  expect(endsWithWindow('win32', { keep_running: false })).toBe(true);
  expect(endsWithWindow('win32', { keep_running: true })).toBe(false);
  expect(endsWithWindow('darwin', { keep_running: false })).toBe(false);
});

it('a workspace file on the command line is found beside the flags of Chromium, in any case', () => {
  const args = ['--user-data=x.grantbench.json', 'Shop.GrantBench.JSON'];
  expect(workspaceFileIn(args, '/home/ada')).toMatch(/[\\/]Shop\.GrantBench\.JSON$/);
  expect(workspaceFileIn(['--flag', 'other.json'], '/home/ada')).toBeNull();
});
