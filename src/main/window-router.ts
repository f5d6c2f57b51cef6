// Operations of the window itself that the page may call, and the commands that native menus run in the page.

import { EventPublisher, implement } from '@orpc/server';
import { windowContract } from '../control/window-contract.ts';
import type { Automation } from './automation.ts';
import type { Mirroring } from './mirroring.ts';
import type { Engine } from '../engine/engine.ts';
import type { WindowSettingsStore } from './window-settings.ts';
import type { Workspaces } from './workspaces.ts';
import { shell } from 'electron';
import type { ServerState } from '../control/schemas.ts';

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
    /** Runs a command of the page by its id. */
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
