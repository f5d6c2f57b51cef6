// The scenarios to run: files, and folders of them, each read and checked before any is run.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ParsedScenario } from '../../../scenario/reader/parse.ts';
import { readScenario } from './own-sandbox.ts';

export interface ScenarioFile {
  readonly file: string;
  readonly parsed: ParsedScenario;
}

/** A file that cannot be run: each line names the place and the rule. */
export interface BadFile {
  readonly file: string;
  readonly lines: readonly string[];
}

const ENDING = '.scenario.json';

async function scenariosIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith(ENDING) && !/(^|[\\/])node_modules[\\/]/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

const isBad = (found: string[] | BadFile): found is BadFile => !Array.isArray(found);

const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user may not read it',
};

function unreadable(file: string, error: unknown): BadFile {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return { file, lines: [`${file}: ${SYSTEM[code] ?? message}`] };
}

async function filesAt(path: string): Promise<string[] | BadFile> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const found = await scenariosIn(path);
    if (found.length > 0) return found;
    return { file: path, lines: [`${path}: it contains no file that ends in ${ENDING}`] };
  } catch (error) {
    return unreadable(path, error);
  }
}

async function readOne(file: string): Promise<ScenarioFile | BadFile> {
  try {
    const parsed = await readScenario(await readFile(file, 'utf8'));
    if (!('problems' in parsed)) return { file, parsed };
    const lines = parsed.problems.map(({ line, column, path, message }) =>
      [`${file}:${line}:${column}:`, path, message].filter((part) => part !== '').join(' '),
    );
    return { file, lines };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return unreadable(file, error);
    throw error;
  }
}

/** All of them, or what is wrong with some. */
export async function readFiles(
  paths: readonly string[],
): Promise<{ readonly scenarios: readonly ScenarioFile[]; readonly bad: readonly BadFile[] }> {
  const found = await Promise.all(paths.map(filesAt));
  const files = new Set(found.flatMap((one) => (isBad(one) ? [] : one)));
  const read = await Promise.all([...files].map(readOne));
  return {
    scenarios: read.filter((one) => 'parsed' in one),
    bad: [...found.filter(isBad), ...read.filter((one) => 'lines' in one)],
  };
}
