// Reading and replacing files of the user's whole: a new text is written in pieces to a temporary file
// that only its owner may read, flushed to disk and renamed over the old one. A link stays a link, and
// what it leads to is written. What the text means, and when it is saved, is for others to know.

import type { FileHandle } from 'node:fs/promises';
import { access, chmod, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Fingerprint } from './file-text.ts';
import {
  checkSize,
  codeOf,
  inPieces,
  isSame,
  startFingerprint,
  unlessMissing,
} from './file-text.ts';
import { describeMissingFolder, followLinks } from './links.ts';

export const OWNER_ONLY = 0o600;

/** A missing folder is made, but not where a link leads: that may be a disk that is not mounted. */
async function checkFolder(file: string, target: string): Promise<void> {
  const folder = dirname(target);
  if ((await unlessMissing(stat(folder))) !== null) return;
  if (target !== resolve(file)) throw new Error(describeMissingFolder(file, target));
  await mkdir(folder, { recursive: true });
}

async function writePieces(
  handle: FileHandle,
  text: Iterable<string>,
  working: Working,
): Promise<Fingerprint> {
  const fingerprint = startFingerprint();
  const pieces = inPieces(text);
  let bytes = 0;
  const next = (): Buffer | null => {
    const { value, done } = pieces.next();
    if (done === true) return null;
    bytes += value.length;
    checkSize(bytes);
    fingerprint.add(value);
    return value;
  };
  for (;;) {
    const piece = working(next);
    if (piece === null) return fingerprint.end();
    // Unlike write(), this goes on where the system took only a part, as a disk nearly full does.
    await handle.writeFile(piece);
  }
}

/** Where the superuser saves a user's file, it stays that user's. */
async function keepOwner(handle: FileHandle, target: string): Promise<void> {
  const before = await unlessMissing(stat(target));
  if (before === null || process.platform === 'win32') return;
  const { uid, gid } = await handle.stat();
  if (before.uid === uid && before.gid === gid) return;
  await handle.chown(before.uid, before.gid).catch((error: unknown) => {
    if (codeOf(error) !== 'EPERM') throw error;
  });
}

const BUSY_TRIES = 50;
const BUSY_MS = 100;

/** On Windows a virus scanner or an editor may hold the file for a moment. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const busy = ['EACCES', 'EBUSY', 'EPERM'].includes(codeOf(error) ?? '');
      if (process.platform !== 'win32' || !busy || tries === BUSY_TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, BUSY_MS));
    }
  }
}

/** So that the new name outlives a loss of power too; not every file system can do that. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (!['EACCES', 'EINVAL', 'ENOTSUP', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
  }
}

/** Swept at the next start where it was left behind. */
export const temporaryName = (target: string) =>
  `${target}.tmp-${process.pid}-${process.hrtime.bigint().toString(16)}`;

/** Surrounds the making of a piece, so that it can be timed. */
export type Working = <T>(step: () => T) => T;

const atOnce: Working = (step) => step();

export interface Replacement {
  readonly file: string;
  /** Read piece by piece; the event loop runs between them. */
  readonly text: Iterable<string>;
  /** The file is left alone when the text turns out to be this one. */
  readonly unless?: Fingerprint | null;
  readonly working?: Working;
}

/**
 * Puts a text in the place of the file's, all or nothing.
 * @returns what tells the text from others
 * @throws Error of the system, or because the text is too large
 */
export async function replaceFile(replacement: Replacement): Promise<Fingerprint> {
  const { file, text, unless = null, working = atOnce } = replacement;
  const target = await followLinks(file);
  await checkFolder(file, target);
  await unlessMissing(access(target, constants.W_OK));
  const temporary = temporaryName(target);
  const handle = await open(temporary, 'wx', OWNER_ONLY);
  try {
    let written: Fingerprint;
    try {
      written = await writePieces(handle, text, working);
      if (isSame(written, unless)) return written;
      await keepOwner(handle, target);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameOver(temporary, target);
    await syncFolder(dirname(target));
    return written;
  } finally {
    // Renamed, it is gone; one that cannot be removed is swept at the next start.
    await rm(temporary).catch(() => undefined);
  }
}

/** Adds to the end of a file; the text is on disk once this has resolved. */
export async function appendDurably(file: string, text: string): Promise<void> {
  const isNew = (await unlessMissing(stat(file))) === null;
  const handle = await open(file, 'a', OWNER_ONLY);
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  if (isNew) await syncFolder(dirname(file));
}

/** A copy or a backup may have come back readable by all. */
export async function closeToOthers(file: string): Promise<void> {
  const { mode } = await stat(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(file, OWNER_ONLY);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Removes what processes that died in the middle of a save have left behind. */
export async function sweepTemporaryFiles(file: string): Promise<void> {
  const target = await followLinks(file).catch(() => file);
  const prefix = `${basename(target)}.tmp-`;
  const names = await readdir(dirname(target)).catch(() => []);
  const left = names.filter((name) => {
    if (!name.startsWith(prefix)) return false;
    const pid = Number(/^(\d+)-[0-9a-f]+$/.exec(name.slice(prefix.length))?.[1]);
    return pid === process.pid || (pid > 0 && !isAlive(pid));
  });
  // The certificate is kept in a folder, and made beside it in another.
  const remove = (name: string) =>
    rm(join(dirname(target), name), { recursive: true }).catch(() => undefined);
  await Promise.all(left.map(remove));
}
