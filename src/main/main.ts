// The window's process: an ordered list of set-up steps around the engine. What the page asks comes in
// through ipc.ts; nothing here knows OAuth.

import { join } from 'node:path';
import { app, session } from 'electron';
import { askPerson, endWithFault, tellUnreadable } from './dialogs.ts';
import { createAutomation } from './automation.ts';
import { openEngine, startEngine } from './engine.ts';
import { denyPermissions, fetchNoDictionary, guardContents, warnAboutSandbox } from './guard.ts';
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
  fetchNoDictionary(session.defaultSession);
  serveBundle(places.bundle);
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
  const mirroring = createMirroring(askPerson, workspaces.saveAndOpen);
  const own = createWindowRouter(engine, workspaces, settings, automation, mirroring);
  acceptPages(engine, own);
  const windows = createWindows(places, engine, settings);
  const { platform } = process;
  followMenu({ engine, places, settings, workspaces, platform, page: own });
  followTray(engine, places, settings, windows.show);
  app.on('second-instance', () => windows.show());
  app.on('activate', () => windows.show());
  const window = windows.show();
  await startEngine(engine);
  await automation.resume();
  tellLauncher();
  await tellUnreadable(window, unreadable);
  openedFiles.follow((file) => {
    workspaces.openFile(file).catch(endWithFault);
  });
}

/** The engine cuts what does not end within 5 s; this is for a fault in that. */
const DRAIN_MS = 8000;

/** At `will-quit` the windows are closed already, each with its chance to keep unsaved edits. */
function closeBeforeQuit(close: () => Promise<void>): void {
  let closing: Promise<void> | null = null;
  app.on('will-quit', (event) => {
    event.preventDefault();
    const bound = new Promise<void>((done) => setTimeout(done, DRAIN_MS));
    closing ??= Promise.race([close(), bound]).finally(() => app.exit(0));
  });
}

/**
 * The terminal that started this process, if one did, passes the signals it gets on as a wish to quit: Windows has no
 * signals that a process could answer.
 */
function joinLauncher(): void {
  process.on('message', (message) => {
    if (message === 'quit') app.quit();
  });
}

/** It hears that the window is there. */
function tellLauncher(then: () => void = () => undefined): void {
  if (process.send === undefined) then();
  else process.send('window', () => then());
}

// The lock lies with the user's data, so the place comes first; schemes and the guard on new contents
// must be in force before the app is ready.
const places = choosePlaces(join(import.meta.dirname, '..'));
registerScheme();
guardContents();
warnAboutSandbox();
joinLauncher();
const openedFiles = listenForFiles();

if (app.requestSingleInstanceLock()) {
  // Not awaited at the top level: an ES module's app never becomes ready then.
  app
    .whenReady()
    .then(() => start(places))
    .catch(endWithFault);
} else {
  // The first instance shows its window; there is nothing left to do here.
  tellLauncher(() => app.quit());
}
