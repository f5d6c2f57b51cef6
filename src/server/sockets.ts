// Tracks every connection of a server from start to end, even after Node has handed the socket over (CONNECT,
// upgrade, malformed HTTP). Decides when malformed requests are answered and when a connection ends; the servers
// decide what the responses are.

import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Connection } from './connection.ts';

/** Options of all servers. Times are in ms. */
export const CONNECTION_LIMITS = {
  maxHeaderSize: 65_536,
  // Node would close a connection without Host; code that needs Host checks it.
  requireHostHeader: false,
  headersTimeout: 15_000,
  // Limits the whole request, so that a client that sends a byte now and then cannot hold a connection forever.
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5000,
  keepAliveTimeout: 30_000,
} as const;

/** Concurrent connections of each address. Further connections are closed. */
export const MAX_CONNECTIONS = 4096;

/** In ms. */
export interface SocketTimes {
  /** The connection is closed if the client reads nothing of its response for this long. */
  readonly stall: number;
  /** Time for a rejected client to read the response and close the connection. */
  readonly linger: number;
}

const TIMES: SocketTimes = { stall: 60_000, linger: 2000 };

export type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Complete responses as raw bytes, for events in which Node provides no response object. */
export interface SocketAnswers {
  readonly toBroken: (error: ClientError, socket: Socket) => string;
  readonly toConnect: (request: IncomingMessage, socket: Socket) => string;
  /**
   * Returns the error response, or null once the socket is taken over. If undefined, the request is handled like any
   * other.
   */
  readonly toUpgrade?: (
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
  ) => Promise<string | null>;
  /** Called if the rest of the request will not arrive or cannot be read, so that it must be answered now. */
  readonly toUnfinished: (response: ServerResponse, error: ClientError) => void;
}

/** Returns a response as raw bytes, for requests without a response object. */
export function rawResponse(
  status: number,
  headers: readonly (readonly [name: string, value: string])[],
  body: string,
): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`;
}

export type Sockets = ReturnType<typeof createSockets>;

type Find = (socket: Duplex) => Connection | undefined;

function answerBroken(server: Server, find: Find, answers: SocketAnswers, linger: number): void {
  server.on('clientError', (error: ClientError, socket) => {
    const connection = find(socket);
    if (connection === undefined || error.code === 'ECONNRESET' || socket.destroyed) {
      socket.destroy();
      return;
    }
    if (connection.isRejected) return;
    const { unfinished } = connection;
    if (unfinished === null) {
      // Bytes after malformed ones are malformed as well.
      connection.socket.pause();
      connection.afterAnswers(() => {
        connection.reject(() => answers.toBroken(error, connection.socket), linger);
      });
    } else if (error.code === 'HPE_INVALID_EOF_STATE' || connection.isAnswered(unfinished)) {
      connection.destroy();
    } else {
      answers.toUnfinished(unfinished, error);
    }
  });
}

function answerHandedOver(
  server: Server,
  find: Find,
  { toConnect, toUpgrade }: SocketAnswers,
  linger: number,
): void {
  server.on('connect', (request, socket) => {
    const connection = find(socket);
    connection?.afterAnswers(() => {
      connection.reject(() => toConnect(request, connection.socket), linger);
    });
  });
  if (toUpgrade === undefined) return;
  server.on('upgrade', (request, socket, head) => {
    const connection = find(socket);
    connection?.afterAnswers(() => {
      void toUpgrade(request, connection.socket, head).then((refusal) => {
        if (refusal !== null) connection.reject(() => refusal, linger);
      });
    });
  });
}

export function createSockets(answers: SocketAnswers, times: SocketTimes = TIMES) {
  const open = new WeakMap<Server, Set<Connection>>();
  const known = new WeakMap<Duplex, Connection>();
  const find: Find = (socket) => known.get(socket);

  const begin = (request: IncomingMessage, response: ServerResponse) => {
    find(request.socket)?.begin(response);
  };
  const attend = (server: Server) => {
    const connections = new Set<Connection>();
    open.set(server, connections);
    server.maxConnections = MAX_CONNECTIONS;
    server.timeout = times.stall;
    // This listener must run first, so that no other listener gets an untracked socket or response.
    server.prependListener('connection', (socket: Socket) => {
      if (known.has(socket)) return;
      const connection = new Connection(socket);
      known.set(socket, connection);
      connections.add(connection);
      socket.once('close', () => connections.delete(connection));
    });
    server.prependListener('request', begin);
    server.prependListener('checkExpectation', begin);
    server.on('timeout', (socket: Socket) => {
      // The connection is inactive. Unless a response is being made, the client is idle or does not read.
      const connection = find(socket);
      if (connection === undefined) socket.destroy();
      else if (connection.isIdle || socket.writableLength > 0) connection.destroy();
    });
    // Accepting fails if file descriptors run out; later connections are accepted again.
    server.on('error', () => undefined);
    answerBroken(server, find, answers, times.linger);
    answerHandedOver(server, find, answers, times.linger);
  };
  const end = async (server: Server, graceMs: number) => {
    // Received requests are in flight, even if they were not read yet.
    await new Promise(setImmediate);
    const closed = new Promise((resolve) => server.close(resolve));
    const connections = open.get(server) ?? [];
    for (const connection of connections) connection.end();
    const cut = setTimeout(() => {
      for (const connection of connections) connection.destroy();
    }, graceMs);
    await closed;
    clearTimeout(cut);
  };

  return {
    /** Tracks the connections of this server. Must be called before it listens. */
    attend,
    /** Makes requests of one connection wait if too many are in progress. */
    inTurn:
      (handle: RequestListener): RequestListener =>
      (request, response) => {
        find(request.socket)?.inTurn(response, () => {
          handle(request, response);
        });
      },
    /** From now on, `secure` carries HTTP above the accepted socket. */
    secured: (accepted: Socket, secure: Socket) => {
      const connection = known.get(accepted);
      if (connection === undefined) return;
      connection.socket = secure;
      known.set(secure, connection);
    },
    /** Accepts no more connections, gives requests in flight this many ms, then closes the rest. */
    end,
  };
}
