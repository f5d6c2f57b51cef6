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

/** Called with the address of a client whose handshake failed, and why this server ended it, if it did. */
export type HandshakeFailed = (address: string | undefined, reason: string | undefined) => void;

interface Handshake {
  readonly socket: Socket;
  readonly giveUp: NodeJS.Timeout;
  /** Why this server ended it. */
  reason?: string | undefined;
}

/** Returns why this server ended a handshake; undefined if the client did, which may send an alert before. */
function ownReason(error: Error): string | undefined {
  const reason = 'reason' in error ? String(error.reason) : 'alert';
  return reason.includes('alert') ? undefined : reason;
}

/**
 * Tracks each connection until its handshake is complete, within the time limit.
 * @param failed called for a client that sent something
 * @returns ends the tracking of a connection that does not use TLS
 */
function followHandshakes(
  server: Server,
  secured: Sockets['secured'],
  failed: HandshakeFailed,
): (socket: Socket) => void {
  const begun = new Map<string, Handshake>();
  /** Returns whether the handshake was in progress. */
  const finish = (ends: string, socket: Socket): boolean => {
    const handshake = begun.get(ends);
    if (handshake?.socket !== socket) return false;
    clearTimeout(handshake.giveUp);
    return begun.delete(ends);
  };
  server.on('connection', (socket: Socket) => {
    const ends = endsOf(socket);
    const { remoteAddress } = socket;
    const giveUp = setTimeout(() => {
      handshake.reason = 'it was not complete after 15 seconds';
      socket.destroy();
    }, HANDSHAKE_MS);
    const handshake: Handshake = { socket, giveUp };
    begun.set(ends, handshake);
    socket.once('close', () => {
      if (finish(ends, socket) && socket.bytesRead > 0) failed(remoteAddress, handshake.reason);
    });
  });
  server.on('tlsClientError', (error: Error, secure: Socket) => {
    const handshake = begun.get(endsOf(secure));
    if (handshake !== undefined) handshake.reason ??= ownReason(error);
  });
  server.prependListener('secureConnection', (secure: Socket) => {
    const ends = endsOf(secure);
    const socket = begun.get(ends)?.socket;
    if (socket === undefined) return;
    finish(ends, socket);
    secured(socket, secure);
  });
  return (socket) => void finish(endsOf(socket), socket);
}

/**
 * @param plain gets the connections that do not start with TLS
 */
export function createTlsServer(
  options: ServerOptions,
  tls: Tls,
  handle: RequestListener,
  plain: Server,
  sockets: Sockets,
  failed: HandshakeFailed,
): Server {
  const { cert, key } = tls;
  const server = createServer({ ...options, cert, key, handshakeTimeout: HANDSHAKE_MS }, handle);
  const handshakes = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const forget = followHandshakes(server, sockets.secured, failed);
  server.on('connection', (socket: Socket) => {
    socket.once('data', (first: Buffer) => {
      socket.pause().unshift(first);
      if (first[0] === HANDSHAKE) {
        for (const shakeHands of handshakes) shakeHands.call(server, socket);
      } else {
        forget(socket);
        plain.emit('connection', socket);
        socket.resume();
      }
    });
  });
  return server;
}
