// HTTPS on the OAuth port. A connection is looked at before it is taken for TLS, so that a client that
// speaks plain HTTP here gets an answer that says so, where TLS alone would hang up on it without a word.

import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Sockets } from './sockets.ts';

/** PEM texts. The certificate of the server comes first, then those that vouch for it. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
  /** The file of the certificate, for clients to trust; left out when there is none. */
  readonly file?: string | undefined;
}

/** A connection that is not secure by then is given up. */
const HANDSHAKE_MS = 15_000;
/** A TLS connection opens with a record of this type (RFC 8446 5.1). */
const HANDSHAKE = 0x16;

/** A connection is known by its two ends: Node does not tell which one a TLS socket was made of. */
const endsOf = ({ localAddress, localPort, remoteAddress, remotePort }: Socket) =>
  `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`;

/** Follows each connection until it is secure, for so long and no longer. */
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

/** @param plain is handed the connections that do not open with TLS */
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
