// Responses that are delayed, cut off or sent slowly. The exchange is filed
// with what was really sent, before the client can know that there is no more.

import type { ServerResponse } from 'node:http';
import type { PendingExchange, CaptureContext } from '../pending-exchange.ts';
import { type Answer, completeHeaders, type Delivery, file, NO_ANSWER } from '../reply.ts';
import type { Socket } from 'node:net';

/** Waits while a connection is held: by machine time, and no longer than the connection lives or the server runs. */
export type Pauses = ReturnType<typeof createPauses>;

export function createPauses() {
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
    /** True after so many ms; false as soon as the connection is gone. */
    pause: (socket: Socket, ms: number): Promise<boolean> => {
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
    /** Ends every pause and cuts its connection; from now on none lasts, until `open`. */
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

/** Pieces of a dribbled body are at least this far apart. */
const STEP_MS = 50;

type Send<K extends Delivery['kind']> = (
  response: ServerResponse,
  answer: Answer,
  delivery: Extract<Delivery, { kind: K }>,
  fileSent: (body: Buffer, interrupted?: true) => void,
) => Promise<void>;

const sendPart: Send<'cut'> = async (response, answer, { after_bytes }, fileSent) => {
  const body = Buffer.from(answer.body);
  const part = body.subarray(0, Math.min(after_bytes ?? body.length >> 1, body.length - 1));
  fileSent(part);
  await new Promise((resolve) => response.write(part, resolve));
  response.req.socket.destroy();
};

const sendPieces =
  ({ pause }: Pauses): Send<'dribble'> =>
  async (response, answer, { duration_ms }, fileSent) => {
    const { socket } = response.req;
    const body = Buffer.from(answer.body);
    const pieces = Math.min(body.length, Math.ceil(duration_ms / STEP_MS));
    const mark = (piece: number) => Math.floor((piece * body.length) / pieces);
    response.flushHeaders();
    for (let piece = 0; piece < pieces; piece++) {
      if (!(await pause(socket, duration_ms / pieces))) {
        fileSent(body.subarray(0, mark(piece)), true);
        socket.destroy();
        return;
      }
      if (piece + 1 === pieces) fileSent(body);
      response.write(body.subarray(mark(piece), mark(piece + 1)));
    }
    response.end();
  };

/** Sends what of the answer is to be sent; never rejects. */
export async function deliver(
  response: ServerResponse,
  pending: PendingExchange,
  answer: Answer & { readonly delivery: Delivery },
  context: CaptureContext,
  pauses: Pauses,
): Promise<void> {
  const { delivery } = answer;
  if (delivery.kind === 'drop') {
    file(pending, NO_ANSWER, context);
    response.req.socket.destroy();
    return;
  }
  const headers = completeHeaders(pending, answer, context);
  const fileSent = (body: Buffer, interrupted?: true) => {
    if (interrupted) pending.fault_interrupted = 'body';
    file(pending, { ...answer, headers, body: body.toString() }, context);
  };
  response.sendDate = false;
  response.writeHead(answer.status, headers);
  if (delivery.kind === 'cut') await sendPart(response, answer, delivery, fileSent);
  else await sendPieces(pauses)(response, answer, delivery, fileSent);
}
