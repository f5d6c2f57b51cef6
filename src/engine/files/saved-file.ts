// Where a workspace, or what is kept beside it, is saved: read at start, replaced soon after each change,
// off the path of requests. A file that somebody else has changed since is left alone; that, and a save
// that fails, is told.

import { basename } from 'node:path';
import type { ServerState } from '../../control/schemas.ts';
import type { Working } from './atomic-file.ts';
import { replaceFile } from './atomic-file.ts';
import type { Fingerprint } from './file-text.ts';
import { fingerprintOf, isOther, isSame, readIfThere } from './file-text.ts';
import { createSaveSchedule } from './save-schedule.ts';

export type SaveState = Pick<ServerState['workspace'], 'state' | 'message'>;

/**
 * What is to be saved. Called, it takes hold of everything at once, so that what changes later is not in
 * it; the text is made part by part as it is read.
 */
export type SavedDocument = () => Iterable<string>;

export interface SavedFile {
  readonly file: string;
  readonly save: boolean;
  /** The text now in the file; null when there is none. Later saves build upon it. */
  readonly read: () => Promise<string | null>;
  /** This says what was read: nothing is to be saved. Left out when the text is the one that was read. */
  readonly settle: (document?: Iterable<string>) => void;
  /** Something changed: saves soon. Changes that come while a save is under way share the next one. */
  readonly changed: (document: SavedDocument) => void;
  /** Everything changed so far is saved, or could not be. */
  readonly flush: () => Promise<void>;
  readonly state: () => SaveState;
}

export interface SavedFileOptions {
  readonly file: string;
  readonly save: boolean;
  /** Monotonic machine time in ms. */
  readonly stopwatch: () => number;
  /** What is told after its name when somebody else has changed it. */
  readonly conflict?: string;
  readonly onState?: () => void;
  /** The document that was read last is in the file. */
  readonly onSaved?: () => void;
  /** Told in one sentence why nothing is saved, once as long as it stays so. */
  readonly onTrouble: (message: string) => void;
}

const CONFLICT =
  'was changed by another program, so nothing was saved over it. Reset to the workspace file to take its version; until then changes stay in memory.';

const TRIED_AGAIN = 'It is tried again at the next change.';

/** Times what is done in it, in ms. */
function startTimer(stopwatch: () => number) {
  let spent = 0;
  const working: Working = (step) => {
    const begun = stopwatch();
    try {
      return step();
    } finally {
      spent += stopwatch() - begun;
    }
  };
  return { working, spent: () => spent };
}

export function createSavedFile(options: SavedFileOptions): SavedFile {
  const { file, save, stopwatch, conflict = CONFLICT, onState, onSaved, onTrouble } = options;
  /** What we read from or wrote to the file; null while it is not there. */
  let known: Fingerprint | null = null;
  /** What the text made of memory is when it says the same as the file; not made before it is needed. */
  let settled: Fingerprint | Iterable<string> | null = null;
  let current: SaveState = { state: save ? 'saved' : 'memory', message: null };
  let told: string | null = null;
  /** What is to be saved next. */
  let wanted: SavedDocument = () => [];

  const setState = (state: SaveState['state'], message: string | null = null) => {
    if (current.state === state && current.message === message) return;
    current = { state, message };
    onState?.();
    if (state === 'saving' || message === told) return;
    told = message;
    if (message !== null) onTrouble(message);
  };
  const settledText = async () => {
    if (settled !== null && Symbol.iterator in settled) settled = await fingerprintOf(settled);
    return settled;
  };
  const write = async (document: SavedDocument, working: Working) => {
    const text = working(document);
    if (await isOther(file, known)) {
      setState('conflict', `${basename(file)} ${conflict}`);
      return;
    }
    const unless = await settledText();
    const written = await replaceFile({ file, text, unless, working });
    if (!isSame(written, unless)) known = written;
    settled = written;
    onSaved?.();
    // What changed meanwhile is not in it.
    if (!schedule.isRequested()) setState('saved');
  };
  const attempt = async (): Promise<number> => {
    const { working, spent } = startTimer(stopwatch);
    try {
      await write(wanted, working);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      setState('failed', `${basename(file)} could not be saved: ${why}. ${TRIED_AGAIN}`);
    }
    return spent();
  };
  const schedule = createSaveSchedule({ stopwatch, save: attempt });

  return {
    file,
    save,
    read: async () => {
      const found = await readIfThere(file);
      known = found?.fingerprint ?? null;
      return found?.text ?? null;
    },
    settle: (document) => {
      settled = document ?? known;
      // A save under way may yet write what was before: it is followed by one of what is now.
      if (schedule.isSaving()) return;
      schedule.cancel();
      if (save) setState('saved');
    },
    changed: (document) => {
      if (!save) return;
      wanted = document;
      setState('saving');
      schedule.request();
    },
    flush: schedule.flush,
    state: () => current,
  };
}
