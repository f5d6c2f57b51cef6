// The listening sockets of the OAuth endpoints: the same port on both loopback addresses, or one host. Malformed
// requests are also answered and captured here. Stopping drains connections.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { OAuthError } from '../core/checks/errors.ts';
import { fail } from '../core/checks/trace.ts';
import { createApp } from './app.ts';
import { createPendingExchange, evaluationOf } from './pending-exchange.ts';
import { bind, bindLoopback } from './bind.ts';
import { abandonBody, discardRest } from './body.ts';
import { createPauses } from './faults/deliver.ts';
import type { Holds } from './faults/held-exchanges.ts';
import { conclude, file, NO_ANSWER, reject, send } from './reply.ts';
import type { RoutesOptions } from './routes.ts';
import { headerPairs } from './sender.ts';
import {
  type ClientError,
  CONNECTION_LIMITS,
  createSockets,
  rawResponse,
  type Sockets,
} from './sockets.ts';
import type { HandshakeFailed, Tls } from './tls.ts';

export interface ListenAddress {
  /** 0 selects a free port. */
  readonly port: number;
  /** null: both loopback addresses. */
  readonly host: string | null;
  readonly https: boolean;
}

export type HttpServer = ReturnType<typeof createHttpServer>;

export interface HttpServerOptions extends RoutesOptions {
  readonly holds: Holds;
  readonly certificate: () => Promise<Tls>;
  /** Ports that are not suggested as free. */
  readonly reservedPorts: () => readonly number[];
  readonly onFault: (fault: unknown) => void;
}

/** Requests in flight may take this long once the server is asked to stop. */
const DRAIN_MS = 5000;

/** A TLS connection opens with a handshake record (RFC 8446 5.1). */
const opensTls = (bytes: Buffer | undefined) => bytes?.[0] === 0x16 && bytes[1] === 0x03;

function refusalOf(error: ClientError): OAuthError {
  if (opensTls(error.rawPacket)) return new OAuthError('tls_unexpected');
  if (error.code === 'HPE_HEADER_OVERFLOW') return new OAuthError('headers_too_large');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new OAuthError('request_slow');
  return new OAuthError('malformed_http');
}

const CLOSE = ['Connection', 'close'];

/** Returns the response as raw bytes. */
function refusalText(socket: Socket, refusal: OAuthError, options: HttpServerOptions): string {
  const pending = createPendingExchange(null, socket.remoteAddress, options);
  const answer = reject(pending, refusal, options.service, CLOSE);
  const headers = headerPairs(conclude(pending, answer, options));
  return rawResponse(answer.status, headers, answer.body);
}

/** Rejects a request without reading its body. */
function refuseUnread(
  options: HttpServerOptions,
  reason: 'tls_required' | 'expectation_unknown',
): RequestListener {
  return (request, response) => {
    const pending = createPendingExchange(request, undefined, options);
    pending.request_bytes = Number(request.headers['content-length'] ?? 0);
    discardRest(request);
    const answer = reject(pending, new OAuthError(reason), options.service, CLOSE);
    send(response, pending, answer, options);
  };
}

/** Captures a connection that ended before its first request. */
function captureFailedHandshake(
  address: string | undefined,
  got: string | undefined,
  options: HttpServerOptions,
): void {
  const pending = createPendingExchange(null, address, options);
  fail(evaluationOf(pending), new OAuthError('tls_failed', got === undefined ? {} : { got }));
  file(pending, NO_ANSWER, options);
}

function createSocketsFor(options: HttpServerOptions): Sockets {
  return createSockets({
    toBroken: (error, socket) => refusalText(socket, refusalOf(error), options),
    toConnect: (_request, socket) =>
      refusalText(socket, new OAuthError('method_not_allowed', { got: 'CONNECT' }), options),
    toUnfinished: ({ req }, { code }) => {
      abandonBody(req, code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'slow' : 'malformed');
    },
  });
}

/** Creates the server for each address. */
async function serversOf(
  options: HttpServerOptions,
  https: boolean,
  handle: RequestListener,
  sockets: Sockets,
  handshakeFailed: HandshakeFailed,
): Promise<() => Server> {
  const attended = (server: Server, expectation: RequestListener): Server => {
    sockets.attend(server);
    return server.on('checkExpectation', expectation);
  };
  const refuseExpectation = refuseUnread(options, 'expectation_unknown');
  if (!https) {
    return () => attended(createServer(CONNECTION_LIMITS, handle), refuseExpectation);
  }
  const tls = await options.certificate();
  const { createTlsServer } = await import('./tls.ts');
  const refusePlain = refuseUnread(options, 'tls_required');
  const plain = attended(createServer(CONNECTION_LIMITS, refusePlain), refusePlain);
  return () =>
    attended(
      createTlsServer(CONNECTION_LIMITS, tls, handle, plain, sockets, handshakeFailed),
      refuseExpectation,
    );
}

export function createHttpServer(options: HttpServerOptions) {
  const pauses = createPauses();
  const app = createApp(options, pauses, options.onFault);
  const sockets = createSocketsFor(options);
  let servers: Server[] = [];
  let stopping = false;
  /** Requests received before they can be handled; null once they can. */
  let early: Parameters<RequestListener>[] | null = null;

  const handle: RequestListener = (request, response) => {
    if (early === null) {
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
    /**
     * Binds (port 0 selects a free port) and returns the address. Requests wait until `answer` is called.
     * @throws PortInUseError, or the error why there is no certificate
     */
    start: async ({ port, host, https }: ListenAddress) => {
      stopping = false;
      early = [];
      pauses.open();
      options.holds.open();
      const reserved = options.reservedPorts();
      const make = await serversOf(
        options,
        https,
        sockets.inTurn(handle),
        sockets,
        (address, reason) => {
          // Stopping ends the handshakes in progress.
          if (!stopping) captureFailedHandshake(address, reason, options);
        },
      );
      const giveUp = (server: Server) => sockets.end(server, 0);
      const bound =
        host === null
          ? await bindLoopback(make, giveUp, port, reserved)
          : await bind(make(), host, port, reserved);
      servers = bound.servers;
      return { port: bound.port, ipv6: bound.ipv6 };
    },
    /** Handles the requests received so far, and all later ones. */
    answer,
    /** Accepts no new connections, finishes the requests in flight, and closes. */
    stop: async (): Promise<void> => {
      stopping = true;
      // Stopped before it could handle requests, so there is nothing to finish.
      for (const [request] of early?.splice(0) ?? []) request.destroy();
      pauses.cut();
      options.holds.close();
      const closing = servers;
      servers = [];
      await Promise.all(closing.map((server) => sockets.end(server, DRAIN_MS)));
    },
  };
}
