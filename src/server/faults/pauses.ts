// Waiting while a connection is held: by machine time, and no longer than the connection lives or the
// server runs.

import type { Socket } from 'node:net';

export interface Pauses {
  /** True after so many ms; false as soon as the connection is gone. */
  pause(socket: Socket, ms: number): Promise<boolean>;
  /** Ends every pause and cuts its connection; from now on none lasts, until `open`. */
  cut(): void;
  open(): void;
}

export function createPauses(): Pauses {
  /** What ends the pauses of each connection: pipelined requests may hold one several times. */
  const held = new Map<Socket, Set<() => void>>();
  let closed = false;

  const endAll = (socket: Socket) => {
    held.get(socket)?.forEach((end) => {
      end();
    });
  };
  const endsOf = (socket: Socket): Set<() => void> => {
    const known = held.get(socket);
    if (known !== undefined) return known;
    const ends = new Set<() => void>();
    held.set(socket, ends);
    socket.once('close', () => {
      endAll(socket);
      held.delete(socket);
    });
    return ends;
  };
  return {
    pause: (socket, ms) => {
      if (closed || socket.destroyed) return Promise.resolve(false);
      if (ms === 0) return Promise.resolve(true);
      const ends = endsOf(socket);
      return new Promise((resolve) => {
        const finish = (whole: boolean) => {
          clearTimeout(timer);
          ends.delete(end);
          resolve(whole);
        };
        const end = () => {
          finish(false);
        };
        const timer = setTimeout(() => {
          finish(true);
        }, ms);
        ends.add(end);
      });
    },
    cut: () => {
      closed = true;
      for (const [socket, ends] of held) {
        if (ends.size === 0) continue;
        endAll(socket);
        socket.destroy();
      }
    },
    open: () => {
      closed = false;
    },
  };
}
