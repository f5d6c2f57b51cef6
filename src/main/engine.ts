// The engine as the window runs it: on the user's own workspace file, with keys that outlive a restart.

import { createEngine, WorkspaceError, type Engine } from '../engine/engine.ts';
import type { Places } from './places.ts';

export interface Opened {
  readonly engine: Engine;
  /** Files that could not be read. They are left alone, and the engine runs without them. */
  readonly problems: readonly WorkspaceError[];
}

type Files = Partial<Pick<Places, 'workspace' | 'keys'>>;

function create({ workspace, keys }: Files, port: number): Promise<Engine> {
  return createEngine({
    port,
    version: __APP_VERSION__,
    ...(workspace === undefined ? {} : { workspace: { file: workspace, save: true } }),
    ...(keys === undefined ? {} : { keys_file: keys }),
  });
}

function without(files: Files, file: string): Files {
  return Object.fromEntries(Object.entries(files).filter(([, path]) => path !== file));
}

export async function openEngine({ workspace, keys, port }: Places): Promise<Opened> {
  const problems: WorkspaceError[] = [];
  let files: Files = { workspace, keys };
  for (;;) {
    try {
      return { engine: await create(files, port), problems };
    } catch (error) {
      const fewer = error instanceof WorkspaceError ? without(files, error.file) : files;
      if (Object.keys(fewer).length === Object.keys(files).length) throw error;
      problems.push(error as WorkspaceError);
      files = fewer;
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
