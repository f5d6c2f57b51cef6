// A file with which an engine must not start, and which must stay unchanged.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { expect } from 'vitest';
import { WorkspaceError } from '../../src/engine/engine.ts';

/** Writes the content to the file, which is alone in its folder. @returns the problems, each with its path */
export async function problemsWith(
  file: string,
  content: string | Buffer,
  open: (file: string) => Promise<unknown>,
): Promise<string[]> {
  await writeFile(file, content);
  const failure = await open(file).catch((error: unknown) => error);
  expect(await readFile(file)).toEqual(Buffer.from(content));
  expect(await readdir(dirname(file))).toEqual([basename(file)]);
  if (!(failure instanceof WorkspaceError)) throw new Error('it was taken');
  expect(failure.file).toBe(file);
  return failure.problems.map(({ path, message }) => `${path} ${message}`.trim());
}
