// Reads the text of a file and its digest. A file is read completely for use, and in pieces for comparison, so that
// other work is not delayed.

import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { codeOf } from '../errors.ts';

const MIB = 1024 * 1024;

/** Size limit for files that are read or saved. */
export const MAX_FILE_BYTES = 256 * MIB;

/** Identifies a text. */
export interface Fingerprint {
  readonly bytes: number;
  readonly digest: string;
}

export const isSame = (a: Fingerprint, b: Fingerprint | null) =>
  a.bytes === b?.bytes && a.digest === b.digest;

/** Computes the digest of a text in pieces. */
export function startFingerprint() {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    add: (piece: Buffer) => {
      bytes += piece.length;
      hash.update(piece);
    },
    end: (): Fingerprint => ({ bytes, digest: hash.digest('base64url') }),
  };
}

/** Returns null if the system reports that the file does not exist. */
export async function unlessMissing<T>(step: Promise<T>): Promise<T | null> {
  try {
    return await step;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The synchronous version. */
export function nullIfMissing<T>(step: () => T): T | null {
  try {
    return step();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** @throws Error if the file would be too large */
export function checkSize(bytes: number): void {
  if (bytes <= MAX_FILE_BYTES) return;
  throw new Error(`it would exceed the maximum of ${MAX_FILE_BYTES / MIB} MiB`);
}

const NOT_REGULAR = 'it is a device, a pipe or a socket, not a regular file';

/** Prevents waiting for a writer when a pipe is opened. Windows has neither this flag nor such pipes. */
const WITHOUT_WAITING =
  constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

async function openRegular(file: string): Promise<FileHandle> {
  try {
    return await open(file, WITHOUT_WAITING);
  } catch (error) {
    // The errors for opening a socket.
    if (!['ENXIO', 'EOPNOTSUPP'].includes(codeOf(error) ?? '')) throw error;
    throw new Error(NOT_REGULAR, { cause: error });
  }
}

/**
 * Reads a file with limits, because a device may be endless and a pipe may block.
 * @throws Error of the system, or if it is not a regular file or too large
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
 * Returns the text of the file; null if it does not exist.
 * @throws Error also if the text is not UTF-8, because it could not be written back unchanged
 */
export async function readIfThere(file: string): Promise<FileText | null> {
  const bytes = await unlessMissing(readRegularFile(file));
  if (bytes === null) return null;
  const fingerprint = startFingerprint();
  fingerprint.add(bytes);
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  return { text, fingerprint: fingerprint.end() };
}

/** Whether a file exists and has another text than the known one. */
export async function isOther(file: string, known: Fingerprint | null): Promise<boolean> {
  const there = await unlessMissing(stat(file));
  if (there === null) return false;
  if (there.isDirectory()) throw new Error('a folder has this name');
  if (there.size !== known?.bytes) return true;
  const fingerprint = startFingerprint();
  for await (const chunk of createReadStream(file)) fingerprint.add(chunk as Buffer);
  return !isSame(fingerprint.end(), known);
}

const PIECE = 64 * 1024;

/** Splits a text into pieces of limited size, each generated on demand. */
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

/** Returns the digest of the text. The event loop runs between the pieces. */
export async function fingerprintOf(text: Iterable<string>): Promise<Fingerprint> {
  const fingerprint = startFingerprint();
  for (const piece of inPieces(text)) {
    fingerprint.add(piece);
    await new Promise((resume) => setImmediate(resume));
  }
  return fingerprint.end();
}
