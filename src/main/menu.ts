// The native menu. Its server items call the engine, as the page does; all others that the page has too run a command
// of the page.

import { basename } from 'node:path';
import { app, clipboard, Menu, shell, type MenuItemConstructorOptions } from 'electron';
import { STOP_QUESTION } from '../control/names.ts';
import type { Engine } from '../engine/engine.ts';
import { startEngine } from './engine.ts';
import { confirmNatively, endWithFault } from './dialogs.ts';
import type { WindowRouter } from './window-router.ts';
import type { Places } from './places.ts';
import type { WindowSettingsStore } from './window-settings.ts';
import type { Workspaces } from './workspaces.ts';

export interface MenuParts {
  readonly engine: Engine;
  readonly places: Places;
  readonly settings: WindowSettingsStore;
  readonly workspaces: Workspaces;
  /** On macOS the first menu is the app's and contains Quit. */
  readonly platform: NodeJS.Platform;
  /** Whether a page is open, and how to run one of its commands. */
  readonly page: Pick<WindowRouter, 'hasPage' | 'onPages' | 'runInPage'>;
}

/** The page's views in the order of its sidebar, with the page's shortcuts. */
const VIEWS = [
  ['flow', 'Flow', 'Alt+1'],
  ['clients', 'Clients', 'Alt+2'],
  ['users', 'Users', 'Alt+3'],
  ['requests', 'Requests', 'Alt+4'],
  ['tokens', 'Tokens', 'Alt+5'],
  ['devices', 'Devices', 'Alt+6'],
  ['traffic', 'Traffic', 'Alt+7'],
  ['throttling', 'Throttling', 'Alt+8'],
  ['faults', 'Faults', 'Alt+9'],
  ['check', 'Check your app', 'Alt+0'],
] as const;

const THEMES = [
  ['system', 'System', 'theme-auto'],
  ['light', 'Light', 'theme-light'],
  ['dark', 'Dark', 'theme-dark'],
] as const;

/** An item that runs a command of the page; it is disabled while no page is open. */
function ofPage(
  { page }: MenuParts,
  command: string,
  label: string,
  accelerator?: string,
): MenuItemConstructorOptions {
  return {
    id: command,
    label,
    enabled: page.hasPage(),
    click: () => page.runInPage(command),
    ...(accelerator === undefined ? {} : { accelerator }),
  };
}

const run = (step: () => Promise<unknown>) => () => {
  step().catch(endWithFault);
};

/** `writeText` returns a promise in some versions of Electron and nothing in others. */
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
        // A single & would mark the key of the item.
        label: basename(file).replaceAll('&', '&&'),
        toolTip: file,
        click: run(() => workspaces.openFile(file)),
      })),
      { type: 'separator' },
      { label: 'Clear Menu', click: () => settings.set({ recent: [] }) },
    ],
  };
}

function fileMenu(parts: MenuParts): MenuItemConstructorOptions {
  const { engine, places, settings, workspaces, platform } = parts;
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
      ofPage(parts, 'mirror-provider', 'Mirror a Provider…'),
      {
        id: 'save-as',
        label: 'Save Workspace As…',
        accelerator: 'CmdOrCtrl+Shift+S',
        click: run(workspaces.saveAs),
      },
      { type: 'separator' },
      ofPage(parts, 'import-workspace', 'Import Workspace…'),
      ofPage(parts, 'export-workspace', 'Export Workspace…'),
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
      ofPage(parts, 'go-settings', 'Settings', 'CmdOrCtrl+,'),
      { type: 'separator' },
      platform === 'darwin' ? { role: 'close' } : { role: 'quit' },
    ],
  };
}

function editMenu(parts: MenuParts): MenuItemConstructorOptions {
  return {
    label: '&Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      { type: 'separator' },
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' },
      { type: 'separator' },
      ofPage(parts, 'find', 'Find', 'CmdOrCtrl+F'),
    ],
  };
}

function themeMenu(parts: MenuParts): MenuItemConstructorOptions {
  const { theme } = parts.settings.get();
  return {
    label: 'Theme',
    submenu: THEMES.map(([name, label, command]) => ({
      ...ofPage(parts, command, label),
      type: 'radio',
      checked: theme === name,
    })),
  };
}

function viewMenu(parts: MenuParts): MenuItemConstructorOptions {
  return {
    label: '&View',
    submenu: [
      ofPage(parts, 'palette', 'Command Palette…', 'CmdOrCtrl+K'),
      { type: 'separator' },
      ...VIEWS.map(([view, label, key]) => ofPage(parts, `go-${view}`, label, key)),
      { type: 'separator' },
      ofPage(parts, 'rail', 'Collapse or Expand the Sidebar', 'Alt+B'),
      themeMenu(parts),
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

/** Asks first, as the page does: the app under test gets no response until the server is started again. */
async function stopServer(engine: Engine): Promise<void> {
  const { title, body, confirm } = STOP_QUESTION;
  if (await confirmNatively({ message: title, detail: body, confirm })) await engine.stop();
}

function serverMenu({ engine }: MenuParts): MenuItemConstructorOptions {
  const running = engine.server().state === 'running';
  return {
    label: '&Server',
    id: 'server',
    submenu: [
      { id: 'start', label: 'Start', enabled: !running, click: run(() => startEngine(engine)) },
      { id: 'stop', label: 'Stop…', enabled: running, click: run(() => stopServer(engine)) },
      { type: 'separator' },
      { label: 'Copy Base URL', click: copyText(() => engine.server().issuer) },
      { label: 'Copy Token Endpoint', click: copyText(() => engine.server().endpoints.token) },
    ],
  };
}

/** Enables Start or Stop, depending on the server's state when the menu opens. */
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

/** Elsewhere than on macOS, the Zoom of Electron's own menu does nothing. */
const windowMenu = ({ platform }: MenuParts): MenuItemConstructorOptions =>
  platform === 'darwin'
    ? { role: 'windowMenu' }
    : { label: '&Window', submenu: [{ role: 'minimize' }, { role: 'close' }] };

function helpMenu(parts: MenuParts): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      ofPage(parts, 'go-help', 'Documentation', 'F1'),
      ofPage(parts, 'shortcuts', 'Keyboard Shortcuts', 'CmdOrCtrl+/'),
      { type: 'separator' },
      { role: 'about' },
    ],
  };
}

export const menuTemplate = (parts: MenuParts): MenuItemConstructorOptions[] => [
  ...(parts.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
  fileMenu(parts),
  editMenu(parts),
  viewMenu(parts),
  serverMenu(parts),
  windowMenu(parts),
  helpMenu(parts),
];

function setMenu(parts: MenuParts): void {
  const menu = Menu.buildFromTemplate(menuTemplate(parts));
  followServer(menu, parts.engine);
  Menu.setApplicationMenu(menu);
}

/** Rebuilds the menu when the window's settings change or a page opens or closes: Electron cannot change a menu. */
export function followMenu(parts: MenuParts): void {
  app.setAboutPanelOptions({ applicationName: 'Grantbench', applicationVersion: __APP_VERSION__ });
  parts.settings.onChange(() => setMenu(parts));
  parts.page.onPages(() => setMenu(parts));
  setMenu(parts);
}
