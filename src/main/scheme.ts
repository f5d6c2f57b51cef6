// app://grantbench serves the built page, and nothing else, under its own content security policy.

import { readFile } from 'node:fs/promises';
import { extname, isAbsolute, join, relative, resolve } from 'node:path';
import { protocol } from 'electron';

const SCHEME = 'app';
const HOST = 'grantbench';

export const PAGE_ORIGIN = `${SCHEME}://${HOST}`;
export const PAGE_URL = `${PAGE_ORIGIN}/`;

// Mantine writes style elements, hence 'unsafe-inline' for styles. The page makes no network requests.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * Must run before the app is ready. A standard scheme has an origin, storage and modules, as https does; with a code
 * cache, a later start need not compile the page again.
 */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/** The file inside `folder` that a URL names; null if it names none. */
export function fileOf(folder: string, url: string): string | null {
  const { host, pathname } = new URL(url);
  if (host !== HOST) return null;
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  if (path.includes('\0') || path.includes('\\')) return null;
  const file = resolve(folder, `.${path === '/' ? '/index.html' : path}`);
  const inside = relative(folder, file);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? null : file;
}

function reject(status: number): Response {
  return new Response(null, {
    status,
    headers: { 'content-security-policy': "default-src 'none'" },
  });
}

async function answer(folder: string, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return reject(405);
  const file = fileOf(folder, request.url);
  const type = file === null ? undefined : TYPES[extname(file)];
  if (file === null || type === undefined) return reject(404);
  const body = await readFile(file).catch(() => null);
  if (body === null) return reject(404);
  return new Response(new Uint8Array(body), {
    headers: {
      'content-type': type,
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    },
  });
}

/** Serves the page. Returns a promise that resolves when the page has the first scripts that it asked for. */
export function serveBundle(bundle: string): Promise<void> {
  const folder = join(bundle, 'renderer');
  return new Promise((resolve) => {
    let pending = 0;
    let hasScript = false;
    protocol.handle(SCHEME, async (request) => {
      pending += 1;
      hasScript ||= request.url.endsWith('.js');
      const response = await answer(folder, request);
      pending -= 1;
      if (hasScript && pending === 0) resolve();
      return response;
    });
    // The first answer takes longest, so it is tried while the window's process starts.
    setImmediate(() => void answer(folder, new Request(PAGE_URL)));
  });
}
