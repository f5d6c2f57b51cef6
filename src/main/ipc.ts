// The one guarded entry point from the page to the engine. Main checks which page asks, creates a message channel,
// connects one end to the engine's operations and posts the other to the page.

import {
  ipcMain,
  type IpcMainEvent,
  MessageChannelMain,
  type MessagePortMain,
  type WebContents,
} from 'electron';
import { RPCHandler } from '@orpc/server/message-port';
import type { Engine } from '../engine/engine.ts';
import { wholeOf } from '../engine/exchanges/piecewise-document.ts';
import type { WindowRouter } from './window-router.ts';
import { confirmNatively, endWithFault } from './dialogs.ts';
import { isOurPage } from './window.ts';
import { exposureQuestion } from '../control/questions.ts';
import { isLoopbackHost } from '../control/loopback.ts';

const CONNECT = 'grantbench:connect';
const PORT = 'grantbench:port';

/** Only the main frame of our own page, in a window of ours, is allowed. */
function isAllowed({ sender, senderFrame }: IpcMainEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOurPage(sender, senderFrame);
}

/** A message on a port is one value, so a document made in pieces is joined first. */
const joinPieces = async ({ next }: { readonly next: () => Promise<unknown> }) =>
  wholeOf(await next());

/** Connects a port to the operations of the engine and of the window. Messages wait until these are loaded. */
function serve(
  engine: Engine,
  { router: own }: WindowRouter,
  pageServed: Promise<unknown>,
): (port: MessagePortMain, connection: AbortSignal) => void {
  const handler = pageServed
    .then(() => engine.getRouter())
    .then(
      (router) =>
        new RPCHandler(
          { ...router, ...own },
          { clientInterceptors: [joinPieces, askBeforeExposing(engine)] },
        ),
    );
  handler.catch(endWithFault);
  return (port, connection) => {
    void handler.then((loaded) => {
      loaded.upgrade(port, { context: { connection } });
      port.start();
    });
  };
}

/** @param pageServed resolves when loading the operations no longer delays the page */
export function acceptPages(engine: Engine, own: WindowRouter, pageServed: Promise<unknown>): void {
  const take = serve(engine, own, pageServed);
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
    const { sender, senderFrame } = event;
    closeWith(sender);
    close(sender);
    const { port1, port2 } = new MessageChannelMain();
    const closed = new AbortController();
    open.set(sender, { port: port1, closed });
    take(port1, closed.signal);
    senderFrame?.postMessage(PORT, null, [port2]);
  });
}

interface Call {
  readonly path: readonly string[];
  readonly input: unknown;
  readonly next: () => Promise<unknown>;
}

/**
 * Asks natively before the page makes the server listen where other machines reach the sandbox. Runs the call if that
 * is confirmed; otherwise nothing changes.
 */
const askBeforeExposing =
  (engine: Engine) =>
  async ({ path, input, next }: Call): Promise<unknown> => {
    if (path.join('.') !== 'server.start') return next();
    const { host } = Object(input) as { host?: unknown };
    const server = engine.server();
    // The operation itself rejects a host that is not a string.
    if (typeof host !== 'string' || host === server.host || isLoopbackHost(host)) return next();
    const { title, body, confirm } = exposureQuestion(host, server.https);
    return (await confirmNatively({ message: title, detail: body, confirm })) ? next() : server;
  };
