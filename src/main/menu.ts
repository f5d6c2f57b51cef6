// The native menu. What it does to the server it does through the engine, as the page does; what the
// page does itself, it has the page do.

import { basename } from 'node:path';
import { app, clipboard, Menu, shell, type MenuItemConstructorOptions } from 'electron';
import type { Engine } from '../engine/engine.ts';
import { startEngine } from './engine.ts';
import { endWithFault } from './problems.ts';
import type { Places } from './places.ts';
import type { WindowSettingsStore } from './window-settings.ts';
import type { Workspaces } from './workspaces.ts';

export interface MenuParts {
  readonly engine: Engine;
  readonly places: Places;
  readonly settings: WindowSettingsStore;
  readonly workspaces: Workspaces;
  /** On macOS the first menu is the app's, and it has Quit. */
  readonly platform: NodeJS.Platform;
  /** Has the page run one of its commands, by its id. */
  readonly runInPage: (command: string) => void;
}

const run = (step: () => Promise<unknown>) => () => {
  step().catch(endWithFault);
};

/** In some versions of Electron the clipboard answers with a promise, in others at once. */
export const copyText = (pick: () => string): (() => void) =>
  run(async () => clipboard.writeText(pick()));

function recentMenu({ settings, workspaces }: MenuParts): MenuItemConstructorOptions {
  const { recent } = settings.get();
  return {
    label: 'Open Recent',
    id: 'recent',
    enabled: recent.length > 0,
    submenu: [
      ...recent.map((file, index): MenuItemConstructorOptions => ({
        id: `recent-${index}`,
        label: basename(file),
        toolTip: file,
        click: run(() => workspaces.openFile(file)),
      })),
      { type: 'separator' },
      { label: 'Clear Menu', click: () => settings.set({ recent: [] }) },
    ],
  };
}

function fileMenu(parts: MenuParts): MenuItemConstructorOptions {
  const { engine, places, settings, workspaces, platform, runInPage } = parts;
  const reveal = () => shell.showItemInFolder(settings.get().workspace ?? places.workspace);
  return {
    label: '&File',
    submenu: [
      {
        id: 'open',
        label: 'Open Workspace…',
        accelerator: 'CmdOrCtrl+O',
        click: run(workspaces.open),
      },
      recentMenu(parts),
      {
        id: 'save-as',
        label: 'Save Workspace As…',
        accelerator: 'CmdOrCtrl+Shift+S',
        click: run(workspaces.saveAs),
      },
      { type: 'separator' },
      { id: 'import', label: 'Import Workspace…', click: () => runInPage('import-workspace') },
      { id: 'export', label: 'Export Workspace…', click: () => runInPage('export-workspace') },
      {
        label: 'Show Workspace File',
        click: reveal,
        enabled: engine.server().workspace.file !== null,
      },
      { type: 'separator' },
      {
        id: 'keep-running',
        label: 'Keep Running When Window Closes',
        type: 'checkbox',
        checked: settings.get().keep_running,
        click: () => settings.set({ keep_running: !settings.get().keep_running }),
      },
      { type: 'separator' },
      platform === 'darwin' ? { role: 'close' } : { role: 'quit' },
    ],
  };
}

function viewMenu({ runInPage }: MenuParts): MenuItemConstructorOptions {
  return {
    label: '&View',
    submenu: [
      { label: 'Command Palette…', click: () => runInPage('palette') },
      { type: 'separator' },
      { role: 'reload' },
      { role: 'toggleDevTools' },
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
}

function serverMenu({ engine }: MenuParts): MenuItemConstructorOptions {
  return {
    label: '&Server',
    id: 'server',
    submenu: [
      { id: 'start', label: 'Start', click: run(() => startEngine(engine)) },
      { id: 'stop', label: 'Stop', click: run(() => engine.stop()) },
      { type: 'separator' },
      { label: 'Copy Base URL', click: copyText(() => engine.server().issuer) },
      { label: 'Copy Token Endpoint', click: copyText(() => engine.server().token_endpoint) },
    ],
  };
}

/** Start and Stop are enabled as the server stands at the moment the menu opens. */
function followServer(menu: Electron.Menu, engine: Engine): void {
  const submenu = menu.getMenuItemById('server')?.submenu;
  submenu?.on('menu-will-show', () => {
    const running = engine.server().state === 'running';
    const start = submenu.getMenuItemById('start');
    const stop = submenu.getMenuItemById('stop');
    if (start) start.enabled = !running;
    if (stop) stop.enabled = running;
  });
}

function helpMenu({ runInPage }: MenuParts): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      { id: 'shortcuts', label: 'Keyboard Shortcuts', click: () => runInPage('shortcuts') },
      { role: 'about' },
    ],
  };
}

export const menuTemplate = (parts: MenuParts): MenuItemConstructorOptions[] => [
  ...(parts.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
  fileMenu(parts),
  { role: 'editMenu' },
  viewMenu(parts),
  serverMenu(parts),
  { role: 'windowMenu' },
  helpMenu(parts),
];

function setMenu(parts: MenuParts): void {
  const menu = Menu.buildFromTemplate(menuTemplate(parts));
  followServer(menu, parts.engine);
  Menu.setApplicationMenu(menu);
}

/** A menu cannot be changed, only replaced: it is made anew with what the window remembers. */
export function followMenu(parts: MenuParts): void {
  app.setAboutPanelOptions({ applicationName: 'Grantbench', applicationVersion: __APP_VERSION__ });
  parts.settings.onChange(() => setMenu(parts));
  setMenu(parts);
}
