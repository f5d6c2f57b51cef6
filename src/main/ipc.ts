// The one guarded entry point from the page to the engine. The page sends one end of a message channel; main checks
// which page it is, and connects it to the operations.

import { ipcMain, type IpcMainEvent, type MessagePortMain, type WebContents } from 'electron';
import { isOurPage } from './window.ts';

const CONNECT = 'grantbench:connect';

/** Only the main frame of our own page, in a window of ours, is allowed. */
function isAllowed({ sender, senderFrame }: IpcMainEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOurPage(sender, senderFrame);
}

/** Connects a port to the operations that a page may call, until the page is gone. */
export type Connect = (port: MessagePortMain, gone: AbortSignal) => void;

/** @param loading the operations; until they are there, what a page sends waits */
export function acceptPages(loading: Promise<Connect>): void {
  const open = new Map<WebContents, { port: MessagePortMain; closed: AbortController }>();
  const known = new WeakSet<WebContents>();

  function close(contents: WebContents): void {
    open.get(contents)?.closed.abort();
    open.get(contents)?.port.close();
    open.delete(contents);
  }

  function closeWith(contents: WebContents): void {
    if (known.has(contents)) return;
    known.add(contents);
    contents.once('destroyed', () => close(contents));
    contents.on('render-process-gone', () => close(contents));
    contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) close(contents);
    });
  }

  ipcMain.on(CONNECT, (event) => {
    if (!isAllowed(event)) return;
    const { sender } = event;
    const [port] = event.ports;
    if (port === undefined) return;
    closeWith(sender);
    close(sender);
    const closed = new AbortController();
    open.set(sender, { port, closed });
    // The page may have gone meanwhile. If the operations cannot be loaded, the app ends.
    loading.then(
      (connect) => {
        if (!closed.signal.aborted) connect(port, closed.signal);
      },
      () => undefined,
    );
  });
}
