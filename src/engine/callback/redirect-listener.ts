// A listener on the loopback for the redirect that ends one sign-in in a browser (RFC 8252 7.3). What keeps others
// out: it is bound to the loopback alone, there for one request with the right path and state, and for a limited time.

import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { parseLoopbackRedirect } from '../../core/records/redirect-uri.ts';
import { bind, bindLoopback } from '../../server/bind.ts';

/** Milliseconds of machine time that somebody has to sign in. */
export const PATIENCE_MS = 5 * 60_000;

/** Sockets at the same time: a browser opens some that it sends nothing on. */
const MAX_SOCKETS = 32;

/** What a browser sends as it is, without a fragment. */
const SENDABLE = /^[!"$-~]*$/;

export interface LoopbackUri {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly path: string;
  /** The URI with the port that was taken. */
  readonly at: (port: number) => string;
}

/** null for a URI that is not on the loopback, or has a fragment. */
export function parseLoopbackUri(text: string): LoopbackUri | null {
  const parsed = parseLoopbackRedirect(text);
  if (parsed === null || !SENDABLE.test(parsed.rest)) return null;
  const { origin, port, rest } = parsed;
  const { hostname, pathname } = new URL(text);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ?? 0,
    path: pathname,
    at: (taken) => (port === null ? `${origin}:${taken}${rest}` : text),
  };
}

export interface RedirectListener {
  /** As it was given, with the port that was taken. */
  readonly redirect_uri: string;
  /** The URL of the redirect; null when nobody has signed in in time, or it was closed. */
  readonly received: Promise<URL | null>;
  readonly close: () => void;
}

/** What the code in the address must not leak to, and what may be shown beside it: nothing. */
const HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
};

function respond(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, HEADERS).end(`${text}\n`);
}

const WORDS = {
  received: 'Grantbench has received the redirect. You can close this page.',
  again: 'Grantbench has received a redirect already. You can close this page.',
  other: 'This is not the redirect that Grantbench waits for.',
};

/** @param take is called with the first redirect, once its response is on its way */
function listenerOf(path: string, state: string, take: (url: URL) => void): RequestListener {
  let received = false;
  return ({ method, url: target = '/' }, response) => {
    const base = 'http://localhost';
    const url = URL.canParse(target, base) ? new URL(target, base) : null;
    const isRedirect = method === 'GET' && url?.pathname === path;
    if (!isRedirect || url.searchParams.get('state') !== state) {
      respond(response, 404, WORDS.other);
      return;
    }
    if (received) {
      respond(response, 410, WORDS.again);
      return;
    }
    received = true;
    response.once('close', () => {
      take(url);
    });
    respond(response, 200, WORDS.received);
  };
}

const end = (server: Server): Promise<void> => {
  server.close();
  // A browser may hold a connection that it has sent nothing on.
  server.closeAllConnections();
  return Promise.resolve();
};

/**
 * @param redirect_uri a free port is taken where it names none
 * @param state that of the authorization request, which nobody can guess
 * @throws PortInUseError, and what else keeps it from listening
 */
export async function listenForRedirect(
  { host, port, path, at }: LoopbackUri,
  state: string,
  patience_ms = PATIENCE_MS,
): Promise<RedirectListener> {
  let take: (url: URL | null) => void = () => undefined;
  const taken = new Promise<URL | null>((done) => {
    take = done;
  });
  const listener = listenerOf(path, state, (url) => {
    take(url);
  });
  const make = () => {
    const server = createServer(listener);
    server.maxConnections = MAX_SOCKETS;
    return server;
  };
  const bound =
    host === 'localhost'
      ? await bindLoopback(make, end, port, [])
      : await bind(make(), host, port, []);
  const redirect_uri = at(bound.port);
  const timer = setTimeout(() => {
    take(null);
  }, patience_ms);
  const received = taken.then((url) => {
    clearTimeout(timer);
    for (const server of bound.servers) void end(server);
    return url === null ? null : new URL(url.pathname + url.search, redirect_uri);
  });
  return {
    redirect_uri,
    received,
    close: () => {
      take(null);
    },
  };
}
