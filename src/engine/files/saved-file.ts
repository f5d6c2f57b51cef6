// Where a workspace, or what is kept beside it, is saved: read at start, replaced soon after each change,
// off the path of requests. A file that somebody else has changed since is left alone; that, and a save
// that fails, is told.

import { basename } from 'node:path';
import type { ServerState } from '../../control/schemas.ts';
import { replaceFile, type Working } from './atomic-file.ts';
import { createSaveSchedule } from './save-schedule.ts';
import { type Fingerprint, fingerprintOf, isOther, isSame, readIfThere } from './file-text.ts';

type SaveState = Pick<ServerState['workspace'], 'state' | 'message'>;

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
  /** Saves this once, for somebody who waits for it. @throws Error that says why it is not saved */
  readonly saveNow: (document: SavedDocument) => Promise<void>;
  readonly state: () => SaveState;
}

interface SavedFileOptions {
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
  'was changed by another program, so it was not overwritten. Reset to the workspace file to load its version. Until then, changes stay in memory.';

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

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

/** What is shown of the saving, and reported: trouble once as long as it stays the same. */
function createSaveReport({ save, onState, onTrouble }: SavedFileOptions) {
  let current: SaveState = { state: save ? 'saved' : 'memory', message: null };
  let reported: string | null = null;
  return {
    current: () => current,
    set: (state: SaveState['state'], message: string | null = null) => {
      if (current.state === state && current.message === message) return;
      current = { state, message };
      onState?.();
      if (state === 'saving' || message === reported) return;
      reported = message;
      if (message !== null) onTrouble(message);
    },
  };
}

export function createSavedFile(options: SavedFileOptions): SavedFile {
  const { file, save, stopwatch, conflict = CONFLICT, onSaved } = options;
  const report = createSaveReport(options);
  const known = createKnownText(file);
  /** What is to be saved next. */
  let wanted: SavedDocument = () => [];

  const write = async (document: SavedDocument, working: Working) => {
    if (!(await known.replace(working(document), working))) {
      report.set('conflict', `${basename(file)} ${conflict}`);
      return;
    }
    onSaved?.();
    // What changed meanwhile is not in it.
    if (!schedule.isRequested()) report.set('saved');
  };
  const attempt = async (): Promise<number> => {
    const { working, spent } = startTimer(stopwatch);
    try {
      await write(wanted, working);
    } catch (error) {
      const why = `${basename(file)} could not be saved: ${reasonOf(error)}.`;
      report.set('failed', `${why} Saving is tried again at the next change.`);
    }
    return spent();
  };
  const schedule = createSaveSchedule({ stopwatch, save: attempt });

  return {
    file,
    save,
    read: known.read,
    settle: (document) => {
      known.settle(document);
      // A save under way may yet write what was before: it is followed by one of what is now.
      if (schedule.isSaving()) return;
      schedule.cancel();
      if (save) report.set('saved');
    },
    changed: (document) => {
      if (!save) return;
      wanted = document;
      report.set('saving');
      schedule.request();
    },
    flush: schedule.flush,
    saveNow: async (document) => {
      if (!(await known.replace(document()))) throw new Error('was changed by another program');
    },
    state: report.current,
  };
}

interface KnownText {
  /** The text now in the file; null when there is none. */
  readonly read: () => Promise<string | null>;
  /** A text of this kind says what the file says. Left out when it is the one that was read. */
  readonly settle: (text?: Iterable<string>) => void;
  /**
   * @returns false when somebody else has changed the file, which then stays as it is
   * @throws Error of the system, or because the text cannot be made
   */
  readonly replace: (text: Iterable<string>, working?: Working) => Promise<boolean>;
}

export function createKnownText(file: string): KnownText {
  /** What we read from or wrote to the file; null while it is not there. */
  let known: Fingerprint | null = null;
  /** What the text made of memory is when it says the same as the file; not made before it is needed. */
  let settled: Fingerprint | Iterable<string> | null = null;

  const settledText = async () => {
    if (settled !== null && Symbol.iterator in settled) settled = await fingerprintOf(settled);
    return settled;
  };
  return {
    read: async () => {
      const found = await readIfThere(file);
      known = found?.fingerprint ?? null;
      return found?.text ?? null;
    },
    settle: (text) => {
      settled = text ?? known;
    },
    replace: async (text, working) => {
      if (await isOther(file, known)) return false;
      const unless = await settledText();
      const written = await replaceFile({ file, text, unless, ...(working && { working }) });
      if (!isSame(written, unless)) known = written;
      settled = written;
      return true;
    },
  };
}
