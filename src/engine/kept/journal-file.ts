// The file of the journal: lines are appended at the end and removed from the beginning. Positions keep their numbers
// when earlier lines are removed. It knows nothing of the content of lines or of when they are written.

import { readFile, rm, stat } from 'node:fs/promises';
import { appendDurably, replaceFile } from '../files/atomic-file.ts';
import { readIfThere } from '../files/file-text.ts';

export const LONG_BYTES = 1024 * 1024;
/** Only reached if the --keep file was not saved for a long time. */
export const MAX_BYTES = 64 * LONG_BYTES;

/** Begins with a newline, because a crash may have left an incomplete line. */
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

/** Returns null if the file does not exist, cannot be examined or is a folder. */
const sizeOf = (file: string) =>
  stat(file).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  );

export function createJournalFile(file: string) {
  /** The size of the file; null if it does not exist. */
  let bytes: number | null = null;
  /** Total bytes removed from the beginning of the file. */
  let cutAway = 0;
  return {
    /** Returns every line that is valid JSON; a line truncated by a crash is skipped. */
    read: async (): Promise<readonly unknown[]> => {
      const found = await readIfThere(file);
      bytes = found?.fingerprint.bytes ?? null;
      return found === null ? [] : [...parseLines(found.text)];
    },
    /** Resolves when the lines are on disk; rejects if they were not written completely. */
    append: async (lines: readonly string[]): Promise<void> => {
      const text = inLines(lines);
      const before = bytes ?? 0;
      try {
        if (before + text.length > MAX_BYTES) throw new Error('it is too large');
        await appendDurably(file, text);
        bytes = before + text.length;
      } catch (error) {
        // A part of it may have been written.
        const left = await sizeOf(file);
        cutAway += Math.max(0, before - (left ?? 0));
        bytes = left;
        throw error;
      }
    },
    /** Removes the lines before the position. */
    cut: async (place: number): Promise<void> => {
      // Lines of another process are not in the saved file, so they are kept.
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
    /** Returns the position of the end. */
    end: () => cutAway + (bytes ?? 0),
    /** Returns null if the file does not exist. */
    bytes: () => bytes,
  };
}
