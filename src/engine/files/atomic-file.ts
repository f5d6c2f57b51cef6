// Reads and atomically replaces files: a new text is written to a temporary file that only its owner may read,
// flushed to disk and renamed over the old file. A link remains a link, and its target is replaced. The asynchronous
// version writes in pieces, so that it does not block the event loop; the synchronous version is for a window that
// closes and a command that ends. This file knows nothing of the content or of when it is saved.

import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import {
  access,
  chmod,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from '../errors.ts';
import { isAlive } from '../is-alive.ts';
import {
  checkSize,
  type Fingerprint,
  inPieces,
  isSame,
  nullIfMissing,
  startFingerprint,
  unlessMissing,
} from './file-text.ts';

const MOST_LINKS = 40;

const tooMany = (file: string) =>
  new Error(`${file} is a link that leads through more than ${MOST_LINKS} other links`);

/** @throws Error of the system, or for too many links */
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

/** The synchronous version. */
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

/** Returns why a file cannot be created because its folder is missing. */
function describeMissingFolder(file: string, target: string): string {
  const folder = dirname(target);
  if (target === resolve(file)) return `there is no folder ${folder}`;
  return `it is a link to ${target}, and there is no folder ${folder}`;
}

export const OWNER_ONLY = 0o600;

/** Creates a missing folder, but not the target of a link, which may be a disk that is not mounted. */
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
    // Unlike write(), this continues after a partial write, which happens on a nearly full disk.
    await handle.writeFile(piece);
  }
}

/** Keeps the owner of the file if the superuser saves it. */
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

/** On Windows, a virus scanner or an editor may briefly lock the file. */
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

/** Makes the new name survive a power failure; not every file system supports this. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!['EACCES', 'EINVAL', 'ENOTSUP', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
  }
}

/** If it is left behind, the next start removes it. */
export const temporaryName = (target: string) =>
  `${target}.tmp-${process.pid}-${process.hrtime.bigint().toString(16)}`;

/** Wraps the generation of a piece, so that it can be timed. */
export type Working = <T>(step: () => T) => T;

const atOnce: Working = (step) => step();

interface Replacement {
  readonly file: string;
  /** The text in pieces; the event loop runs between them. */
  readonly text: Iterable<string>;
  /** If the text is equal to this one, the file is not changed. */
  readonly unless?: Fingerprint | null;
  readonly working?: Working;
}

/**
 * Replaces the text of a file atomically.
 * @returns the digest of the text
 * @throws Error of the system, or if the text is too large
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
    // After the renaming it no longer exists; the next start removes one that remains.
    await rm(temporary).catch(() => undefined);
  }
}

/** Appends to a file; the text is on disk once this resolves. */
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

/** A restored copy or backup may be readable by everyone. */
export async function closeToOthers(file: string): Promise<void> {
  const { mode } = await stat(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(file, OWNER_ONLY);
}

/**
 * In a container, each process has the same number, so a file from before this process's start is left from an
 * earlier one.
 */
function isOfLiving(pid: number, moment: bigint): boolean {
  if (pid !== process.pid) return isAlive(pid);
  const now = process.hrtime.bigint();
  return moment <= now && moment >= now - BigInt(Math.ceil(process.uptime() * 1e9));
}

/** Returns the temporary files that crashed processes left in the folder of a file. */
function leftBehind(target: string, names: readonly string[]): string[] {
  const prefix = `${basename(target)}.tmp-`;
  const left = names.filter((name) => {
    if (!name.startsWith(prefix)) return false;
    const [, pid, moment] = /^(\d+)-([0-9a-f]{1,16})$/.exec(name.slice(prefix.length)) ?? [];
    return pid !== undefined && !isOfLiving(Number(pid), BigInt(`0x${moment}`));
  });
  return left.map((name) => join(dirname(target), name));
}

/** Removes the temporary files that crashed processes left behind. */
export async function sweepTemporaryFiles(file: string): Promise<void> {
  const target = await followLinks(file).catch(() => file);
  const names = await readdir(dirname(target)).catch(() => []);
  // The certificate is in a folder, which is created next to its final location.
  const remove = (left: string) => rm(left, { recursive: true }).catch(() => undefined);
  await Promise.all(leftBehind(target, names).map(remove));
}

interface SyncReplacement {
  readonly file: string;
  readonly text: string;
  /** Keeps the read permissions of the replaced file. By default, and for a new file, only the owner may read it. */
  readonly keepMode?: boolean;
  /** Sets the permissions of the new file, such as `0o644`. */
  readonly mode?: number;
}

/** Keeps the owner of the file if the superuser replaces it. */
function keepOwnerSync(handle: number, { uid, gid }: Stats): void {
  try {
    fchownSync(handle, uid, gid);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error;
  }
}

/** @param mode of the new file; null allows only its owner */
function writeTemporary(file: string, text: string, before: Stats | null, mode: number | null) {
  const handle = openSync(file, 'wx', OWNER_ONLY);
  try {
    if (process.platform !== 'win32') {
      if (before !== null) keepOwnerSync(handle, before);
      if (mode !== null) fchmodSync(handle, mode);
    }
    writeFileSync(handle, text, { flush: true });
  } finally {
    closeSync(handle);
  }
}

/** Replaces the name of the temporary file in the system's message, which the user does not know. */
function inOwnWords(error: unknown, target: string): unknown {
  if (codeOf(error) !== 'ENAMETOOLONG') return error;
  const message = `ENAMETOOLONG: the name ${basename(target)} is too long`;
  return new Error(message, { cause: error });
}

function removeTemporary(file: string): void {
  try {
    rmSync(file);
  } catch {
    // The file does not exist, or it cannot be removed for the reason that is already reported.
  }
}

/** Synchronous saves are the only opportunity for a window and a command to clean up. */
function sweep(target: string): void {
  try {
    leftBehind(target, readdirSync(dirname(target))).forEach(removeTemporary);
  } catch {
    // A folder may be writable without being listable.
  }
}

function put(target: string, text: string, before: Stats | null, mode: number | null): void {
  sweep(target);
  const temporary = temporaryName(target);
  try {
    writeTemporary(temporary, text, before, mode);
    renameSync(temporary, target);
  } catch (error) {
    removeTemporary(temporary);
    throw inOwnWords(error, target);
  }
}

/**
 * Replaces the text of a file atomically. A pipe or device is written to directly, because it must not be replaced by
 * a file.
 * @throws Error of the system, or one that names the obstacle; the existing file is then unchanged
 */
export function replaceFileSync({ file, text, keepMode = false, mode }: SyncReplacement): void {
  const target = followLinksSync(file);
  const before = statSync(target, { throwIfNoEntry: false }) ?? null;
  if (before === null) {
    if (nullIfMissing(() => statSync(dirname(target))) === null) {
      throw new Error(`ENOENT: ${describeMissingFolder(file, target)}`);
    }
    put(target, text, null, mode ?? null);
    return;
  }
  if (before.isDirectory()) throw new Error('EISDIR: a folder has this name');
  if (!before.isFile()) {
    writeFileSync(target, text);
    return;
  }
  accessSync(target, constants.W_OK);
  put(target, text, before, mode ?? (keepMode ? before.mode & 0o777 : null));
}
