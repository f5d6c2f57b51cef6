// What no page may do, whatever it loaded: navigate away, open windows, embed other pages, get permissions that
// it does not need, download files.

import { app, type Session } from 'electron';
import { showMessage } from './dialogs.ts';
import { PAGE_ORIGIN } from './scheme.ts';

/** Links in the page open nothing outside it. Main opens one kind of URL in the browser: see window-router.ts. */
export function guardContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

/** Putting text on the clipboard when someone clicks Copy, and desktop notifications of the page itself. */
const isAllowed = (permission: string, url: string): boolean =>
  permission === 'clipboard-sanitized-write' ||
  (permission === 'notifications' && `${url}/`.startsWith(`${PAGE_ORIGIN}/`));

export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, name, answer, { requestingUrl }) =>
    answer(isAllowed(name, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, name, origin) => isAllowed(name, origin));
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    // A blob is an export made by the page itself; a dialog asks where to save it.
    if (!item.getURL().startsWith(`blob:${PAGE_ORIGIN}/`)) event.preventDefault();
    item.once('done', (_done, state) => {
      if (state !== 'interrupted') return;
      const message = `${item.getFilename()} could not be saved.`;
      void showMessage({ type: 'warning', message, detail: item.getSavePath() });
    });
  });
}

/**
 * Chromium downloads a spell-checking dictionary from a Google server at the first start, even if no window checks
 * spelling. Grantbench must not connect to another machine.
 */
export function disableDictionaryDownload(session: Session): void {
  session.setSpellCheckerLanguages([]);
}

/** Chromium cannot sandbox a process that runs as root, which therefore needs --no-sandbox. Warns about it. */
export function warnAboutSandbox(): void {
  if (process.platform !== 'linux' || !app.commandLine.hasSwitch('no-sandbox')) return;
  process.stderr.write(
    'grantbench: the window runs without Chromium’s sandbox (--no-sandbox, which root requires). ' +
      'It loads only its own page, but running as an ordinary user is safer.\n',
  );
}
