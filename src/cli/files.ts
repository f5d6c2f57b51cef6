// Reads and writes the files that commands name. A file is written completely or not at all.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { replaceFileSync } from '../engine/files/atomic-file.ts';
import { readRegularFile } from '../engine/files/file-text.ts';
import { CommandError } from './command-error.ts';
import { readInput, remark } from './terminal/print.ts';

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

/** The texts of a report by the ending of its file, such as `xml`. */
type ReportTexts = Readonly<Record<string, () => string>>;

function textFor(file: string, texts: ReportTexts): string {
  const text = texts[extname(file).slice(1).toLowerCase()];
  if (text === undefined) throw new Error('a report has no format with this ending');
  return text();
}

/** Writes reports and creates missing folders. @returns whether all reports were written; prints which were not */
export async function writeReports(
  files: readonly string[],
  texts: ReportTexts,
  say = remark,
): Promise<boolean> {
  let written = true;
  for (const file of files) {
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, textFor(file, texts));
    } catch (error) {
      written = false;
      const { message } = error as Error;
      say(`Cannot write the report ${file}: ${message}.`);
    }
  }
  return written;
}
