// The contract over a WebSocket, for the page in a browser tab.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { RPCHandler } from '@orpc/server/ws';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import type { Router } from '../handlers/index.ts';

export const PROTOCOL = 'grantbench';

/** As large as a workspace may be. */
const MAX_PAYLOAD = 33_554_432;

export interface RpcSockets {
  readonly accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly close: () => void;
}

/** Waits until a message is on its way, so that a slow viewer takes its batches one by one. */
function paced(socket: WebSocket): Pick<WebSocket, 'addEventListener' | 'send'> {
  const send = (data: Parameters<WebSocket['send']>[0]) =>
    new Promise<void>((resolve) => {
      // A socket that is closing is told by its close event.
      socket.send(data, () => {
        resolve();
      });
    });
  return {
    addEventListener: socket.addEventListener.bind(socket),
    send: send as WebSocket['send'],
  };
}

export function createRpcSockets(router: Router): RpcSockets {
  const handler = new RPCHandler(router);
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PAYLOAD,
    handleProtocols: () => PROTOCOL,
  });
  server.on('connection', (socket) => {
    // Broken frames and lost connections end this socket and nothing else.
    socket.on('error', () => {
      socket.terminate();
    });
    void handler.upgrade(paced(socket));
  });
  return {
    accept: (request, socket, head) => {
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
