// The listening sockets of the OAuth endpoints: the same port on both loopback addresses, or one host.
// What is no HTTP at all is answered and captured here too. Stopping drains.

import type { IncomingMessage, RequestListener, Server, ServerOptions } from 'node:http';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { OAuthError } from '../core/errors.ts';
import { createApp } from './app.ts';
import { createArrival } from './arrival.ts';
import { bind, bindLoopback } from './bind.ts';
import { discardRest, markMalformed } from './body.ts';
import { createPauses } from './faults/pauses.ts';
import { conclude, refuse, send } from './reply.ts';
import type { RoutesOptions } from './routes.ts';
import type { Tls } from './tls.ts';

export interface HttpServer {
  /**
   * Binds (port 0: a free one) and answers what was bound. Requests wait until `answer` is called.
   * @throws PortInUseError
   */
  start(port: number): Promise<{ port: number; ipv6: boolean }>;
  /** Answers what has come since the start, and what comes from now on. */
  answer(): void;
  /** Takes no new connections, finishes the requests in flight, closes. */
  stop(): Promise<void>;
}

export interface HttpServerOptions extends RoutesOptions {
  /** null: both loopback addresses. */
  readonly host: string | null;
  /** HTTPS, and nothing else, when there is one. */
  readonly tls?: Tls | undefined;
  /** Ports not to offer as free ones. */
  readonly reservedPorts: () => readonly number[];
  readonly onFault: (fault: unknown) => void;
}

const MAX_HEADER_BYTES = 65_536;
/** Requests in flight may take this long once the server is told to stop. */
const DRAIN_MS = 5000;

const REASONS: Readonly<Record<string, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** A TLS connection opens with a handshake record (RFC 8446 5.1). */
const opensTls = (bytes: Buffer | undefined) => bytes?.[0] === 0x16 && bytes[1] === 0x03;

function refusalOf(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): OAuthError {
  if (opensTls(error.rawPacket)) return new OAuthError('tls_unexpected');
  if (error.code === 'HPE_HEADER_OVERFLOW') return new OAuthError('headers_too_large');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new OAuthError('body_stalled');
  return new OAuthError('malformed_http');
}

/** Answers on a bare socket, where there is no request to answer. */
function refuseSocket(
  socket: Duplex & { remoteAddress?: string },
  refusal: OAuthError,
  options: HttpServerOptions,
): void {
  const arrival = createArrival(null, socket.remoteAddress, options);
  const answer = refuse(arrival, refusal, options.service, ['Connection', 'close']);
  const lines = conclude(arrival, answer, options).map((text, index) =>
    index % 2 === 0 ? `${text}: ` : `${text}\r\n`,
  );
  const reason = REASONS[answer.status] ?? 'Error';
  socket.end(`HTTP/1.1 ${answer.status} ${reason}\r\n${lines.join('')}\r\n${answer.body}`);
}

/** Plain HTTP where TLS is spoken. */
function refusePlain(options: HttpServerOptions): RequestListener {
  return (request, response) => {
    const arrival = createArrival(request, undefined, options);
    arrival.request_bytes = Number(request.headers['content-length'] ?? 0);
    discardRest(request);
    const refusal = new OAuthError('tls_required');
    const answer = refuse(arrival, refusal, options.service, ['Connection', 'close']);
    send(response, arrival, answer, options);
  };
}

type Create = (options: ServerOptions, handle: RequestListener) => Server;

function createListener(
  options: HttpServerOptions,
  handle: RequestListener,
  create: Create = createServer,
): Server {
  /** The newest request of each connection, while it is not answered. */
  const unanswered = new WeakMap<Duplex, IncomingMessage>();
  const server = create(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      // A missing Host is no reason to hang up without a word; nothing here depends on it.
      requireHostHeader: false,
      headersTimeout: 15_000,
      requestTimeout: 0,
      keepAliveTimeout: 30_000,
    },
    (request, response) => {
      unanswered.set(request.socket, request);
      response.once('close', () => unanswered.delete(request.socket));
      handle(request, response);
    },
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const request = unanswered.get(socket);
    const cut = request !== undefined && error.code === 'HPE_INVALID_EOF_STATE';
    if (error.code === 'ECONNRESET' || cut || !socket.writable) socket.destroy();
    else if (request !== undefined) markMalformed(request);
    else refuseSocket(socket, refusalOf(error), options);
  });
  server.on('connect', (_request, socket) => {
    refuseSocket(socket, new OAuthError('method_not_allowed', { got: 'CONNECT' }), options);
  });
  return server;
}

async function listenersOf(
  options: HttpServerOptions,
  handle: RequestListener,
): Promise<() => Server> {
  const { tls } = options;
  if (tls === undefined) return () => createListener(options, handle);
  const { createTlsServer } = await import('./tls.ts');
  const plain = createListener(options, refusePlain(options));
  const create: Create = (settings, listener) => createTlsServer(settings, tls, listener, plain);
  return () => createListener(options, handle, create);
}

async function drain(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    // A connection that falls idle after close() was called would keep the server open.
    const sweep = setInterval(() => {
      server.closeIdleConnections();
    }, 20);
    const cut = setTimeout(() => {
      server.closeAllConnections();
    }, DRAIN_MS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
  });
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const pauses = createPauses();
  const app = createApp(options, pauses, options.onFault);
  let servers: Server[] = [];
  let stopping = false;
  /** Requests that came before they could be answered; null once they can. */
  let early: Parameters<RequestListener>[] | null = null;

  const handle: RequestListener = (request, response) => {
    if (early === null) {
      if (stopping) response.shouldKeepAlive = false;
      void app(request, response);
    } else if (stopping) {
      request.destroy();
    } else {
      early.push([request, response]);
    }
  };
  const answer = () => {
    const waiting = early ?? [];
    early = null;
    for (const [request, response] of waiting) handle(request, response);
  };

  return {
    start: async (port) => {
      stopping = false;
      early = [];
      pauses.open();
      const reserved = options.reservedPorts();
      const make = await listenersOf(options, handle);
      const bound =
        options.host === null
          ? await bindLoopback(make, port, reserved)
          : await bind(make(), options.host, port, reserved);
      servers = bound.servers;
      return { port: bound.port, ipv6: bound.ipv6 };
    },
    answer,
    stop: async () => {
      stopping = true;
      // Told to stop before it could answer: there is nothing to finish.
      for (const [request] of early?.splice(0) ?? []) request.destroy();
      pauses.cut();
      const closing = servers;
      servers = [];
      await Promise.all(closing.map(drain));
    },
  };
}
