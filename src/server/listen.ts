// The listening sockets of the OAuth endpoints: the same port on both loopback addresses, or one host.
// What is no HTTP at all is answered and captured here too. Stopping drains.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { OAuthError } from '../core/errors.ts';
import type { AppOptions } from './app.ts';
import { createApp } from './app.ts';
import { createArrival } from './arrival.ts';
import { bind, bindLoopback } from './bind.ts';
import { markMalformed } from './body.ts';
import { conclude, refuse } from './reply.ts';

export interface HttpServer {
  /** Binds (port 0: a free one) and answers what was bound. @throws PortInUseError */
  start(port: number): Promise<{ port: number; ipv6: boolean }>;
  /** Takes no new connections, finishes the requests in flight, closes. */
  stop(): Promise<void>;
}

export interface HttpServerOptions extends AppOptions {
  /** null: both loopback addresses. */
  readonly host: string | null;
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

function refusalOf(error: NodeJS.ErrnoException): OAuthError {
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

function createListener(
  options: HttpServerOptions,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  /** The newest request of each connection, while it is not answered. */
  const unanswered = new WeakMap<Duplex, IncomingMessage>();
  const server = createServer(
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
  const app = createApp(options, options.onFault);
  let servers: Server[] = [];
  let stopping = false;

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (stopping) response.shouldKeepAlive = false;
    void app(request, response);
  };
  const make = () => createListener(options, handle);

  return {
    start: async (port) => {
      stopping = false;
      const reserved = options.reservedPorts();
      const bound =
        options.host === null
          ? await bindLoopback(make, port, reserved)
          : await bind(make(), options.host, port, reserved);
      servers = bound.servers;
      return { port: bound.port, ipv6: bound.ipv6 };
    },
    stop: async () => {
      stopping = true;
      const closing = servers;
      servers = [];
      await Promise.all(closing.map(drain));
    },
  };
}
