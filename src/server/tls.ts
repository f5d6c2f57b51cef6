// HTTPS on the OAuth port. The first byte of a connection is examined before TLS starts, so that a client that sends
// plain HTTP gets an error response. TLS alone would close the connection without an explanation.

import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Sockets } from './sockets.ts';

/** PEM texts: the certificate of the server, then its chain. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
  /** The file of the certificate, for clients to trust; undefined without a file. */
  readonly file?: string | undefined;
}

/** Time limit for the TLS handshake. */
const HANDSHAKE_MS = 15_000;
/** A TLS connection opens with a record of this type (RFC 8446 5.1). */
const HANDSHAKE = 0x16;

/** Identifies a connection by its two ends, because Node does not say which socket a TLS socket uses. */
const endsOf = ({ localAddress, localPort, remoteAddress, remotePort }: Socket) =>
  `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`;

/** Tracks each connection until the handshake is complete, within the time limit. */
function followHandshakes(server: Server, secured: Sockets['secured']): void {
  const begun = new Map<string, { readonly socket: Socket; readonly done: () => void }>();
  server.on('connection', (socket: Socket) => {
    const ends = endsOf(socket);
    const giveUp = setTimeout(() => socket.destroy(), HANDSHAKE_MS);
    const done = () => {
      clearTimeout(giveUp);
      if (begun.get(ends)?.socket === socket) begun.delete(ends);
    };
    begun.set(ends, { socket, done });
    socket.once('close', done);
  });
  server.prependListener('secureConnection', (secure: Socket) => {
    const connection = begun.get(endsOf(secure));
    connection?.done();
    if (connection !== undefined) secured(connection.socket, secure);
  });
}

/** @param plain gets the connections that do not start with TLS */
export function createTlsServer(
  options: ServerOptions,
  tls: Tls,
  handle: RequestListener,
  plain: Server,
  sockets: Sockets,
): Server {
  const { cert, key } = tls;
  const server = createServer({ ...options, cert, key, handshakeTimeout: HANDSHAKE_MS }, handle);
  const handshakes = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  followHandshakes(server, sockets.secured);
  server.on('connection', (socket: Socket) => {
    socket.once('data', (first: Buffer) => {
      socket.pause().unshift(first);
      if (first[0] === HANDSHAKE) {
        for (const shakeHands of handshakes) shakeHands.call(server, socket);
      } else {
        plain.emit('connection', socket);
        socket.resume();
      }
    });
  });
  return server;
}
