// Revocations on their way into the file of what is kept: a journal beside it, to which they are appended
// in batches. Whoever ends a token is answered once that is on disk. An entry that is in both, or twice in
// one, says the same as one, so the journal may be read after any crash; a line cut short was never told.

import { rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Denial } from '../core/denials.ts';
import { appendDurably, replaceFile } from './atomic-file.ts';
import { readIfThere, unlessMissing } from './file-text.ts';

export interface RevocationJournal {
  /** What is in it from a run before. */
  readonly read: () => Promise<readonly unknown[]>;
  readonly add: (denial: Denial) => void;
  /** Everything added so far is on disk, or could not be written; null when nothing is on its way. */
  readonly synced: () => Promise<void> | null;
  /** What is added from now on is not in the text that is being saved. */
  readonly mark: () => void;
  /** What was added before the mark has been saved, and need not be here any more. */
  readonly cut: () => void;
  /** Whether there is so much in it that it should be saved. */
  readonly isLong: () => boolean;
  readonly isEmpty: () => boolean;
  /** Nothing is being written any more. */
  readonly idle: () => Promise<void>;
}

export interface RevocationJournalOptions {
  readonly file: string;
  /** Monotonic machine time in ms. */
  readonly stopwatch: () => number;
  readonly onTrouble: (message: string) => void;
}

/** From the start of one batch to the next: a revocation waits no longer for others to share its write. */
const BATCH_MS = 10;

const LONG_BYTES = 1024 * 1024;
/** Reached only where the kept file cannot be saved for a long time. */
const MAX_BYTES = 64 * LONG_BYTES;

function lineOf({ key, reason, at, until, up_to }: Denial): string {
  return JSON.stringify({ key, reason, at, until, ...(up_to === undefined ? {} : { up_to }) });
}

/** Begins on a line of its own, whatever a crash has left before it. */
const inLines = (lines: readonly string[]) => `\n${lines.join('\n')}\n`;

function* parseLines(text: string): Generator {
  for (const line of text.split('\n')) {
    try {
      if (line !== '') yield JSON.parse(line);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
}

export function createRevocationJournal(options: RevocationJournalOptions): RevocationJournal {
  const { file, stopwatch, onTrouble } = options;
  /** Those to be appended next, and all since the mark. */
  let waiting: string[] = [];
  let sinceMark: string[] = [];
  let bytes = 0;
  let batchedAt = -BATCH_MS;
  let newestBatch: Promise<void> | null = null;
  let turn: Promise<void> = Promise.resolve();
  let told: string | null = null;

  /** One operation at a time; what goes wrong is told once as long as it stays so. */
  const inTurn = (step: () => Promise<void>): Promise<void> => {
    turn = turn.then(step).then(
      () => {
        told = null;
      },
      (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        const message = `${basename(file)} could not be written: ${why}. Until it can, revocations may be lost with this run.`;
        if (message !== told) onTrouble(message);
        told = message;
      },
    );
    return turn;
  };
  const append = async () => {
    const lines = waiting;
    waiting = [];
    batchedAt = stopwatch();
    const text = inLines(lines);
    if (bytes + text.length > MAX_BYTES) throw new Error('it has grown too large');
    await appendDurably(file, text);
    bytes += text.length;
  };
  const startBatch = () => {
    const left = Math.max(0, batchedAt + BATCH_MS - stopwatch());
    const gathered = new Promise((resolve) => setTimeout(resolve, left));
    const batch = gathered.then(() => inTurn(append));
    newestBatch = batch;
    void batch.then(() => {
      if (newestBatch === batch) newestBatch = null;
    });
  };
  const cut = async () => {
    if (bytes === 0) return;
    const size = (await unlessMissing(stat(file)))?.size ?? 0;
    // What another process has added is not in what was saved: it stays, with the rest.
    if (size > bytes) return;
    const text = sinceMark.length === 0 ? '' : inLines(sinceMark);
    if (text === '') await rm(file, { force: true });
    else await replaceFile({ file, text: [text] });
    bytes = text.length;
  };
  return {
    read: async () => {
      const found = await readIfThere(file);
      bytes = found?.fingerprint.bytes ?? 0;
      return found === null ? [] : [...parseLines(found.text)];
    },
    add: (denial) => {
      const line = lineOf(denial);
      sinceMark.push(line);
      if (waiting.push(line) === 1) startBatch();
    },
    synced: () => newestBatch,
    mark: () => {
      sinceMark = [];
    },
    cut: () => {
      void inTurn(cut);
    },
    isLong: () => bytes > LONG_BYTES,
    isEmpty: () => bytes === 0,
    idle: async () => {
      while (newestBatch !== null) await newestBatch;
      await turn;
    },
  };
}
