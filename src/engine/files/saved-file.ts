// The file of a workspace or of kept state: read at the start, and replaced soon after each change without delaying
// requests. A file that another program has changed is not overwritten; this and failed saves are reported.

import { basename } from 'node:path';
import type { ServerState } from '../../control/schemas.ts';
import { messageOf } from '../errors.ts';
import { replaceFile, type Working } from './atomic-file.ts';
import { createSaveSchedule } from './save-schedule.ts';
import { type Fingerprint, fingerprintOf, isOther, isSame, readIfThere } from './file-text.ts';

type SaveState = Pick<ServerState['workspace'], 'state' | 'message'>;

/**
 * The document to save. A call takes a snapshot, so that later changes are not included; the text is generated in
 * parts as it is read.
 */
export type SavedDocument = () => Iterable<string>;

export type SavedFile = ReturnType<typeof createSavedFile>;

interface SavedFileOptions {
  readonly file: string;
  readonly save: boolean;
  /** Monotonic machine time in ms. */
  readonly stopwatch: () => number;
  /** The message after the file name if another program has changed the file. */
  readonly conflict?: string;
  readonly onState?: () => void;
  /** Called when the document that was read last is in the file. */
  readonly onSaved?: () => void;
  /** Called with a sentence why nothing is saved, once for each problem. */
  readonly onTrouble: (message: string) => void;
}

const CONFLICT =
  'was changed by another program, so it was not overwritten. Reset to the workspace file to load its version. Until then, changes stay in memory.';

/** Measures the time of functions, in ms. */
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

/** The displayed state of saving. A problem is reported once until it changes. */
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

export function createSavedFile(options: SavedFileOptions) {
  const { file, save, stopwatch, conflict = CONFLICT, onSaved } = options;
  const report = createSaveReport(options);
  const known = createKnownText(file);
  let wanted: SavedDocument = () => [];

  const write = async (document: SavedDocument, working: Working) => {
    if (!(await known.replace(working(document), working))) {
      report.set('conflict', `${basename(file)} ${conflict}`);
      return;
    }
    onSaved?.();
    // It does not include later changes.
    if (!schedule.isRequested()) report.set('saved');
  };
  const attempt = async (): Promise<number> => {
    const { working, spent } = startTimer(stopwatch);
    try {
      await write(wanted, working);
    } catch (error) {
      const why = `${basename(file)} could not be saved: ${messageOf(error)}.`;
      report.set('failed', `${why} Saving is tried again at the next change.`);
    }
    return spent();
  };
  const schedule = createSaveSchedule({ stopwatch, save: attempt });

  return {
    file,
    save,
    /** Reads the text of the file; null if it does not exist. */
    read: known.read,
    /**
     * Declares that the document is equal to the text that was read, so that nothing is saved, and later saves may replace
     * that text. The text is undefined if it is exactly the one that was read.
     */
    settle: (document?: Iterable<string>) => {
      known.settle(document);
      // A running save may still write the previous document, so another save follows it.
      if (schedule.isSaving()) return;
      schedule.cancel();
      if (save) report.set('saved');
    },
    /** Saves soon after a change. Changes during a save are included in the next one. */
    changed: (document: SavedDocument) => {
      if (!save) return;
      wanted = document;
      report.set('saving');
      schedule.request();
    },
    /** Resolves when all changes so far were saved or saving has failed. */
    flush: schedule.flush,
    /** Saves this document immediately, in place of what was read. @throws Error that says why it was not saved */
    saveNow: async (document: SavedDocument): Promise<void> => {
      known.settle();
      if (!(await known.replace(document()))) throw new Error('was changed by another program');
    },
    state: report.current,
  };
}

/** The text of a file as it was last taken over or written. */
export function createKnownText(file: string) {
  /** The digest of that text; null if there was none. */
  let known: Fingerprint | null = null;
  /** The digest of what was last read or written. What is read only to look at it may be invalid, or not wanted. */
  let latest: Fingerprint | null = null;
  /** The digest of the generated text that is equal to the file; computed on demand. */
  let settled: Fingerprint | Iterable<string> | null = null;

  const settledText = async () => {
    if (settled !== null && Symbol.iterator in settled) settled = await fingerprintOf(settled);
    return settled;
  };
  return {
    /** Reads the text of the file; null if it does not exist. */
    read: async (): Promise<string | null> => {
      const found = await readIfThere(file);
      latest = found?.fingerprint ?? null;
      return found?.text ?? null;
    },
    /**
     * Takes over what was read, and declares that this document is equal to it. The text is undefined if it is exactly
     * the one that was read.
     */
    settle: (text?: Iterable<string>) => {
      known = latest;
      settled = text ?? known;
    },
    /**
     * @returns false if another program has changed the file, which is then not overwritten
     * @throws Error of the system, or of generating the text
     */
    replace: async (text: Iterable<string>, working?: Working): Promise<boolean> => {
      if (await isOther(file, known)) return false;
      const unless = await settledText();
      const written = await replaceFile({ file, text, unless, ...(working && { working }) });
      if (!isSame(written, unless)) known = written;
      latest = known;
      settled = written;
      return true;
    },
  };
}
