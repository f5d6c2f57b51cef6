// What is in a file of the user's, and what tells it from another text. A file is read whole to be used, and
// in pieces to be compared, so that nobody waits for that.

import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';

const MIB = 1024 * 1024;

/** As large as a file may be that is read or saved. */
export const MAX_FILE_BYTES = 256 * MIB;

/** Tells one text from another. */
export interface Fingerprint {
  readonly bytes: number;
  readonly digest: string;
}

export const isSame = (a: Fingerprint, b: Fingerprint | null) =>
  a.bytes === b?.bytes && a.digest === b.digest;

interface Fingerprinting {
  readonly add: (piece: Buffer) => void;
  readonly end: () => Fingerprint;
}

/** For a text that comes in pieces. */
export function startFingerprint(): Fingerprinting {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    add: (piece) => {
      bytes += piece.length;
      hash.update(piece);
    },
    end: () => ({ bytes, digest: hash.digest('base64url') }),
  };
}

export const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** null for what the system says is not there. */
export async function unlessMissing<T>(step: Promise<T>): Promise<T | null> {
  try {
    return await step;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The same for a step that is over when it returns. */
export function nullIfMissing<T>(step: () => T): T | null {
  try {
    return step();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** @throws Error for a text that would make too large a file */
export function checkSize(bytes: number): void {
  if (bytes <= MAX_FILE_BYTES) return;
  throw new Error(`it would exceed the maximum of ${MAX_FILE_BYTES / MIB} MiB`);
}

const NOT_REGULAR = 'it is not a regular file, but a device, a pipe or a socket';

/** Opening a pipe would wait for somebody who writes to it. Windows has no such flag, and no such pipes. */
const WITHOUT_WAITING =
  constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

async function openRegular(file: string): Promise<FileHandle> {
  try {
    return await open(file, WITHOUT_WAITING);
  } catch (error) {
    // How systems refuse to open a socket.
    if (!['ENXIO', 'EOPNOTSUPP'].includes(codeOf(error) ?? '')) throw error;
    throw new Error(NOT_REGULAR, { cause: error });
  }
}

/**
 * Reads a file that somebody has named: a device may go on for ever, a pipe may never begin.
 * @throws Error of the system, or because it is no regular file, or too large to be one of ours
 */
export async function readRegularFile(file: string): Promise<Buffer> {
  const handle = await openRegular(file);
  try {
    const stats = await handle.stat();
    if (!stats.isFile() && !stats.isDirectory()) throw new Error(NOT_REGULAR);
    if (stats.size > MAX_FILE_BYTES) {
      throw new Error(`it exceeds the maximum of ${MAX_FILE_BYTES / MIB} MiB`);
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

export interface FileText {
  readonly text: string;
  readonly fingerprint: Fingerprint;
}

/**
 * What the file says; null when it is not there.
 * @throws Error also when the text is not UTF-8: it could not be written back as it was
 */
export async function readIfThere(file: string): Promise<FileText | null> {
  const bytes = await unlessMissing(readRegularFile(file));
  if (bytes === null) return null;
  const fingerprint = startFingerprint();
  fingerprint.add(bytes);
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  return { text, fingerprint: fingerprint.end() };
}

/** Whether a file is there and says something else than is known of it. */
export async function isOther(file: string, known: Fingerprint | null): Promise<boolean> {
  const there = await unlessMissing(stat(file));
  if (there === null) return false;
  if (there.isDirectory()) throw new Error('there is a folder with that name');
  if (there.size !== known?.bytes) return true;
  const fingerprint = startFingerprint();
  for await (const chunk of createReadStream(file)) fingerprint.add(chunk as Buffer);
  return !isSame(fingerprint.end(), known);
}

const PIECE = 64 * 1024;

/** A text in pieces of some size, each made only when it is asked for. */
export function* inPieces(text: Iterable<string>): Generator<Buffer, void> {
  let waiting = '';
  for (const part of text) {
    waiting += part;
    if (waiting.length < PIECE) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  if (waiting !== '') yield Buffer.from(waiting);
}

/** What tells this text from others. The event loop runs between its pieces. */
export async function fingerprintOf(text: Iterable<string>): Promise<Fingerprint> {
  const fingerprint = startFingerprint();
  for (const piece of inPieces(text)) {
    fingerprint.add(piece);
    await new Promise((resume) => setImmediate(resume));
  }
  return fingerprint.end();
}
