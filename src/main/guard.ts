// What a page may not do, whatever it loaded: leave, open windows, embed others, ask for permissions,
// download.

import { app, type Session } from 'electron';
import { PAGE_ORIGIN } from './scheme.ts';

/** The page's links lead nowhere outside. The operating system is handed one URL at most: see window-router.ts. */
export function guardContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

/** All the page may do beyond showing itself: put text on the clipboard when someone clicks Copy. */
const ALLOWED = 'clipboard-sanitized-write';

export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, name, answer) => answer(name === ALLOWED));
  session.setPermissionCheckHandler((_contents, name) => (name as string) === ALLOWED);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    // What the page made itself, an export: the person is asked where to save it.
    if (!item.getURL().startsWith(`blob:${PAGE_ORIGIN}/`)) event.preventDefault();
  });
}

/**
 * Chromium fetches a dictionary for its spell checker from a server of Google's at the first start, even if no window
 * checks spelling. Nothing here connects to another machine.
 */
export function fetchNoDictionary(session: Session): void {
  session.setSpellCheckerLanguages([]);
}

/** Chromium cannot sandbox a process of root; who runs it so has to know. */
export function warnAboutSandbox(): void {
  if (process.platform !== 'linux' || !app.commandLine.hasSwitch('no-sandbox')) return;
  process.stderr.write(
    'grantbench: the window runs without Chromium’s sandbox (--no-sandbox, which root requires). ' +
      'It loads only its own page, but running as an ordinary user is safer.\n',
  );
}
