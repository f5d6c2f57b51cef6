// What the page may ask of the window itself, and the commands that the native menus hand to the page.

import { EventPublisher, implement } from '@orpc/server';
import { windowContract } from '../../control/window-contract.ts';
import type { WindowSettingsStore } from '../window-settings.ts';
import type { Workspaces } from '../workspaces.ts';

const os = implement(windowContract);

export function createWindowRouter(workspaces: Workspaces, settings: WindowSettingsStore) {
  const chosen = new EventPublisher<{ command: string }>();
  return {
    /** Has the page run one of its commands, by its id. */
    runInPage: (command: string) => chosen.publish('command', command),
    router: {
      window: {
        open: os.window.open.handler(async () => ({ done: await workspaces.open() })),
        saveAs: os.window.saveAs.handler(async () => ({ done: await workspaces.saveAs() })),
        keepRunning: os.window.keepRunning.handler(({ input }) => {
          settings.set(input);
          return { done: true };
        }),
        commands: os.window.commands.handler(async function* ({ signal }) {
          yield* chosen.subscribe('command', { signal });
        }),
      },
    },
  };
}

export type WindowRouter = ReturnType<typeof createWindowRouter>;
