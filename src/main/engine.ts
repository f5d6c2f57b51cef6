// The engine as the window runs it: with the user's own workspace file, and with tokens that survive a restart.

import { stat } from 'node:fs/promises';
import { createEngine, WorkspaceError, type Engine, type EngineOptions } from '../engine/engine.ts';
import { codeOf } from '../engine/errors.ts';

/** A file that could not be read. It stays unchanged, and the engine runs without it. */
export interface Unreadable {
  readonly error: WorkspaceError;
  readonly what: 'workspace' | 'kept' | 'settings';
}

interface Files {
  readonly workspace: string | null;
  /** Whether the workspace file was opened before. A file that never existed is created. */
  readonly opened: boolean;
  readonly kept: string | null;
}

type Listening = Required<Pick<EngineOptions, 'port' | 'host' | 'https' | 'certificate_folder'>>;

const isMissing = (file: string) =>
  stat(file).then(
    () => false,
    (error: unknown) => codeOf(error) === 'ENOENT',
  );

async function create({ workspace, opened, kept }: Files, listening: Listening): Promise<Engine> {
  if (opened && workspace !== null && (await isMissing(workspace)))
    throw new WorkspaceError(workspace, [{ path: '', message: 'there is no such file' }]);
  return createEngine({
    ...listening,
    version: __APP_VERSION__,
    ...(workspace === null ? {} : { workspace: { file: workspace, save: true } }),
    ...(kept === null ? {} : { keep_file: kept }),
  });
}

function nameOf(files: Files, error: unknown): 'workspace' | 'kept' | null {
  if (!(error instanceof WorkspaceError)) return null;
  if (error.file === files.workspace) return 'workspace';
  const { kept } = files;
  const parts = kept === null ? [] : [kept, `${kept}.journal`];
  return parts.includes(error.file) ? 'kept' : null;
}

/** Opens the engine with the files that can be read. */
export async function openEngine(wanted: Files, listening: Listening) {
  const unreadable: Unreadable[] = [];
  let files = wanted;
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
