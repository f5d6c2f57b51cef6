// The native menu. What it does to the server it does through the engine, as the page does.

import { app, clipboard, Menu, shell, type MenuItemConstructorOptions } from 'electron';
import type { Engine } from '../engine/engine.ts';
import { startEngine } from './engine.ts';
import { endWithFault } from './problems.ts';
import type { Places } from './places.ts';

const mac = process.platform === 'darwin';

function fileMenu(engine: Engine, places: Places): MenuItemConstructorOptions {
  const reveal = () => shell.showItemInFolder(places.workspace);
  return {
    label: '&File',
    submenu: [
      {
        label: 'Show Workspace File',
        click: reveal,
        enabled: engine.server().workspace.file !== null,
      },
      { type: 'separator' },
      mac ? { role: 'close' } : { role: 'quit' },
    ],
  };
}

function viewMenu(): MenuItemConstructorOptions {
  return {
    label: '&View',
    submenu: [
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

const run = (step: () => Promise<void>) => () => {
  step().catch(endWithFault);
};

/** In some versions of Electron the clipboard answers with a promise, in others at once. */
const copy = (pick: () => string) => run(async () => clipboard.writeText(pick()));

function serverMenu(engine: Engine): MenuItemConstructorOptions {
  return {
    label: '&Server',
    id: 'server',
    submenu: [
      { id: 'start', label: 'Start', click: run(() => startEngine(engine)) },
      { id: 'stop', label: 'Stop', click: run(() => engine.stop()) },
      { type: 'separator' },
      { label: 'Copy Base URL', click: copy(() => engine.server().issuer) },
      {
        label: 'Copy Token Endpoint',
        click: copy(() => engine.server().token_endpoint),
      },
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

export function setMenu(engine: Engine, places: Places): void {
  app.setAboutPanelOptions({ applicationName: 'Grantbench', applicationVersion: __APP_VERSION__ });
  const menu = Menu.buildFromTemplate([
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    fileMenu(engine, places),
    { role: 'editMenu' },
    viewMenu(),
    serverMenu(engine),
    { role: 'windowMenu' },
    { role: 'help', submenu: [{ role: 'about' }] },
  ]);
  followServer(menu, engine);
  Menu.setApplicationMenu(menu);
}
