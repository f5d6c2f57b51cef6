// The sandbox behind the window: the engine with the user's own files, and what the system shows of it. It is loaded
// while the window's own process starts.

import { app } from 'electron';
import { createAutomation } from './automation.ts';
import { confirmNatively, endWithFault } from './dialogs.ts';
import { WorkspaceError } from '../engine/engine.ts';
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
  const { host, https, workspace, port } = settings.get();
  const { engine, unreadable } = await openEngine(
    {
      workspace: workspace ?? places.workspace,
      opened: workspace !== null,
      kept: places.kept,
    },
    {
      port: places.port ?? port ?? DEFAULT_PORT,
      host: host ?? undefined,
      https,
      certificate_folder: places.data,
    },
  );
  if (settings.problem !== null) {
    const problem = { path: '', message: settings.problem };
    const error = new WorkspaceError(places.window_settings, [problem]);
    unreadable.push({ error, what: 'settings' });
  }
  const automation = createAutomation(engine, places, settings);
  const workspaces = createWorkspaces(engine, settings, places.workspace);
  closeBeforeQuit({
    mayQuit: workspaces.mayQuit,
    stay: showWindow,
    close: async () => {
      await automation.close();
      await engine.close();
    },
  });
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

interface Quitting {
  readonly mayQuit: () => Promise<boolean>;
  /** Called if it may not. */
  readonly stay: () => unknown;
  readonly close: () => Promise<void>;
}

/** At `will-quit` the windows are already closed, and each had its chance to keep unsaved edits. */
function closeBeforeQuit({ mayQuit, stay, close }: Quitting): void {
  let isQuitting = false;
  const quit = async () => {
    if (!(await mayQuit())) {
      isQuitting = false;
      stay();
      return;
    }
    const bound = new Promise<void>((done) => setTimeout(done, DRAIN_MS));
    await Promise.race([close(), bound]).finally(() => app.exit(0));
  };
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isQuitting) return;
    isQuitting = true;
    quit().catch(endWithFault);
  });
}
