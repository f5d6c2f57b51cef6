// Reading and replacing files of the user's whole: a new text is written to a temporary file that only its owner may read,
// flushed to disk and renamed over the old one. A link stays a link, and what it leads to is written. In pieces, because a
// save must not hold the event loop; and once more before the call returns, for a window that closes and a command that
// ends, which wait for nothing. What the text means, and when it is saved, is for others to know.

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
import {
  checkSize,
  codeOf,
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
function describeMissingFolder(file: string, target: string): string {
  const folder = dirname(target);
  if (target === resolve(file)) return `there is no folder ${folder}`;
  return `it is a link to ${target}, and there is no folder ${folder}`;
}

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

interface Replacement {
  readonly file: string;
  /** Read piece by piece; the event loop runs between them. */
  readonly text: Iterable<string>;
  /** The file is left alone when the text turns out to be this one. */
  readonly unless?: Fingerprint | null;
  readonly working?: Working;
}

/**
 * Puts a text in place of the file's, all or nothing.
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

/** A container gives each process the same number: one that began before this process is of a former one. */
function isOfLiving(pid: number, moment: bigint): boolean {
  if (pid !== process.pid) return isAlive(pid);
  const now = process.hrtime.bigint();
  return moment <= now && moment >= now - BigInt(Math.ceil(process.uptime() * 1e9));
}

/** Of the names in the folder of a file, those that processes which died while they replaced it have left. */
function leftBehind(target: string, names: readonly string[]): string[] {
  const prefix = `${basename(target)}.tmp-`;
  const left = names.filter((name) => {
    if (!name.startsWith(prefix)) return false;
    const [, pid, moment] = /^(\d+)-([0-9a-f]{1,16})$/.exec(name.slice(prefix.length)) ?? [];
    return pid !== undefined && !isOfLiving(Number(pid), BigInt(`0x${moment}`));
  });
  return left.map((name) => join(dirname(target), name));
}

/** Removes what processes that died in the middle of a save have left behind. */
export async function sweepTemporaryFiles(file: string): Promise<void> {
  const target = await followLinks(file).catch(() => file);
  const names = await readdir(dirname(target)).catch(() => []);
  // The certificate is kept in a folder, and made beside it in another.
  const remove = (left: string) => rm(left, { recursive: true }).catch(() => undefined);
  await Promise.all(leftBehind(target, names).map(remove));
}

interface SyncReplacement {
  readonly file: string;
  readonly text: string;
  /** Who may read the file that is replaced may read the new one. Without it, and where there was none: its owner. */
  readonly keepMode?: boolean;
  /** Who may read the new file, whoever may read the former one: `0o644`. */
  readonly mode?: number;
}

/** Where the superuser replaces a user's file, it stays that user's. */
function keepOwnerSync(handle: number, { uid, gid }: Stats): void {
  try {
    fchownSync(handle, uid, gid);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error;
  }
}

/** @param mode of the new file; null leaves it to its owner */
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

/** The system names the temporary file, which nobody has asked for. */
function inOwnWords(error: unknown, target: string): unknown {
  if (codeOf(error) !== 'ENAMETOOLONG') return error;
  const message = `ENAMETOOLONG: the name ${basename(target)} is too long`;
  return new Error(message, { cause: error });
}

function removeTemporary(file: string): void {
  try {
    rmSync(file);
  } catch {
    // It was never made, or what keeps it from being removed is what has failed, which is reported.
  }
}

/** A window and a command have no other moment for it than their next save. */
function sweep(target: string): void {
  try {
    leftBehind(target, readdirSync(dirname(target))).forEach(removeTemporary);
  } catch {
    // Whoever may not list a folder may yet write to it.
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
 * Puts a text in place of the file's, all or nothing. What is no file (a pipe, a device) is written to
 * as it is, for it must not be replaced by one.
 * @throws Error of the system, or that names what stands in the way; the former file is then as it was
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
  if (before.isDirectory()) throw new Error('EISDIR: there is a folder with that name');
  if (!before.isFile()) {
    writeFileSync(target, text);
    return;
  }
  accessSync(target, constants.W_OK);
  put(target, text, before, mode ?? (keepMode ? before.mode & 0o777 : null));
}
