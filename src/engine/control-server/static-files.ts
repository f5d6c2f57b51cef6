// The page's files, as they were built.

import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

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

/** How systems say that a path names no file: some paths cannot even be asked for. */
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

/** Reads the file at a decoded path, or tells null when there is none. */
export type ReadStatic = (path: string) => Promise<StaticFile | null>;

/** The page has fewer; those of a former build are forgotten. */
const MAX_SHARED = 200;

/** Whoever asks for the same file is sent the same bytes: clients that do not read would fill the memory. */
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

/** The files below this folder. */
export function createStaticFiles(folder: string): ReadStatic {
  const read = createSharedRead();
  return async (path) => {
    const local = normalize(path.endsWith('/') ? `${path}index.html` : path);
    const type = TYPES[extname(local).toLowerCase()];
    const escapes = local.includes('\0') || local.split(sep).some((part) => part.startsWith('.'));
    if (type === undefined || escapes) return null;
    // Names with a hash of their content never change what they mean.
    const hashed = /^[\\/]assets[\\/]/.test(local) && /-[\w-]{8}\.\w+$/.test(local);
    try {
      return {
        type,
        cache: hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        body: await read(join(folder, local)),
      };
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (NO_SUCH_FILE.includes(code)) return null;
      throw error;
    }
  };
}

/** What the page may do: only what came with it, and speak to this host. */
export function pagePolicy(host: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Mantine writes style attributes and style elements.
    "style-src 'self' 'unsafe-inline'",
    // Not every browser takes 'self' for WebSockets too.
    `connect-src 'self' ws://${host} wss://${host}`,
    "font-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** What a page that is only read may do: show itself, in the style that came with it. */
export function documentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
