// The window's process: an ordered list of set-up steps around the engine. Calls from the page arrive through ipc.ts;
// nothing here knows OAuth.

import { once } from 'node:events';
import { join } from 'node:path';
import { app, session } from 'electron';
import { confirmNatively, endWithFault, reportUnreadable } from './dialogs.ts';
import { createAutomation } from './automation.ts';
import { openEngine, startEngine } from './engine.ts';
import {
  denyPermissions,
  disableDictionaryDownload,
  guardContents,
  warnAboutSandbox,
} from './guard.ts';
import { acceptPages } from './ipc.ts';
import { createWindowRouter } from './window-router.ts';
import { followMenu } from './menu.ts';
import { createWindows, followTheme } from './window.ts';
import { listenForFiles } from './opened-files.ts';
import { createMirroring } from './mirroring.ts';
import { choosePlaces, type Places } from './places.ts';
import { registerScheme, serveBundle } from './scheme.ts';
import { followTray } from './tray.ts';
import { createWindowSettings } from './window-settings.ts';
import { createWorkspaces } from './workspaces.ts';

const DEFAULT_PORT = 4280;

async function start(places: Places): Promise<void> {
  denyPermissions(session.defaultSession);
  disableDictionaryDownload(session.defaultSession);
  const scriptsServed = serveBundle(places.bundle);
  const settings = createWindowSettings(places.window_settings);
  followTheme(settings);
  const { host, https, ...remembered } = settings.get();
  const workspace = remembered.workspace ?? places.workspace;
  const { engine, unreadable } = await openEngine(
    { ...places, workspace },
    {
      port: places.port ?? remembered.port ?? DEFAULT_PORT,
      host: host ?? undefined,
      https,
      certificate_folder: places.data,
    },
  );
  const automation = createAutomation(engine, places, settings);
  closeBeforeQuit(async () => {
    await automation.close();
    await engine.close();
  });
  const workspaces = createWorkspaces(engine, settings, places.workspace);
  const mirroring = createMirroring(confirmNatively, workspaces.saveAndOpen);
  const own = createWindowRouter(engine, workspaces, settings, automation, mirroring);
  const windows = createWindows(places, engine, settings);
  const { platform } = process;
  followMenu({ engine, places, settings, workspaces, platform, page: own });
  followTray(engine, places, settings, windows.show);
  app.on('second-instance', () => windows.show());
  app.on('activate', () => windows.show());
  const window = windows.show();
  // The page draws itself while the engine starts, but it needs its scripts from this process first.
  const pageServed = Promise.race([
    scriptsServed,
    once(window.webContents, 'did-stop-loading'),
    once(window, 'closed'),
  ]);
  acceptPages(engine, own, pageServed);
  await pageServed;
  await startEngine(engine);
  await automation.resume();
  notifyLauncher();
  await reportUnreadable(window, unreadable);
  openedFiles.follow((file) => {
    workspaces.openFile(file).catch(endWithFault);
  });
}

/** The engine closes within 5 s. This limit applies if it fails to. */
const DRAIN_MS = 8000;

/** At `will-quit` the windows are already closed, and each had its chance to keep unsaved edits. */
function closeBeforeQuit(close: () => Promise<void>): void {
  let closing: Promise<void> | null = null;
  app.on('will-quit', (event) => {
    event.preventDefault();
    const bound = new Promise<void>((done) => setTimeout(done, DRAIN_MS));
    closing ??= Promise.race([close(), bound]).finally(() => app.exit(0));
  });
}

/**
 * The terminal that launched this process forwards its signals as a message to quit, since Windows has no signals that
 * a process can handle.
 */
function followLauncher(): void {
  process.on('message', (message) => {
    if (message === 'quit') app.quit();
  });
}

/** Tells the launcher that the window is open. */
function notifyLauncher(then: () => void = () => undefined): void {
  if (process.send === undefined) then();
  else process.send('window', () => then());
}

// The single-instance lock is in the user's data folder, so the places come first. Schemes and the guard on new
// contents must be in force before the app is ready.
const places = choosePlaces(join(import.meta.dirname, '..'));
registerScheme();
guardContents();
warnAboutSandbox();
followLauncher();
const openedFiles = listenForFiles();

if (app.requestSingleInstanceLock()) {
  // A top-level await would keep the app, an ES module, from ever becoming ready.
  app
    .whenReady()
    .then(() => start(places))
    .catch(endWithFault);
} else {
  // The first instance shows its window; this one only quits.
  notifyLauncher(() => app.quit());
}
