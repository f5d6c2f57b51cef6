// One WebSocket that speaks oRPC's peer protocol. Whatever its other end does, it holds little: calls begin
// one after another and wait while responses are not read, and few are in progress at the same time.

import { ORPCError, type Context } from '@orpc/server';
import type { StandardHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import {
  deserializeRequestMessage,
  experimental_ServerPeerWithoutCodec as ServerPeer,
  MessageType,
  type DecodedRequestMessage,
} from '@orpc/standard-server-peer';
import type { WebSocket } from 'ws';
import { isNestedTooDeeply } from '../../core/records/json-text.ts';
import { createCallQueue } from './call-queue.ts';
import { createSocketResponses } from './rpc-responses.ts';

/** Calls in progress at the same time, including those that wait to begin: the workbench sends up to 100 requests at once. */
export const MAX_CALLS = 160;
/** Characters of the messages of all calls in progress. */
const MAX_REQUESTED = 67_108_864;
/** Characters of a call's identifier, which every response repeats. */
const MAX_ID = 100;

type Request = Extract<DecodedRequestMessage, [string, MessageType.REQUEST, unknown]>;

/** The message, or null for anything else. */
function readMessage(text: string): DecodedRequestMessage | null {
  try {
    const message = JSON.parse(text) as Parameters<typeof deserializeRequestMessage>[0];
    if (typeof message.i !== 'string' || message.i.length > MAX_ID) return null;
    return deserializeRequestMessage(message);
  } catch {
    return null;
  }
}

/** The identifier that a message begins with, where every client of oRPC puts it. */
const idIn = (text: string): string | null =>
  /^\{"i":"([\w-]{1,100})"/.exec(text.slice(0, MAX_ID + 10))?.[1] ?? null;

const TOO_MANY = new ORPCError('too_many', {
  status: 429,
  message: `too many calls: ${MAX_CALLS} are already in progress on this connection`,
});
const TOO_DEEP = new ORPCError('bad_request', {
  status: 400,
  message: 'the message is nested too deeply',
});

/**
 * Handles the calls of one socket until it closes.
 * @param onFault called with what handling a call throws, which is never an expected error
 */
export function serveSocket(
  socket: WebSocket,
  handler: StandardHandler<Context>,
  onFault: (fault: unknown) => void,
): void {
  const proceed = () => {
    if (!responses.hasRoom()) return;
    if (socket.isPaused) socket.resume();
    calls.proceed();
  };
  const responses = createSocketResponses(socket, proceed);
  const peer = new ServerPeer(responses.send);
  const handle = createServerPeerHandleRequestFn(handler, { context: {} });
  const calls = createCallQueue<Request>({
    limit: MAX_CALLS,
    maxWeight: MAX_REQUESTED,
    hasRoom: responses.hasRoom,
    run: async (call) => {
      try {
        await peer.message(call, handle);
      } catch (error) {
        if (socket.readyState === socket.OPEN) onFault(error);
      }
    },
  });

  /** Errors and pongs are sent for every message: without room for them, nothing more is read. */
  const pauseWhenFull = () => {
    if (!responses.hasRoom()) socket.pause();
  };
  const reject = (id: string | null, error: ORPCError<string, unknown>) => {
    if (id !== null) void responses.sendError(id, error);
    pauseWhenFull();
  };
  const receive = (text: string) => {
    if (isNestedTooDeeply(text)) {
      reject(idIn(text), TOO_DEEP);
      return;
    }
    const message = readMessage(text);
    if (message === null) return;
    const [id, type, payload] = message;
    if (type === MessageType.ABORT_SIGNAL) {
      calls.drop(([waiting]) => waiting === id);
      void peer.message(message);
    } else if (type === MessageType.REQUEST) {
      // No operation takes a stream, a file or a form.
      const call: Request = [id, type, { ...payload, method: 'POST', headers: {} }];
      if (!calls.add(call, text.length)) reject(id, TOO_MANY);
    }
  };
  socket.on('message', (data, isBinary) => {
    if (!isBinary) receive((data as Buffer).toString());
  });
  socket.on('ping', (data: Buffer) => {
    // The library's own pong would wait unread without bound.
    socket.pong(data, false, proceed);
    pauseWhenFull();
  });
  socket.on('close', () => {
    peer.close();
  });
}
