// What the page may ask of the window itself, and the commands that the native menus hand to the page.

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
    /** Whether there is a page that runs commands. */
    hasPage: () => pages > 0,
    onPages: (listener: () => void) => {
      tellPages = listener;
    },
    /** Has the page run one of its commands, by its id. */
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
          // Each change of what is remembered makes the menus anew.
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

/** Whether it is a request at the authorization endpoint: whatever else the page names is opened nowhere. */
function isAuthorizationRequest(text: string, { state, endpoints }: Server): boolean {
  if (state !== 'running' || !URL.canParse(text)) return false;
  const url = new URL(text);
  const own = new URL(endpoints.authorization);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.origin === own.origin && url.pathname === own.pathname;
}

/**
 * Opens the one address that is handed to the operating system: the sign-in page of our own server.
 * @returns whether it was opened: it is no other page, and there is a browser
 */
async function openSignInPage(text: string, server: Server): Promise<boolean> {
  if (!isAuthorizationRequest(text, server)) return false;
  return shell.openExternal(new URL(text).href).then(
    () => true,
    () => false,
  );
}
