// Every connection of a server, from its first moment to its last, also when Node has handed the socket
// over (CONNECT, upgrade, broken HTTP) and knows of it no more. Decides when what is no request is
// answered, and when a connection ends; what the answers say is the servers' own.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Connection } from './connection.ts';

/** What every server of ours allows a connection. Times in ms. */
export const CONNECTION_LIMITS = {
  maxHeaderSize: 65_536,
  // A missing Host is no reason to hang up without a word; who depends on it checks it.
  requireHostHeader: false,
  headersTimeout: 15_000,
  // For the request as a whole: a byte from time to time does not hold a connection for ever.
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5000,
  keepAliveTimeout: 30_000,
} as const;

/** At the same time, on each address. What comes beyond is hung up on. */
export const MAX_CONNECTIONS = 4096;

/** In ms. */
export interface SocketTimes {
  /** A client that reads nothing of its answer for this long is hung up on. */
  readonly stall: number;
  /** What a client that was refused has to read why, and to hang up by itself. */
  readonly linger: number;
}

const TIMES: SocketTimes = { stall: 60_000, linger: 2000 };

export type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Answers where Node gives no response to write to: whole, as they go over the wire. */
export interface SocketAnswers {
  readonly toBroken: (error: ClientError, socket: Socket) => string;
  readonly toConnect: (request: IncomingMessage, socket: Socket) => string;
  /** The refusal, or null once the socket is taken over. Left out, it is a request like any other. */
  readonly toUpgrade?: (
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
  ) => Promise<string | null>;
  /** The rest of this request will not come, or cannot be read: it is to be answered now. */
  readonly toUnfinished: (response: ServerResponse, error: ClientError) => void;
}

export interface Sockets {
  /** Follows the connections of this server. Called before it listens. */
  attend(server: Server): void;
  /** Has the requests of one connection wait for each other where they are too many. */
  inTurn(handle: RequestListener): RequestListener;
  /** From now on HTTP is spoken over `secure`, above the socket that was accepted. */
  secured(accepted: Socket, secure: Socket): void;
  /** Takes no more connections, gives requests in flight so many ms, then ends whatever is left. */
  end(server: Server, graceMs: number): Promise<void>;
}

type Find = (socket: Duplex) => Connection | undefined;

function answerBroken(server: Server, find: Find, answers: SocketAnswers, linger: number): void {
  server.on('clientError', (error: ClientError, socket) => {
    const connection = find(socket);
    if (connection === undefined || error.code === 'ECONNRESET' || socket.destroyed) {
      socket.destroy();
      return;
    }
    if (connection.isRefused) return;
    const { unfinished } = connection;
    if (unfinished === null) {
      // Whatever follows is as broken.
      connection.socket.pause();
      connection.afterAnswers(() => {
        connection.refuse(() => answers.toBroken(error, connection.socket), linger);
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
      connection.refuse(() => toConnect(request, connection.socket), linger);
    });
  });
  if (toUpgrade === undefined) return;
  server.on('upgrade', (request, socket, head) => {
    const connection = find(socket);
    connection?.afterAnswers(() => {
      void toUpgrade(request, connection.socket, head).then((refusal) => {
        if (refusal !== null) connection.refuse(() => refusal, linger);
      });
    });
  });
}

export function createSockets(answers: SocketAnswers, times: SocketTimes = TIMES): Sockets {
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
    // First of all listeners, so that no other one meets a socket or a response that is not followed.
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
      // Nothing moves. Unless we are at work on an answer, the client is idle or does not read.
      const connection = find(socket);
      if (connection === undefined) socket.destroy();
      else if (connection.isIdle || socket.writableLength > 0) connection.destroy();
    });
    // Accepting fails for want of file descriptors; who comes later is served again.
    server.on('error', () => undefined);
    answerBroken(server, find, answers, times.linger);
    answerHandedOver(server, find, answers, times.linger);
  };
  const end = async (server: Server, graceMs: number) => {
    // What has arrived is in flight, read or not yet.
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
    attend,
    inTurn: (handle) => (request, response) => {
      find(request.socket)?.inTurn(response, () => {
        handle(request, response);
      });
    },
    secured: (accepted, secure) => {
      const connection = known.get(accepted);
      if (connection === undefined) return;
      connection.socket = secure;
      known.set(secure, connection);
    },
    end,
  };
}
