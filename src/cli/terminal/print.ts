// Writes to standard output: text for people, JSON for programs. If the reader closes the pipe (`| head`), the
// command ends without an error; if output cannot be written, it ends with the reason.

import { styleText } from 'node:util';
import { CommandError } from '../command-error.ts';

export type Style = Parameters<typeof styleText>[0];

const colours = process.stdout.isTTY && !process.env['NO_COLOR'];

/** Colours are only for terminals, unless NO_COLOR is set. */
export const paint = (style: Style, text: string): string =>
  colours ? styleText(style, text) : text;

/** Escapes control characters in received text, which could otherwise move the terminal's cursor. */
export const withoutControls = (text: string): string =>
  text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?');

/** Joins the lines of a text into one escaped line. */
export const inOneLine = (text: string): string =>
  withoutControls(text)
    .split('\n')
    .map((line) => line.trim())
    .join(' ');

let isWatched = false;

/** Writes a text to standard output as it is. */
export function write(text: string): void {
  if (!isWatched) process.stdout.on('error', endWithReader);
  isWatched = true;
  process.stdout.write(text);
}

function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`Cannot write the output: ${error.message}.\n`);
  process.exit(1);
}

export function print(text: string): void {
  write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Prints a remark, which is not part of the result, to standard error. */
export function remark(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Reads text from standard input. @throws CommandError if standard input is a terminal */
export async function readInput(what: string): Promise<string> {
  if (process.stdin.isTTY) {
    throw new CommandError(
      2,
      `- reads ${what} from standard input. Pipe it in, or give it as an argument.`,
    );
  }
  const { MAX_FILE_BYTES } = await import('../../engine/files/file-text.ts');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES)
      throw new CommandError(2, `Standard input is longer than ${MAX_FILE_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
