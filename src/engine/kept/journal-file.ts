// The journal's file: lines appended to its end and cut from its beginning. A place in it keeps its number
// whatever is cut before it. It does not know what the lines say, nor when they are written.

import { readFile, rm, stat } from 'node:fs/promises';
import { appendDurably, replaceFile } from '../files/atomic-file.ts';
import { readIfThere } from '../files/file-text.ts';

export interface JournalFile {
  /** Every line that is JSON: one cut short by a crash is left out. */
  readonly read: () => Promise<readonly unknown[]>;
  /** Resolves when they are on disk. Rejects when they are not, or only in part. */
  readonly append: (lines: readonly string[]) => Promise<void>;
  /** Removes what comes before the place. */
  readonly cut: (place: number) => Promise<void>;
  /** The place where it ends now. */
  readonly end: () => number;
  /** Returns null while there is no file. */
  readonly bytes: () => number | null;
}

export const LONG_BYTES = 1024 * 1024;
/** Reached only where the kept file has not been saved for a long time. */
export const MAX_BYTES = 64 * LONG_BYTES;

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

export function createJournalFile(file: string): JournalFile {
  /** Of the file; null while it is not there. */
  let bytes: number | null = null;
  /** Bytes that were ever taken from the beginning of the file. */
  let cutAway = 0;
  return {
    read: async () => {
      const found = await readIfThere(file);
      bytes = found?.fingerprint.bytes ?? null;
      return found === null ? [] : [...parseLines(found.text)];
    },
    append: async (lines) => {
      const text = inLines(lines);
      const before = bytes ?? 0;
      try {
        if (before + text.length > MAX_BYTES) throw new Error('it is too large');
        await appendDurably(file, text);
        bytes = before + text.length;
      } catch (error) {
        // A part of it may be there.
        const left = await sizeOf(file);
        cutAway += Math.max(0, before - (left ?? 0));
        bytes = left;
        throw error;
      }
    },
    cut: async (place) => {
      // What another process has added is not in what was saved: it stays, with the rest.
      if (bytes === null || ((await sizeOf(file)) ?? 0) > bytes) return;
      const first = place - cutAway;
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
    },
    end: () => cutAway + (bytes ?? 0),
    bytes: () => bytes,
  };
}
