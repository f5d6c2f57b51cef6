// The end of the app: requests in flight are answered and saves are flushed before the process goes.

import { app } from 'electron';

/** The engine cuts what does not end within 5 s; this is for a fault in that. */
const DRAIN_MS = 8000;

/** At `will-quit` the windows are closed already, each with its chance to keep unsaved edits. */
export function closeBeforeQuit(close: () => Promise<void>): void {
  let closing: Promise<void> | null = null;
  app.on('will-quit', (event) => {
    event.preventDefault();
    const bound = new Promise<void>((done) => setTimeout(done, DRAIN_MS));
    closing ??= Promise.race([close(), bound]).finally(() => app.exit(0));
  });
}
