// Files that commands name: texts that are read, results that are written whole or not at all, reports.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFileSync } from '../engine/files/atomic-file.ts';
import { readRegularFile } from '../engine/files/file-text.ts';
import { CommandError } from './command-error.ts';
import { readInput, remark } from './terminal/print.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Signals received meanwhile are ignored: writing is one step of this process. */
function undisturbed(work: () => void): void {
  const ignore = () => undefined;
  for (const signal of SIGNALS) process.on(signal, ignore);
  try {
    work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
}

/** @throws CommandError when it could not be written; the former file is then as it was */
export function saveText(file: string, text: string): void {
  try {
    undisturbed(() => {
      replaceFileSync({ file, text, keepMode: true });
    });
  } catch (error) {
    throw new CommandError(1, `${file} could not be written: ${(error as Error).message}.`);
  }
}

/**
 * Text of a file; - is standard input.
 * @param what it is, in the answer to a terminal
 * @throws CommandError when it cannot be read
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
    throw new CommandError(2, `${file} cannot be read: ${(error as Error).message}.`);
  }
}

/** Makes their folders if there are none. @returns whether all of them could be written; else says which not */
export async function writeReports(
  files: readonly string[],
  textFor: (file: string) => string,
  say = remark,
): Promise<boolean> {
  let written = true;
  for (const file of files) {
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, textFor(file));
    } catch (error) {
      written = false;
      const { message } = error as Error;
      say(`The report ${file} could not be written: ${message}.`);
    }
  }
  return written;
}
