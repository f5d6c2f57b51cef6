// Where a workspace, or what is kept beside it, is saved: read at start, written atomically after each
// change. A file that somebody else has changed since is left alone, and the conflict is told.

import { createHash } from 'node:crypto';
import { access, constants, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { ServerState } from '../control/schemas.ts';
import { lazily } from './lazily.ts';

export type SaveState = Pick<ServerState['workspace'], 'state' | 'message'>;

export interface SavedFile {
  readonly file: string;
  readonly save: boolean;
  /** The text now in the file; null when there is none. Later saves build upon it. */
  readonly read: () => Promise<string | null>;
  /** This text says what was read: nothing is to be saved. */
  readonly settle: (text: string) => void;
  /** Something changed: saves soon. Changes that come while a save is under way share the next one. */
  readonly changed: (text: () => string) => void;
  /** Everything changed so far is saved, or could not be. */
  readonly flush: () => Promise<void>;
  readonly state: () => SaveState;
}

export interface SavedFileOptions {
  readonly file: string;
  readonly save: boolean;
  /** Its permissions; those it has, or the usual ones, when left out. */
  readonly mode?: number;
  /** What is told after its name when somebody else has changed it. */
  readonly conflict?: string;
  readonly onState: () => void;
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** @throws Error also when the text is not UTF-8: it could not be written back as it was */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Removes what processes that died in the middle of a save have left behind. */
export async function sweepTemporaryFiles(file: string): Promise<void> {
  const prefix = `${basename(file)}.tmp-`;
  const names = await readdir(dirname(file)).catch(() => []);
  const left = names.filter((name) => {
    if (!name.startsWith(prefix)) return false;
    const pid = Number(/^(\d+)-[0-9a-f]+$/.exec(name.slice(prefix.length))?.[1]);
    return pid === process.pid || (pid > 0 && !isAlive(pid));
  });
  const remove = (name: string) => rm(join(dirname(file), name), { recursive: true, force: true });
  await Promise.all(left.map((name) => remove(name).catch(() => undefined)));
}

const signalListeners = () =>
  process
    .eventNames()
    .filter((name) => String(name).startsWith('SIG'))
    .flatMap((name) => process.listeners(name as NodeJS.Signals).map((run) => ({ name, run })));

/**
 * Once loaded, atomically catches signals to remove its temporary files, and sends them anew: to a run
 * that is draining, a second signal that ends it at once. Leftovers are swept at start instead.
 */
const loadWriter = lazily(async () => {
  const before = new Set(signalListeners().map(({ run }) => run));
  const { writeFile } = await import('atomically');
  for (const { name, run } of signalListeners()) if (!before.has(run)) process.off(name, run);
  return writeFile;
});

/** Writes all or nothing: a temporary file, flushed to disk, renamed over the old one. */
async function writeAtomically(file: string, text: string, mode?: number): Promise<void> {
  const writeFile = await loadWriter();
  // As a stream: a buffer that fits only in part (a full disk) is taken for written by atomically.
  await writeFile(file, Readable.from([Buffer.from(text)]), {
    tmpCreate: (path) => `${path}.tmp-${process.pid}-${process.hrtime.bigint().toString(16)}`,
    ...(mode === undefined ? {} : { mode }),
  });
}

const CONFLICT =
  'was changed by another program, so nothing was saved over it. Reset to the workspace file to take its version; until then changes stay in memory.';

export function createSavedFile(options: SavedFileOptions): SavedFile {
  const { file, save, mode, conflict = CONFLICT } = options;
  /** Digest of what we read from or wrote to the file; null while it is not there. */
  let known: string | null = null;
  /** Digest of the text in memory that says the same as the file. */
  let settled: string | null = null;
  let current: SaveState = { state: save ? 'saved' : 'memory', message: null };
  /** Makes the text to be saved; null while nothing is to be. */
  let wanted: (() => string) | null = null;
  let running: Promise<void> | null = null;

  const setState = (state: SaveState['state'], message: string | null = null) => {
    if (current.state === state && current.message === message) return;
    current = { state, message };
    options.onState();
  };
  const isForeign = async () => {
    const there = await readIfThere(file);
    return there !== null && digest(there) !== known;
  };
  const write = async (text: string) => {
    if (await isForeign()) {
      setState('conflict', `${basename(file)} ${conflict}`);
      return;
    }
    if (digest(text) !== settled) {
      if (known !== null) await access(file, constants.W_OK).catch(ignoreMissing);
      await writeAtomically(file, text, mode);
      known = digest(text);
      settled = known;
    }
    // What changed meanwhile is not in it.
    if (wanted === null) setState('saved');
  };
  const run = async () => {
    // Changes made together come in one turn of the loop and are saved together.
    await new Promise((resolve) => setImmediate(resolve));
    while (wanted !== null) {
      const text = wanted();
      wanted = null;
      try {
        await write(text);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        setState('failed', `${basename(file)} could not be saved: ${why}`);
      }
    }
    running = null;
  };

  return {
    file,
    save,
    read: async () => {
      const text = await readIfThere(file);
      known = text === null ? null : digest(text);
      return text;
    },
    settle: (text) => {
      settled = digest(text);
      wanted = null;
      if (save) setState('saved');
    },
    changed: (text) => {
      if (!save) return;
      wanted = text;
      setState('saving');
      running ??= run();
    },
    flush: async () => {
      while (running !== null) await running;
    },
    state: () => current,
  };
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}
