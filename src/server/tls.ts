// HTTPS on the OAuth port. A connection is looked at before it is taken for TLS, so that a client that
// speaks plain HTTP here is told so, where TLS alone would hang up on it without a word.

import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';

/** PEM texts. The certificate of the server comes first, then those that vouch for it. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** A connection that has not come as far as HTTP by then is given up. */
const HANDSHAKE_MS = 15_000;
/** A TLS connection opens with a record of this type (RFC 8446 5.1). */
const HANDSHAKE = 0x16;

const farEnd = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

/** Closes as idle also what has not come as far as HTTP: the silent, and those that still shake hands. */
function closeEarlyOnes(server: Server): void {
  const early = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const key = farEnd(socket);
    early.set(key, socket);
    socket.once('close', () => early.delete(key));
  });
  server.on('secureConnection', (socket: Socket) => early.delete(farEnd(socket)));
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    for (const socket of early.values()) socket.destroy();
    closeIdle();
  };
}

/** @param plain is handed the connections that do not open with TLS */
export function createTlsServer(
  options: ServerOptions,
  tls: Tls,
  handle: RequestListener,
  plain: Server,
): Server {
  const { cert, key } = tls;
  const server = createServer({ ...options, cert, key, handshakeTimeout: HANDSHAKE_MS }, handle);
  const handshakes = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  closeEarlyOnes(server);
  server.on('connection', (socket: Socket) => {
    const giveUp = () => socket.destroy();
    socket.setTimeout(HANDSHAKE_MS, giveUp).on('error', giveUp);
    socket.once('data', (first: Buffer) => {
      socket.pause().unshift(first);
      if (first[0] === HANDSHAKE) {
        // From here on the socket sees no traffic of its own, and would give up in the midst of it.
        socket.setTimeout(0, giveUp);
        for (const shakeHands of handshakes) shakeHands.call(server, socket);
      } else {
        plain.emit('connection', socket);
        socket.resume();
      }
    });
  });
  return server;
}
