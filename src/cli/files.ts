// Reads and writes the files that commands name. A file is written completely or not at all. Reports: reports.ts.

import { replaceFileSync } from '../engine/files/atomic-file.ts';
import { readRegularFile } from '../engine/files/file-text.ts';
import { CommandError } from './command-error.ts';
import { readInput } from './terminal/print.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Signals have no effect while the file is written, because writing is synchronous. */
function undisturbed(work: () => void): void {
  const ignore = () => undefined;
  for (const signal of SIGNALS) process.on(signal, ignore);
  try {
    work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
}

/** @throws CommandError if the file cannot be written; an existing file is then unchanged */
export function saveText(file: string, text: string): void {
  try {
    undisturbed(() => {
      replaceFileSync({ file, text, keepMode: true });
    });
  } catch (error) {
    throw new CommandError(1, `Cannot write ${file}: ${(error as Error).message}.`);
  }
}

/**
 * Returns the text of a file; - is standard input.
 * @param what names the content in the message if input is a terminal
 * @throws CommandError if the file cannot be read
 */
export async function readText(
  file: string,
  what: string,
  decode = (bytes: Buffer) => bytes.toString(),
): Promise<string> {
  if (file === '-') return readInput(what);
  try {
    return decode(await readRegularFile(file));
  } catch (error) {
    throw new CommandError(2, `Cannot read ${file}: ${(error as Error).message}.`);
  }
}
