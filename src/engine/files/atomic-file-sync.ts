// Replacing a small file whole before the call returns: for a window that closes and a command that ends,
// which wait for nothing. A link stays a link; a file that may not be written is left alone; and the text
// is on disk before it takes the place of the former one. What the text means is for others to know.

import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { OWNER_ONLY, temporaryName } from './atomic-file.ts';
import { codeOf, nullIfMissing } from './file-text.ts';
import { describeMissingFolder, followLinksSync } from './links.ts';

export interface SyncReplacement {
  readonly file: string;
  readonly text: string;
  /** Who may read the file that is replaced may read the new one. Without it, and where there was none: its owner. */
  readonly keepMode?: boolean;
  /** Who may read the new file, whoever may read the former one: `0o644`. */
  readonly mode?: number;
}

/** Where the superuser replaces a user's file, it stays that user's. */
function keepOwner(handle: number, { uid, gid }: Stats): void {
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
      if (before !== null) keepOwner(handle, before);
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

function put(target: string, text: string, before: Stats | null, mode: number | null): void {
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
 * Puts a text in the place of the file's, all or nothing. What is no file (a pipe, a device) is written to
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
