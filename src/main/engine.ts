// The engine as the window runs it: on the user's own workspace file, with keys that outlive a restart.

import { createEngine, WorkspaceError, type Engine } from '../engine/engine.ts';
import type { Places } from './places.ts';

/** A file that could not be read. It is left alone, and the engine runs without it. */
export interface Unreadable {
  readonly error: WorkspaceError;
  readonly what: 'workspace' | 'keys';
}

export interface Opened {
  readonly engine: Engine;
  readonly unreadable: readonly Unreadable[];
}

interface Files {
  readonly workspace: string | null;
  readonly keys: string | null;
}

function create({ workspace, keys }: Files, port: number): Promise<Engine> {
  return createEngine({
    port,
    version: __APP_VERSION__,
    ...(workspace === null ? {} : { workspace: { file: workspace, save: true } }),
    ...(keys === null ? {} : { keys_file: keys }),
  });
}

function nameOf(files: Files, error: unknown): Unreadable['what'] | null {
  if (!(error instanceof WorkspaceError)) return null;
  if (error.file === files.workspace) return 'workspace';
  return error.file === files.keys ? 'keys' : null;
}

export async function openEngine({ workspace, keys, port }: Places): Promise<Opened> {
  const unreadable: Unreadable[] = [];
  let files: Files = { workspace, keys };
  for (;;) {
    try {
      return { engine: await create(files, port), unreadable };
    } catch (error) {
      const what = nameOf(files, error);
      if (what === null) throw error;
      unreadable.push({ error: error as WorkspaceError, what });
      files = { ...files, [what]: null };
    }
  }
}

/** A server that cannot start is told by its state, which the page shows with a way out. */
export async function startEngine(engine: Engine): Promise<void> {
  try {
    await engine.start();
  } catch (error) {
    if (engine.server().state !== 'failed') throw error;
  }
}
