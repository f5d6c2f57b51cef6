// Revocations that are not in the --keep file yet, appended to a journal in batches. A revocation is confirmed once
// it is on disk. Duplicate entries have no effect, so the journal can be read after any crash; a truncated line was
// never confirmed.

import { basename } from 'node:path';
import type { Denial } from '../../core/model/denial.ts';
import { messageOf } from '../errors.ts';
import { createRunExclusive } from '../promises.ts';
import { createJournalFile, LONG_BYTES } from './journal-file.ts';

export type RevocationJournal = ReturnType<typeof createRevocationJournal>;

interface RevocationJournalOptions {
  readonly file: string;
  /** In ms of monotonic time. */
  readonly stopwatch: () => number;
  readonly onTrouble: (message: string) => void;
  /** Saves the whole file if entries cannot be appended, which is slower. */
  readonly saveInstead: () => Promise<void>;
}

/** Minimum interval between batches, and the longest time that a revocation waits for others. */
const BATCH_MS = 10;

const lineOf = ({ key, reason, at, until, up_to, with_client }: Denial): string =>
  JSON.stringify({ key, reason, at, until, up_to, with_client });

/**
 * Collects lines briefly, so that they are written together.
 * @param write gets a function that takes all collected lines
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
    /** The batch being collected or written last; null if all are written. */
    newest: () => newest,
  };
}

export function createRevocationJournal(options: RevocationJournalOptions) {
  const { stopwatch, onTrouble, saveInstead } = options;
  const file = createJournalFile(options.file);
  const runExclusive = createRunExclusive();
  /** The end of the file at the newest mark; later entries follow it. */
  let marked = 0;
  let reported: string | null = null;

  /** Reported once until it changes. */
  const report = (error: unknown) => {
    const message = `${basename(options.file)} could not be written: ${messageOf(error)}. Until it can be written, each revocation saves the whole file next to it.`;
    if (message !== reported) onTrouble(message);
    reported = message;
  };
  const append = async (lines: readonly string[]) => {
    try {
      await file.append(lines);
      reported = null;
    } catch (error) {
      report(error);
      await saveInstead();
    }
  };
  const batches = createBatches(stopwatch, (take) => runExclusive(() => append(take())));
  return {
    /** Reads the entries of an earlier run. */
    read: file.read,
    add: (denial: Denial) => {
      batches.add(lineOf(denial));
    },
    /** Resolves when all entries so far are on disk or writing has failed; null if none are pending. */
    synced: batches.newest,
    /** Marks that later entries are not in the text being saved. */
    mark: () => {
      marked = file.end();
    },
    /** Removes entries before the newest mark, which were saved. */
    cut: () => {
      // Meanwhile, an unfinished save may have set another mark.
      const upTo = marked;
      void runExclusive(() => file.cut(upTo).catch(report));
    },
    /** Whether the journal is so large that the file should be saved. */
    isLong: () => (file.bytes() ?? 0) > LONG_BYTES,
    isThere: () => file.bytes() !== null,
    /** Resolves when no write is in progress. */
    idle: async (): Promise<void> => {
      await batches.newest();
      await runExclusive(() => Promise.resolve());
    },
  };
}
