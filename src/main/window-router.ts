// What a page may call: the operations of the engine, and those of the window itself. The commands that native menus
// run in the page are one of the latter.

import { EventPublisher, implement } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { shell } from 'electron';
import { isLoopbackHost } from '../control/names.ts';
import { exposureQuestion } from '../control/questions.ts';
import type { ServerState } from '../control/schemas.ts';
import { windowContract } from '../control/window-contract.ts';
import type { Engine } from '../engine/engine.ts';
import { wholeOf } from '../engine/exchanges/piecewise-document.ts';
import type { Automation } from './automation.ts';
import { confirmNatively } from './dialogs.ts';
import type { Connect } from './ipc.ts';
import type { Mirroring } from './mirroring.ts';
import type { WindowSettingsStore } from './window-settings.ts';
import type { Workspaces } from './workspaces.ts';

const os = implement(windowContract);

export function createWindowRouter(
  engine: Engine,
  workspaces: Workspaces,
  settings: WindowSettingsStore,
  automation: Automation,
  mirroring: Mirroring,
) {
  const chosen = new EventPublisher<{ command: string }>();
  let pages = 0;
  let tellPages = () => {};
  const countPages = (by: number) => {
    pages += by;
    tellPages();
  };
  return {
    /** Whether a page is open that runs commands. */
    hasPage: () => pages > 0,
    onPages: (listener: () => void) => {
      tellPages = listener;
    },
    runInPage: (command: string) => chosen.publish('command', command),
    router: {
      window: {
        open: os.window.open.handler(async () => ({ done: await workspaces.open() })),
        saveAs: os.window.saveAs.handler(async () => ({ done: await workspaces.saveAs() })),
        mirror: os.window.mirror.handler(({ input, signal }) => mirroring.mirror(input, signal)),
        saveMirror: os.window.saveMirror.handler(mirroring.saveMirror),
        keepRunning: os.window.keepRunning.handler(({ input }) => {
          settings.set(input);
          return { done: true };
        }),
        setTheme: os.window.setTheme.handler(({ input }) => {
          // Every change of the settings rebuilds the menus.
          if (settings.get().theme !== input.theme) settings.set(input);
          return { done: true };
        }),
        settings: os.window.settings.handler(() => {
          const { keep_running, port } = settings.get();
          return { keep_running, port };
        }),
        rememberAddress: os.window.rememberAddress.handler(() => {
          const { port, host, https } = engine.server();
          settings.set({ port, host, https });
          return { done: true };
        }),
        automation: os.window.automation.handler(() => automation.state()),
        setAutomation: os.window.setAutomation.handler(({ input }) =>
          automation.set(input.enabled),
        ),
        openSignIn: os.window.openSignIn.handler(async ({ input }) => ({
          done: await openSignInPage(input.url, engine.server()),
        })),
        commands: os.window.commands.handler(async function* ({ signal }) {
          countPages(1);
          try {
            yield* chosen.subscribe('command', { signal });
          } finally {
            countPages(-1);
          }
        }),
      },
    },
  };
}

export type WindowRouter = ReturnType<typeof createWindowRouter>;

type Server = Pick<ServerState, 'state' | 'endpoints'>;

/** Whether this is a request to our authorization endpoint. No other URL from the page is opened. */
function isAuthorizationRequest(text: string, { state, endpoints }: Server): boolean {
  if (state !== 'running' || !URL.canParse(text)) return false;
  const url = new URL(text);
  const own = new URL(endpoints.authorization);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.origin === own.origin && url.pathname === own.pathname;
}

/**
 * Opens the sign-in page of our own server in the browser.
 * @returns false if the URL is another one, or if there is no browser
 */
async function openSignInPage(text: string, server: Server): Promise<boolean> {
  if (!isAuthorizationRequest(text, server)) return false;
  return shell.openExternal(new URL(text).href).then(
    () => true,
    () => false,
  );
}

/** A message on a port is one value, so a document made in pieces is joined first. */
const joinPieces = async ({ next }: { readonly next: () => Promise<unknown> }) =>
  wholeOf(await next());

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

export async function connectPages(
  engine: Engine,
  { router: own }: WindowRouter,
): Promise<Connect> {
  const handler = new RPCHandler(
    { ...(await engine.getRouter()), ...own },
    { clientInterceptors: [joinPieces, askBeforeExposing(engine)] },
  );
  return (port, gone) => {
    handler.upgrade(port, { context: { connection: gone } });
    port.start();
  };
}
