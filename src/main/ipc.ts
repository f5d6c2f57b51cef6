// The one guarded entry point from the page to the engine. The page asks; main checks who asks, makes a channel,
// gives one end to the engine's operations and posts the other to the page.

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
import { askPerson, endWithFault } from './dialogs.ts';
import { isOurPage } from './window.ts';
import { exposureQuestion, isLoopbackHost } from '../control/questions.ts';

const CONNECT = 'grantbench:connect';
const PORT = 'grantbench:port';

/** A frame inside the page, a page elsewhere or a window that is not ours gets nothing. */
function isAllowed({ sender, senderFrame }: IpcMainEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOurPage(sender, senderFrame);
}

/** A message on a port is one value: a document that is made in pieces is put together first. */
const answerWhole = async ({ next }: { readonly next: () => Promise<unknown> }) =>
  wholeOf(await next());

/** Gives one end of a fresh channel to the engine and the window; what the page sends waits until it is loaded. */
function serve(engine: Engine, { router: own }: WindowRouter): (port: MessagePortMain) => void {
  const handler = engine
    .getRouter()
    .then(
      (router) =>
        new RPCHandler(
          { ...router, ...own },
          { clientInterceptors: [answerWhole, askBeforeExposing(engine)] },
        ),
    );
  handler.catch(endWithFault);
  return (port) => {
    void handler.then((loaded) => {
      loaded.upgrade(port, { context: {} });
      port.start();
    });
  };
}

export function acceptPages(engine: Engine, own: WindowRouter): void {
  const take = serve(engine, own);
  const ports = new Map<WebContents, MessagePortMain>();
  const known = new WeakSet<WebContents>();

  function close(contents: WebContents): void {
    ports.get(contents)?.close();
    ports.delete(contents);
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
    ports.set(sender, port1);
    take(port1);
    senderFrame?.postMessage(PORT, null, [port2]);
  });
}

interface Call {
  readonly path: readonly string[];
  readonly input: unknown;
  readonly next: () => Promise<unknown>;
}

/**
 * The page may ask to listen where other machines reach the sandbox: the person is asked natively. Carries the call out,
 * unless the person does not want what it asks: then nothing is changed.
 */
const askBeforeExposing =
  (engine: Engine) =>
  async ({ path, input, next }: Call): Promise<unknown> => {
    if (path.join('.') !== 'server.start') return next();
    const { host } = Object(input) as { host?: unknown };
    const server = engine.server();
    // What is no string is refused by the operation.
    if (typeof host !== 'string' || host === server.host || isLoopbackHost(host)) return next();
    const { title, body, confirm } = exposureQuestion(host, server.https);
    return (await askPerson({ message: title, detail: body, confirm })) ? next() : server;
  };
