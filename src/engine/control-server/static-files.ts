// Serves the built files of the page.

import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { codeOf } from '../errors.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.map': 'application/json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** The system errors for a path without a file, including invalid paths. */
const NO_SUCH_FILE: readonly string[] = [
  'ENOENT',
  'EISDIR',
  'ENOTDIR',
  'ENAMETOOLONG',
  'EINVAL',
  'ELOOP',
];

export interface StaticFile {
  readonly type: string;
  readonly cache: string;
  readonly body: Buffer;
}

/** Reads the file at a decoded path; null if there is none. */
export type ReadStatic = (path: string) => Promise<StaticFile | null>;

/** More than the page has; files of an earlier build are dropped. */
const MAX_SHARED = 200;

/** All responses share the bytes of a file, so that clients that do not read cannot fill the memory. */
function createSharedRead(): (file: string) => Promise<Buffer> {
  const shared = new Map<string, Promise<Buffer>>();
  return async (file) => {
    const { dev, ino, size, mtimeMs } = await stat(file);
    const key = `${dev} ${ino} ${size} ${mtimeMs}`;
    const known = shared.get(key);
    if (known !== undefined) return known;
    if (shared.size === MAX_SHARED) shared.clear();
    const bytes = readFile(file);
    shared.set(key, bytes);
    bytes.catch(() => shared.delete(key));
    return bytes;
  };
}

export function createStaticFiles(folder: string): ReadStatic {
  const read = createSharedRead();
  return async (path) => {
    const local = normalize(path.endsWith('/') ? `${path}index.html` : path);
    const type = TYPES[extname(local).toLowerCase()];
    const escapes = local.includes('\0') || local.split(sep).some((part) => part.startsWith('.'));
    if (type === undefined || escapes) return null;
    // A name with a content hash always has the same content.
    const hashed = /^[\\/]assets[\\/]/.test(local) && /-[\w-]{8}\.\w+$/.test(local);
    try {
      return {
        type,
        cache: hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        body: await read(join(folder, local)),
      };
    } catch (error) {
      if (NO_SUCH_FILE.includes(codeOf(error) ?? '')) return null;
      throw error;
    }
  };
}

/** The policy of the page: only its own resources, and connections to this host; null allows none. */
export function pagePolicy(host: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Mantine writes style attributes and style elements.
    "style-src 'self' 'unsafe-inline'",
    // Not every browser applies 'self' to WebSockets.
    ...(host === null ? [] : [`connect-src 'self' ws://${host} wss://${host}`]),
    "font-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The policy of a page without scripts: only its own style. */
export function documentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
