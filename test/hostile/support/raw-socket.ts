// A client of bare sockets, over TCP or TLS, that does what no well-behaved client does. Knows no HTTP.
//
//   const socket = await openSocket({ port, secure: true });   // trusts any certificate
//   socket.send('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
//   await socket.until(/ 405 /);   // all that came so far, once it matches
//   socket.reset();                // RST; `finish` sends FIN, `destroy` hangs up
//   await socket.closed;           // all that ever came, once the connection is gone on our side
//
// It stays half-open: the server's FIN is never answered unless `finish` or `destroy` is called. With
// `reading: false` nothing is read, and `closed` settles only by what this side does.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';

export interface SocketOrder {
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  readonly secure?: boolean;
  readonly reading?: boolean;
}

export interface RawSocket {
  /** Resolves when the bytes are sent; never rejects, since the server may close the connection. */
  send(bytes: string | Uint8Array): Promise<void>;
  /** Sends the same text repeatedly until the connection is closed. */
  flood(bytes: string): Promise<void>;
  received(): string;
  until(pattern: RegExp): Promise<string>;
  /** Resolves when the server has sent its FIN, or the connection is closed. */
  readonly ended: Promise<string>;
  readonly closed: Promise<string>;
  reset(): void;
  finish(): void;
  destroy(): void;
}

async function dial({ port, host = '127.0.0.1', secure: encrypted }: SocketOrder) {
  const tcp = connect({ port, host, allowHalfOpen: true, noDelay: true });
  tcp.on('error', () => undefined);
  await once(tcp, 'connect');
  if (encrypted !== true) return { tcp, socket: tcp };
  const socket: Socket = secure({ socket: tcp, rejectUnauthorized: false });
  socket.allowHalfOpen = true;
  await once(socket, 'secureConnect');
  return { tcp, socket };
}

export async function openSocket(order: SocketOrder): Promise<RawSocket> {
  const { tcp, socket } = await dial(order);
  let text = '';
  const watchers = new Set<() => void>();
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => {
    socket.once('close', () => {
      resolve(text);
    });
  });
  const ended = new Promise<string>((resolve) => {
    socket.once('end', () => {
      resolve(text);
    });
    void closed.then(resolve);
  });
  if (order.reading !== false) {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (const look of watchers) look();
    });
  }
  const send = (bytes: string | Uint8Array) =>
    new Promise<void>((resolve) => {
      socket.write(bytes, () => {
        resolve();
      });
    });
  return {
    send,
    flood: async (bytes) => {
      while (!socket.destroyed) {
        await send(bytes);
        await new Promise(setImmediate);
      }
    },
    received: () => text,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!pattern.test(text)) return;
          watchers.delete(look);
          resolve(text);
        };
        watchers.add(look);
        look();
        void closed.then(() => {
          reject(new Error(`closed without ${String(pattern)}: ${text.slice(0, 500)}`));
        });
      }),
    ended,
    closed,
    reset: () => {
      tcp.resetAndDestroy();
      socket.destroy();
    },
    finish: () => {
      socket.end();
    },
    destroy: () => {
      socket.destroy();
      tcp.destroy();
    },
  };
}

/** Opens many sockets at once and handles each as soon as it is open. */
export function openSockets(count: number, order: SocketOrder): Promise<RawSocket[]> {
  return Promise.all(Array.from({ length: count }, () => openSocket(order)));
}
