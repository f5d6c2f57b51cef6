// The engine as the window runs it: with the user's own workspace file, and with tokens that survive a restart.

import { createEngine, WorkspaceError, type Engine, type EngineOptions } from '../engine/engine.ts';

/** A file that could not be read. It stays unchanged, and the engine runs without it. */
export interface Unreadable {
  readonly error: WorkspaceError;
  readonly what: 'workspace' | 'kept';
}

interface Files {
  readonly workspace: string | null;
  readonly kept: string | null;
}

type Listening = Required<Pick<EngineOptions, 'port' | 'host' | 'https' | 'certificate_folder'>>;

function create({ workspace, kept }: Files, listening: Listening): Promise<Engine> {
  return createEngine({
    ...listening,
    version: __APP_VERSION__,
    ...(workspace === null ? {} : { workspace: { file: workspace, save: true } }),
    ...(kept === null ? {} : { keep_file: kept }),
  });
}

function nameOf(files: Files, error: unknown): Unreadable['what'] | null {
  if (!(error instanceof WorkspaceError)) return null;
  if (error.file === files.workspace) return 'workspace';
  const { kept } = files;
  const parts = kept === null ? [] : [kept, `${kept}.journal`];
  return parts.includes(error.file) ? 'kept' : null;
}

/** Opens the engine with the files that can be read. */
export async function openEngine({ workspace, kept }: Files, listening: Listening) {
  const unreadable: Unreadable[] = [];
  let files: Files = { workspace, kept };
  for (;;) {
    try {
      return { engine: await create(files, listening), unreadable };
    } catch (error) {
      const what = nameOf(files, error);
      if (what === null) throw error;
      unreadable.push({ error: error as WorkspaceError, what });
      files = { ...files, [what]: null };
    }
  }
}

/** Starts the server. If it cannot start, its state says so, and the page shows how to fix it. */
export async function startEngine(engine: Engine): Promise<void> {
  try {
    await engine.start();
  } catch (error) {
    if (engine.server().state !== 'failed') throw error;
  }
}
