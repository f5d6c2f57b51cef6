// The sandbox behind the window: the engine with the user's own files, and what the system shows of it. It is loaded
// while the window's own process starts.

import { app } from 'electron';
import { createAutomation } from './automation.ts';
import { confirmNatively, endWithFault } from './dialogs.ts';
import { openEngine, startEngine, type Unreadable } from './engine.ts';
import type { Connect } from './ipc.ts';
import { followMenu } from './menu.ts';
import { createMirroring } from './mirroring.ts';
import type { Places } from './places.ts';
import { followTray } from './tray.ts';
import { connectPages, createWindowRouter } from './window-router.ts';
import type { WindowSettingsStore } from './window-settings.ts';
import { createWorkspaces } from './workspaces.ts';

export interface Sandbox {
  /** What pages may call. */
  readonly connect: Connect;
  readonly unreadable: readonly Unreadable[];
  /** Starts the server, and automation access if it was left on. */
  readonly start: () => Promise<void>;
  readonly openFile: (file: string) => void;
}

const DEFAULT_PORT = 4280;

export async function openSandbox(
  places: Places,
  settings: WindowSettingsStore,
  showWindow: () => unknown,
): Promise<Sandbox> {
  const { host, https, ...remembered } = settings.get();
  const workspace = remembered.workspace ?? places.workspace;
  const { engine, unreadable } = await openEngine(
    { ...places, workspace },
    {
      port: places.port ?? remembered.port ?? DEFAULT_PORT,
      host: host ?? undefined,
      https,
      certificate_folder: places.data,
    },
  );
  const automation = createAutomation(engine, places, settings);
  closeBeforeQuit(async () => {
    await automation.close();
    await engine.close();
  });
  const workspaces = createWorkspaces(engine, settings, places.workspace);
  const mirroring = createMirroring(confirmNatively, workspaces.saveAndOpen);
  const own = createWindowRouter(engine, workspaces, settings, automation, mirroring);
  const { platform } = process;
  followMenu({ engine, places, settings, workspaces, platform, page: own });
  followTray(engine, places, settings, showWindow);
  return {
    connect: await connectPages(engine, own),
    unreadable,
    start: async () => {
      await startEngine(engine);
      await automation.resume();
    },
    openFile: (file) => void workspaces.openFile(file).catch(endWithFault),
  };
}

/** The engine closes within 5 s. This limit applies if it fails to. */
const DRAIN_MS = 8000;

/** At `will-quit` the windows are already closed, and each had its chance to keep unsaved edits. */
function closeBeforeQuit(close: () => Promise<void>): void {
  let closing: Promise<void> | null = null;
  app.on('will-quit', (event) => {
    event.preventDefault();
    const bound = new Promise<void>((done) => setTimeout(done, DRAIN_MS));
    closing ??= Promise.race([close(), bound]).finally(() => app.exit(0));
  });
}
