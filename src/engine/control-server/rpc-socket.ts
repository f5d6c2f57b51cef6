// The contract over a WebSocket, for the page in a browser tab: oRPC's peer protocol. Whatever the other end does, it
// holds little: calls begin one after another and wait while responses are not read, and few are in progress at the same
// time. A batch of the feed is written as the text that all viewers share, and an export piece by piece, so that neither
// is copied or held as a whole.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type StandardHandler, StandardRPCHandler } from '@orpc/server/standard';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Router } from '../handlers/index.ts';
import { Refusal, STALL_MS } from './answers.ts';
import { type Context, ORPCError } from '@orpc/server';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import {
  type DecodedRequestMessage,
  type DecodedResponseMessage,
  deserializeRequestMessage,
  encodeResponseMessage,
  experimental_ServerPeerWithoutCodec as ServerPeer,
  MessageType,
} from '@orpc/standard-server-peer';
import { isNestedTooDeeply } from '../../core/records/json-text.ts';
import { PiecewiseDocument } from '../exchanges/piecewise-document.ts';
import { SharedBatch } from '../feed/viewers.ts';
import { setImmediate } from 'node:timers/promises';

const PROTOCOL = 'grantbench';

/** As large as a workspace may be. */
const MAX_PAYLOAD = 33_554_432;

/** Open at the same time. */
export const MAX_SOCKETS = 100;

interface RpcSockets {
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

/** Bytes that wait to be read by the other end: with more, the socket has no room. */
export const MAX_BUFFERED = 4_194_304;

interface SocketResponses {
  /** Whether another response may be prepared: no document is being sent, and little waits to be read. */
  readonly hasRoom: () => boolean;
  /** Resolves when the message was handed to the network, so that a slow viewer gets its batches one by one. */
  readonly send: (message: DecodedResponseMessage) => Promise<void>;
  /** Answers the call with this error, which no operation threw. */
  readonly sendError: (id: string, error: ORPCError<string, unknown>) => Promise<void>;
}

/** The value of a body as oRPC's serializer wraps it. */
const valueIn = (serialized: unknown): unknown =>
  typeof serialized === 'object' && serialized !== null && 'json' in serialized
    ? serialized.json
    : undefined;

/** @param onWritten called after each write, when there may be room again */
function createSocketResponses(socket: WebSocket, onWritten: () => void): SocketResponses {
  /** Resolves when the document that is being sent is out: nothing may come between its pieces. */
  let document: Promise<void> | null = null;

  /** Checked again right before each write: whoever else waited for the document may have begun another. */
  const isSendingDocument = () => document !== null;

  const write = (text: string, fin = true) =>
    new Promise<void>((resolve) => {
      // Also called with an error, which the socket's close event reports.
      socket.send(text, { fin }, () => {
        resolve();
        onWritten();
      });
    });
  const writePieces = async (id: string, pieces: AsyncIterable<string>) => {
    try {
      await write(`{"i":${JSON.stringify(id)},"p":{"b":{"json":`, false);
      for await (const piece of pieces) {
        if (socket.readyState !== socket.OPEN) return;
        await write(piece, false);
      }
      await write('}}}');
    } catch {
      // The document has reported the fault; the half that was sent cannot be taken back.
      socket.terminate();
    } finally {
      document = null;
      onWritten();
    }
  };
  return {
    hasRoom: () => !isSendingDocument() && socket.bufferedAmount <= MAX_BUFFERED,
    send: async ([id, type, payload]) => {
      while (isSendingDocument()) await document;
      if (type === MessageType.RESPONSE) {
        const value = valueIn(payload.body);
        if (value instanceof PiecewiseDocument) {
          document = writePieces(id, value.pieces());
          return document;
        }
      }
      if (type === MessageType.EVENT_ITERATOR && payload.event === 'message') {
        const value = valueIn(payload.data);
        if (value instanceof SharedBatch) {
          const frame = `{"i":${JSON.stringify(id)},"t":${type},"p":{"e":"message","d":{"json":`;
          return write(`${frame}${value.text}}}}`);
        }
      }
      // No operation answers with a file or a form, so it is text.
      const text = (await encodeResponseMessage(id, type, payload)) as string;
      while (isSendingDocument()) await document;
      await write(text);
    },
    sendError: async (id, error) => {
      while (isSendingDocument()) await document;
      await write(JSON.stringify({ i: id, p: { s: error.status, b: { json: error.toJSON() } } }));
    },
  };
}

interface CallQueueOptions<Call> {
  /** Calls under way at the same time, waiting ones included. */
  readonly limit: number;
  /** What they may weigh together; a single call may weigh more. */
  readonly maxWeight: number;
  /** Whether a call may begin now. */
  readonly hasRoom: () => boolean;
  /** Resolves when the call is answered; never rejects. */
  readonly run: (call: Call) => Promise<void>;
}

interface CallQueue<Call> {
  /** Whether the call was taken: false when there are too many. */
  readonly add: (call: Call, weight: number) => boolean;
  /** Forgets calls that have not begun. */
  readonly drop: (isMeant: (call: Call) => boolean) => void;
  /** Begins what waits; to be called whenever there may be room again. */
  readonly proceed: () => void;
}

function createCallQueue<Call>(options: CallQueueOptions<Call>): CallQueue<Call> {
  const { limit, maxWeight, hasRoom, run } = options;
  let waiting: { readonly call: Call; readonly weight: number }[] = [];
  let count = 0;
  let weighed = 0;
  let beginning = false;

  const leave = (weight: number) => {
    count -= 1;
    weighed -= weight;
  };
  const begin = async (): Promise<void> => {
    for (;;) {
      const next = hasRoom() ? waiting.shift() : undefined;
      if (next === undefined) {
        // At once: a call that came in between would not be begun.
        beginning = false;
        return;
      }
      const done = run(next.call).then(() => {
        leave(next.weight);
      });
      // What it answers at once is in the buffer before the next one begins; a call that waits for
      // something, as a long poll does, holds up nobody.
      await Promise.race([done, setImmediate()]);
    }
  };
  const proceed = () => {
    if (beginning) return;
    beginning = true;
    void begin();
  };
  return {
    add: (call, weight) => {
      if (count >= limit || (count > 0 && weighed + weight > maxWeight)) return false;
      count += 1;
      weighed += weight;
      waiting.push({ call, weight });
      proceed();
      return true;
    },
    drop: (isMeant) => {
      for (const { call, weight } of waiting) if (isMeant(call)) leave(weight);
      waiting = waiting.filter(({ call }) => !isMeant(call));
    },
    proceed,
  };
}
