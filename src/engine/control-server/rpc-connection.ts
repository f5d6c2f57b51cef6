// One WebSocket that speaks oRPC's peer protocol. Whatever its other end does, it holds little: calls begin
// one after another and wait while what was answered is not read, few are under way at the same time, and
// what others share (a batch of the feed) or is long (an export) is sent without being copied or made whole.

import { ORPCError, type Context } from '@orpc/server';
import type { StandardHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import {
  deserializeRequestMessage,
  encodeResponseMessage,
  experimental_ServerPeerWithoutCodec as ServerPeer,
  MessageType,
  type DecodedRequestMessage,
  type DecodedResponseMessage,
} from '@orpc/standard-server-peer';
import type { WebSocket } from 'ws';
import { isNestedTooDeeply } from '../../core/records/json-text.ts';
import { SharedBatch } from '../feed/batch.ts';
import { PiecewiseDocument } from '../exchanges/piecewise-document.ts';
import { createCallQueue } from './call-queue.ts';

/** Calls under way at the same time, waiting ones included. */
export const MAX_CALLS = 32;
/** Bytes that wait to be read: with more, no call begins. */
const MAX_BUFFERED = 4_194_304;
/** Characters that calls under way may have been sent in, together. */
const MAX_ASKED = 67_108_864;
/** Identifiers of calls are small numbers; they are in every answer. */
const MAX_ID = 100;

type Request = Extract<DecodedRequestMessage, [string, MessageType.REQUEST, unknown]>;

/** What a value of oRPC's serializer holds. */
const valueIn = (serialized: unknown): unknown =>
  typeof serialized === 'object' && serialized !== null && 'json' in serialized
    ? serialized.json
    : undefined;

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

/** The identifier that a message begins with, as every client of oRPC writes it. */
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

export function serveSocket(
  socket: WebSocket,
  handler: StandardHandler<Context>,
  onFault: (fault: unknown) => void,
): void {
  /** Resolves when the long answer that is being sent is out; nothing may come between its pieces. */
  let sending: Promise<void> | null = null;

  /** Asked again right before each write: where it is waited for elsewhere, another may begin meanwhile. */
  const isSending = () => sending !== null;
  const hasRoom = () => !isSending() && socket.bufferedAmount <= MAX_BUFFERED;
  const proceed = () => {
    if (!hasRoom()) return;
    if (socket.isPaused) socket.resume();
    calls.proceed();
  };
  const write = (text: string, fin = true) =>
    new Promise<void>((resolve) => {
      // A socket that is closing is told by its close event.
      socket.send(text, { fin }, () => {
        resolve();
        proceed();
      });
    });
  const writePieces = async (id: string, document: PiecewiseDocument<unknown, unknown>) => {
    try {
      await write(`{"i":${JSON.stringify(id)},"p":{"b":{"json":`, false);
      for await (const piece of document.pieces()) {
        if (socket.readyState !== socket.OPEN) return;
        await write(piece, false);
      }
      await write('}}}');
    } catch {
      // It was reported; half an answer cannot be taken back.
      socket.terminate();
    } finally {
      sending = null;
      proceed();
    }
  };
  /** Waits until the message is on its way, so that a slow viewer takes its batches one by one. */
  const send = async ([id, type, payload]: DecodedResponseMessage): Promise<void> => {
    while (isSending()) await sending;
    if (type === MessageType.RESPONSE) {
      const document = valueIn(payload.body);
      if (document instanceof PiecewiseDocument) {
        sending = writePieces(id, document);
        return sending;
      }
    }
    if (type === MessageType.EVENT_ITERATOR && payload.event === 'message') {
      const batch = valueIn(payload.data);
      if (batch instanceof SharedBatch) {
        const frame = `{"i":${JSON.stringify(id)},"t":${type},"p":{"e":"message","d":{"json":`;
        return write(`${frame}${batch.text}}}}`);
      }
    }
    // Neither files nor forms are answered, so it is text. While it is made, a long answer may have begun.
    const text = (await encodeResponseMessage(id, type, payload)) as string;
    while (isSending()) await sending;
    await write(text);
  };

  const peer = new ServerPeer(send);
  const handle = createServerPeerHandleRequestFn(handler, { context: {} });
  const calls = createCallQueue<Request>({
    limit: MAX_CALLS,
    maxWeight: MAX_ASKED,
    hasRoom,
    run: async (call) => {
      try {
        await peer.message(call, handle);
      } catch (error) {
        if (socket.readyState === socket.OPEN) onFault(error);
      }
    },
  });
  const refuse = async (id: string, error: ORPCError<string, unknown>) => {
    while (isSending()) await sending;
    await write(JSON.stringify({ i: id, p: { s: error.status, b: { json: error.toJSON() } } }));
  };
  /** What is refused is answered too: without room for that, nothing more is read. */
  const pauseWhenFull = () => {
    if (!hasRoom()) socket.pause();
  };
  const receive = (text: string) => {
    if (isNestedTooDeeply(text)) {
      const id = idIn(text);
      if (id !== null) void refuse(id, TOO_DEEP);
      pauseWhenFull();
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
      if (calls.add(call, text.length)) return;
      void refuse(id, TOO_MANY);
      pauseWhenFull();
    }
  };
  socket.on('message', (data, isBinary) => {
    if (!isBinary) receive((data as Buffer).toString());
  });
  socket.on('ping', (data: Buffer) => {
    // The library's own answer would wait unread without bound.
    socket.pong(data, false, proceed);
    pauseWhenFull();
  });
  socket.on('close', () => {
    peer.close();
  });
}
