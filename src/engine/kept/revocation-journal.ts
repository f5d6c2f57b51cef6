// Revocations on their way into the file of what is kept: a journal beside it, to which they are appended
// in batches. Whoever ends a token is answered once that is on disk. An entry that is in both, or twice in
// one, says the same as one, so the journal may be read after any crash; a line cut short was never told.

import { readFile, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Denial } from '../../core/model/denial.ts';
import { appendDurably, replaceFile } from '../files/atomic-file.ts';
import { readIfThere } from '../files/file-text.ts';

export interface RevocationJournal {
  /** What is in it from a run before. */
  readonly read: () => Promise<readonly unknown[]>;
  readonly add: (denial: Denial) => void;
  /** Everything added so far is on disk, or could not be written; null when nothing is on its way. */
  readonly synced: () => Promise<void> | null;
  /** What is added from now on is not in the text that is being saved. */
  readonly mark: () => void;
  /** What was added before the newest mark has been saved, and need not be here any more. */
  readonly cut: () => void;
  /** Whether there is so much in it that it should be saved. */
  readonly isLong: () => boolean;
  readonly isThere: () => boolean;
  /** Nothing is being written any more. */
  readonly idle: () => Promise<void>;
}

export interface RevocationJournalOptions {
  readonly file: string;
  /** Monotonic machine time in ms. */
  readonly stopwatch: () => number;
  readonly onTrouble: (message: string) => void;
  /** Saves what could not be appended with all the rest: the slower way. */
  readonly saveInstead: () => Promise<void>;
}

/** From one batch to the next at least: a revocation waits no longer for others to share its write. */
const BATCH_MS = 10;

const LONG_BYTES = 1024 * 1024;
/** Reached only where the kept file has not been saved for a long time. */
const MAX_BYTES = 64 * LONG_BYTES;

function lineOf({ key, reason, at, until, up_to }: Denial): string {
  return JSON.stringify({ key, reason, at, until, ...(up_to === undefined ? {} : { up_to }) });
}

/** Begins on a line of its own, whatever a crash has left before it. */
const inLines = (lines: readonly string[]) => `\n${lines.join('\n')}\n`;

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    if (end > start) yield text.slice(start, end);
    start = end + 1;
  }
}

function* parseLines(text: string): Generator {
  for (const line of linesOf(text)) {
    try {
      yield JSON.parse(line);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
}

/** null for a file that is not there or cannot be looked at. */
const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => null,
  );

export function createRevocationJournal(options: RevocationJournalOptions): RevocationJournal {
  const { file, stopwatch, onTrouble, saveInstead } = options;
  /** Those to be appended next. */
  let waiting: string[] = [];
  /** Of the file; null while it is not there. */
  let bytes: number | null = null;
  /** Bytes that were ever taken from the beginning of the file, so that a place in it keeps its number. */
  let cutAway = 0;
  /** Where the file ended at the newest mark: what is added later comes behind. */
  let marked = 0;
  let batchedAt = -BATCH_MS;
  let newestBatch: Promise<void> | null = null;
  let turn: Promise<void> = Promise.resolve();
  let told: string | null = null;

  /** One operation at a time. */
  const runExclusive = (step: () => Promise<void>): Promise<void> => {
    turn = turn.then(step);
    return turn;
  };
  /** Told once as long as it stays so. */
  const tell = (error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    const message = `${basename(file)} could not be written: ${why}. Each revocation saves the file beside it as a whole now.`;
    if (message !== told) onTrouble(message);
    told = message;
  };
  const append = async () => {
    const lines = waiting;
    waiting = [];
    batchedAt = stopwatch();
    const text = inLines(lines);
    try {
      const before = bytes ?? 0;
      if (before + text.length > MAX_BYTES) throw new Error('it has grown too large');
      await appendDurably(file, text);
      bytes = before + text.length;
      told = null;
    } catch (error) {
      tell(error);
      // A part of it may be there.
      const left = await sizeOf(file);
      cutAway += Math.max(0, (bytes ?? 0) - (left ?? 0));
      bytes = left;
      await saveInstead();
    }
  };
  const startBatch = () => {
    const left = Math.max(0, batchedAt + BATCH_MS - stopwatch());
    const gathered = new Promise<void>((resolve) => {
      if (left > 0) setTimeout(resolve, left);
      else setImmediate(resolve);
    });
    const batch = gathered.then(() => runExclusive(append));
    newestBatch = batch;
    void batch.then(() => {
      if (newestBatch === batch) newestBatch = null;
    });
  };
  /** @param upTo where that ends which was saved */
  const cut = async (upTo: number) => {
    // What another process has added is not in what was saved: it stays, with the rest.
    if (bytes === null || ((await sizeOf(file)) ?? 0) > bytes) return;
    const first = upTo - cutAway;
    try {
      if (first >= bytes) {
        await rm(file, { force: true });
        cutAway += bytes;
        bytes = null;
      } else if (first > 0) {
        const rest = (await readFile(file)).subarray(first).toString();
        const { bytes: written } = await replaceFile({ file, text: [rest] });
        cutAway += bytes - written;
        bytes = written;
      }
    } catch (error) {
      tell(error);
    }
  };
  return {
    read: async () => {
      const found = await readIfThere(file);
      bytes = found?.fingerprint.bytes ?? null;
      return found === null ? [] : [...parseLines(found.text)];
    },
    add: (denial) => {
      if (waiting.push(lineOf(denial)) === 1) startBatch();
    },
    synced: () => newestBatch,
    mark: () => {
      marked = cutAway + (bytes ?? 0);
    },
    cut: () => {
      // By the time of its turn there may be another mark, of a save that is not over.
      const upTo = marked;
      void runExclusive(() => cut(upTo));
    },
    isLong: () => bytes !== null && bytes > LONG_BYTES,
    isThere: () => bytes !== null,
    idle: async () => {
      await newestBatch;
      await turn;
    },
  };
}
