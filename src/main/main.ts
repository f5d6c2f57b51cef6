// The window's process: the window first, then the sandbox that it shows. It starts an engine and passes the contract
// on over a MessagePort. Nothing here knows OAuth or implements a control operation.

import { join } from 'node:path';
import { app, session } from 'electron';
import { endWithFault, endWithoutData, reportUnreadable } from './dialogs.ts';
import {
  denyPermissions,
  disableDictionaryDownload,
  guardContents,
  warnAboutSandbox,
} from './guard.ts';
import { acceptPages } from './ipc.ts';
import { createWindow, followTheme } from './window.ts';
import { listenForFiles } from './opened-files.ts';
import { checkData, choosePlaces, type Places } from './places.ts';
import { registerScheme, serveBundle } from './scheme.ts';
import { createWindowSettings } from './window-settings.ts';

async function start(places: Places): Promise<void> {
  denyPermissions(session.defaultSession);
  disableDictionaryDownload(session.defaultSession);
  serveBundle(places.bundle);
  const settings = createWindowSettings(places.window_settings);
  followTheme(settings);
  const showWindow = createWindow(places, settings);
  app.on('second-instance', showWindow);
  app.on('activate', showWindow);
  const window = showWindow();
  // Opened while the page's own process starts, which takes longer: later the page would wait for this one.
  const opening = import('./window-sandbox.ts').then(({ openSandbox }) =>
    openSandbox(places, settings, showWindow),
  );
  acceptPages(opening.then(({ connect }) => connect));
  const sandbox = await opening;
  await sandbox.start();
  notifyLauncher();
  await reportUnreadable(window, sandbox.unreadable);
  openFilesWith(sandbox.openFile);
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

/** Without the lock, another instance shows its window, or this one cannot write the lock. */
function endWithoutLock(): void {
  try {
    checkData(places);
    notifyLauncher(() => app.quit());
  } catch (error) {
    // No box is shown before that.
    app.on('ready', () => endWithoutData(places.data, error));
  }
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
const openFilesWith = listenForFiles();

if (app.requestSingleInstanceLock()) {
  // A top-level await would keep the app, an ES module, from ever becoming ready.
  app
    .whenReady()
    .then(() => start(places))
    .catch(endWithFault);
} else {
  endWithoutLock();
}
