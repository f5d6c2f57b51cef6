// The contract over a WebSocket, for the page in a browser tab.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { StandardRPCHandler } from '@orpc/server/standard';
import { WebSocketServer } from 'ws';
import type { Router } from '../handlers/index.ts';
import { Refusal, STALL_MS } from './answers.ts';
import { serveSocket } from './rpc-connection.ts';

export const PROTOCOL = 'grantbench';

/** As large as a workspace may be. */
const MAX_PAYLOAD = 33_554_432;

/** Open at the same time. */
export const MAX_SOCKETS = 100;

export interface RpcSockets {
  /** @throws Refusal for one too many */
  readonly accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly close: () => void;
}

export function createRpcSockets(router: Router, onFault: (fault: unknown) => void): RpcSockets {
  const handler = new StandardRPCHandler(router, {});
  const server = new WebSocketServer({
    noServer: true,
    autoPong: false,
    maxPayload: MAX_PAYLOAD,
    handleProtocols: () => PROTOCOL,
  });
  server.on('connection', (socket, { socket: connection }) => {
    // Broken frames and lost connections end this socket and nothing else.
    socket.on('error', () => {
      socket.terminate();
    });
    connection.setTimeout(STALL_MS).on('timeout', () => {
      if (socket.bufferedAmount > 0) socket.terminate();
    });
    serveSocket(socket, handler, onFault);
  });
  return {
    accept: (request, socket, head) => {
      if (server.clients.size >= MAX_SOCKETS) {
        const message = `too many WebSockets: ${MAX_SOCKETS} are already open`;
        throw new Refusal(429, { code: 'too_many', message });
      }
      server.handleUpgrade(request, socket, head, (opened) => {
        server.emit('connection', opened, request);
      });
    },
    close: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
