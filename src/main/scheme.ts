// app://grantbench serves the built page, and nothing else, under its own content security policy.

import { join } from 'node:path';
import { protocol } from 'electron';
import {
  createStaticFiles,
  pagePolicy,
  type ReadStatic,
} from '../engine/control-server/static-files.ts';

const SCHEME = 'app';
const HOST = 'grantbench';

export const PAGE_ORIGIN = `${SCHEME}://${HOST}`;
export const PAGE_URL = `${PAGE_ORIGIN}/`;

/** The page makes no network requests. */
const POLICY = pagePolicy(null);

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

/** The path that a URL names; null if it names none of the page's. */
function pathOf(url: string): string | null {
  const { host, pathname } = new URL(url);
  try {
    return host === HOST ? decodeURIComponent(pathname) : null;
  } catch {
    return null;
  }
}

function reject(status: number): Response {
  return new Response(null, {
    status,
    headers: { 'content-security-policy': "default-src 'none'" },
  });
}

async function answer(read: ReadStatic, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return reject(405);
  const path = pathOf(request.url);
  const file = path === null ? null : await read(path).catch(() => null);
  if (file === null) return reject(404);
  return new Response(new Uint8Array(file.body), {
    headers: {
      'content-type': file.type,
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  });
}

/** Serves the page. */
export function serveBundle(bundle: string): void {
  const read = createStaticFiles(join(bundle, 'renderer'));
  protocol.handle(SCHEME, (request) => answer(read, request));
  // The first answer takes longest, so it is tried while the window's process starts.
  setImmediate(() => void answer(read, new Request(PAGE_URL)));
}
