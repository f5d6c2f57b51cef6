// Revocations on their way into the file of what is kept: a journal beside it, to which they are appended
// in batches. Whoever ends a token is answered once that is on disk. An entry that is in both, or twice in
// one, says the same as one, so the journal may be read after any crash; a line cut short was never told.

import { basename } from 'node:path';
import type { Denial } from '../../core/model/denial.ts';
import { createRunExclusive } from '../promises.ts';
import { createJournalFile, LONG_BYTES } from './journal-file.ts';

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

interface RevocationJournalOptions {
  readonly file: string;
  /** Monotonic machine time in ms. */
  readonly stopwatch: () => number;
  readonly onTrouble: (message: string) => void;
  /** Saves what could not be appended with all the rest: the slower way. */
  readonly saveInstead: () => Promise<void>;
}

/** From one batch to the next at least: a revocation waits no longer for others to share its write. */
const BATCH_MS = 10;

function lineOf({ key, reason, at, until, up_to }: Denial): string {
  return JSON.stringify({ key, reason, at, until, ...(up_to === undefined ? {} : { up_to }) });
}

/**
 * Lines gathered for a moment, so that those added together are written together.
 * @param write handed what takes all lines gathered by then
 */
function createBatches(
  stopwatch: () => number,
  write: (take: () => readonly string[]) => Promise<void>,
) {
  let waiting: string[] = [];
  let takenAt = -BATCH_MS;
  let newest: Promise<void> | null = null;

  const take = () => {
    const lines = waiting;
    waiting = [];
    takenAt = stopwatch();
    return lines;
  };
  const start = () => {
    const left = Math.max(0, takenAt + BATCH_MS - stopwatch());
    const gathered = new Promise<void>((resolve) => {
      if (left > 0) setTimeout(resolve, left);
      else setImmediate(resolve);
    });
    const batch = gathered.then(() => write(take));
    newest = batch;
    void batch.then(() => {
      if (newest === batch) newest = null;
    });
  };
  return {
    add: (line: string) => {
      if (waiting.push(line) === 1) start();
    },
    /** The batch that is gathered or written last; null when all are written. */
    newest: () => newest,
  };
}

export function createRevocationJournal(options: RevocationJournalOptions): RevocationJournal {
  const { stopwatch, onTrouble, saveInstead } = options;
  const file = createJournalFile(options.file);
  const runExclusive = createRunExclusive();
  /** Where the file ended at the newest mark: what is added later comes behind. */
  let marked = 0;
  let told: string | null = null;

  /** Told once as long as it stays so. */
  const tell = (error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    const message = `${basename(options.file)} could not be written: ${why}. From now on, each revocation saves the whole file next to it.`;
    if (message !== told) onTrouble(message);
    told = message;
  };
  const append = async (lines: readonly string[]) => {
    try {
      await file.append(lines);
      told = null;
    } catch (error) {
      tell(error);
      await saveInstead();
    }
  };
  const batches = createBatches(stopwatch, (take) => runExclusive(() => append(take())));
  return {
    read: file.read,
    add: (denial) => {
      batches.add(lineOf(denial));
    },
    synced: batches.newest,
    mark: () => {
      marked = file.end();
    },
    cut: () => {
      // By the time of its turn there may be another mark, of a save that is not over.
      const upTo = marked;
      void runExclusive(() => file.cut(upTo).catch(tell));
    },
    isLong: () => (file.bytes() ?? 0) > LONG_BYTES,
    isThere: () => file.bytes() !== null,
    idle: async () => {
      await batches.newest();
      await runExclusive(() => Promise.resolve());
    },
  };
}
