// A listener for the redirect that ends a browser sign-in (RFC 8252 7.3). For protection, it only listens on a
// loopback address, accepts one request with the right path and state, and closes after a limited time.

import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { parseLoopbackRedirect } from '../core/records/redirect-uri.ts';
import { bind, bindLoopback } from '../server/bind.ts';

/** Time limit for signing in, in ms of machine time. */
export const PATIENCE_MS = 5 * 60_000;

/** Maximum number of concurrent sockets; a browser opens some without sending anything. */
const MAX_SOCKETS = 32;

/** The path and query as a browser sends them. */
const SENDABLE = /^[!"$-~]*$/;

export interface LoopbackUri {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly path: string;
  /** Returns the URI with the selected port. */
  readonly at: (port: number) => string;
}

/** Returns null for a URI that is not a loopback URI or has a fragment. */
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

export type RedirectListener = Awaited<ReturnType<typeof listenForRedirect>>;

/** Headers that keep the code in the URL from leaking and forbid all other content. */
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
  again: 'Grantbench has already received a redirect. You can close this page.',
  other: 'This is not the redirect that Grantbench is waiting for.',
};

/** @param take is called with the first redirect once its response is being sent */
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
  // A browser may keep a connection open without sending anything.
  server.closeAllConnections();
  return Promise.resolve();
};

/**
 * @param redirect_uri without a port, a free port is selected
 * @param state the random state of the authorization request
 * @throws PortInUseError, or another error if it cannot listen
 */
export async function listenForRedirect(
  { host, port, path, at }: LoopbackUri,
  state: string,
  patience_ms = PATIENCE_MS,
) {
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
    /** The given URI, with the selected port. */
    redirect_uri,
    /** Resolves to the URL of the redirect, or to null if the time limit was reached or the listener was closed. */
    received,
    close: () => {
      take(null);
    },
  };
}
