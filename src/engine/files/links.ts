// Where a file of the user's is that may be reached over links, whether or not it is there itself: whoever
// replaces a file replaces what the link leads to, so that the link stays one. Twice, because a save must
// not hold the event loop, and a window that closes waits for nothing.

import { readlinkSync, realpathSync } from 'node:fs';
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { nullIfMissing, unlessMissing } from './file-text.ts';

const MOST_LINKS = 40;

const tooMany = (file: string) =>
  new Error(`${file} is a link that leads through more than ${MOST_LINKS} other links`);

/** @throws Error of the system, or because there are too many links */
export async function followLinks(file: string): Promise<string> {
  let path = resolve(file);
  for (let links = 0; links < MOST_LINKS; links++) {
    const real = await unlessMissing(realpath(path));
    if (real !== null) return real;
    const folder = (await unlessMissing(realpath(dirname(path)))) ?? dirname(path);
    const target = await unlessMissing(readlink(path));
    if (target === null) return join(folder, basename(path));
    path = resolve(folder, target);
  }
  throw tooMany(file);
}

/** The same, before it returns. */
export function followLinksSync(file: string): string {
  let path = resolve(file);
  for (let links = 0; links < MOST_LINKS; links++) {
    const at = path;
    const real = nullIfMissing(() => realpathSync(at));
    if (real !== null) return real;
    const folder = nullIfMissing(() => realpathSync(dirname(at))) ?? dirname(at);
    const target = nullIfMissing(() => readlinkSync(at));
    if (target === null) return join(folder, basename(at));
    path = resolve(folder, target);
  }
  throw tooMany(file);
}

/** Why a file cannot be put where a path leads, when there is no folder for it. */
export function describeMissingFolder(file: string, target: string): string {
  const folder = dirname(target);
  if (target === resolve(file)) return `there is no folder ${folder}`;
  return `it is a link to ${target}, and there is no folder ${folder}`;
}
