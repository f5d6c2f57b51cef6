// The contract over a WebSocket with oRPC's peer protocol, for the page in a browser tab. Memory is bounded for any
// client: calls begin one after another, wait while responses are unread, and few are in progress at the same time. A
// batch of the feed is written as a text that all viewers share, and an export in pieces, so that neither is copied
// or held as a whole.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type StandardHandler, StandardRPCHandler } from '@orpc/server/standard';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Router } from '../handlers/index.ts';
import type { CallContext } from '../handlers/implementer.ts';
import { Refusal, STALL_MS } from './answers.ts';
import { ORPCError } from '@orpc/server';
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

/** The size limit of a workspace. */
const MAX_PAYLOAD = 33_554_432;

export const MAX_SOCKETS = 100;

export function createRpcSockets(router: Router, onFault: (fault: unknown) => void) {
  const handler = new StandardRPCHandler(router, {});
  const server = new WebSocketServer({
    noServer: true,
    autoPong: false,
    maxPayload: MAX_PAYLOAD,
    handleProtocols: () => PROTOCOL,
  });
  server.on('connection', (socket, { socket: connection }) => {
    // Malformed frames and lost connections only end this socket.
    socket.on('error', () => {
      socket.terminate();
    });
    connection.setTimeout(STALL_MS).on('timeout', () => {
      if (socket.bufferedAmount > 0) socket.terminate();
    });
    serveSocket(socket, handler, onFault);
  });
  return {
    /** @throws Refusal for too many WebSockets */
    accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => {
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

/**
 * Maximum number of calls in progress, including those that wait to begin. The workbench sends up to 100 requests at
 * a time.
 */
export const MAX_CALLS = 160;
/** Maximum number of characters in the messages of all calls in progress; a single message may exceed it. */
const MAX_REQUESTED = 67_108_864;
/** Maximum number of characters of a call's identifier, which every response repeats. */
const MAX_ID = 100;

type Request = Extract<DecodedRequestMessage, [string, MessageType.REQUEST, unknown]>;

function readMessage(text: string): DecodedRequestMessage | null {
  try {
    const message = JSON.parse(text) as Parameters<typeof deserializeRequestMessage>[0];
    if (typeof message.i !== 'string' || message.i.length > MAX_ID) return null;
    return deserializeRequestMessage(message);
  } catch {
    return null;
  }
}

/** Returns the identifier at the beginning of a message, where all oRPC clients put it. */
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

/** Handles the calls of one socket until it closes. @param onFault called with internal errors of handling a call */
export function serveSocket(
  socket: WebSocket,
  handler: StandardHandler<CallContext>,
  onFault: (fault: unknown) => void,
): void {
  const proceed = () => {
    if (!responses.hasRoom()) return;
    if (socket.isPaused) socket.resume();
    calls.proceed();
  };
  const responses = createSocketResponses(socket, proceed);
  const peer = new ServerPeer(responses.send);
  const closed = new AbortController();
  const context = { connection: closed.signal };
  const handle = createServerPeerHandleRequestFn(handler, { context });
  const calls = createCallQueue(responses.hasRoom, async (call) => {
    try {
      await peer.message(call, handle);
    } catch (error) {
      if (socket.readyState === socket.OPEN) onFault(error);
    }
  });

  /** Every message can cause an error or a pong, so reading stops if there is no room for them. */
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
      calls.drop(id);
      void peer.message(message);
    } else if (type === MessageType.REQUEST) {
      // No operation accepts a stream, a file or a form.
      const call: Request = [id, type, { ...payload, method: 'POST', headers: {} }];
      if (!calls.add(call, text.length)) reject(id, TOO_MANY);
    }
  };
  socket.on('message', (data, isBinary) => {
    if (!isBinary) receive((data as Buffer).toString());
  });
  socket.on('ping', (data: Buffer) => {
    // Automatic pongs of the library would be queued without limit.
    socket.pong(data, false, proceed);
    pauseWhenFull();
  });
  socket.on('close', () => {
    closed.abort();
    peer.close();
  });
}

/** Maximum number of unread bytes; above it, the socket has no room. */
export const MAX_BUFFERED = 4_194_304;

/** Returns the value of a body as oRPC's serializer wraps it. */
const valueIn = (serialized: unknown): unknown =>
  typeof serialized === 'object' && serialized !== null && 'json' in serialized
    ? serialized.json
    : undefined;

/** @param onWritten called after each write, when there may be room again */
function createSocketResponses(socket: WebSocket, onWritten: () => void) {
  /** Resolves when the current document is sent, because no message may come between its pieces. */
  let document: Promise<void> | null = null;

  /** Checked again before each write, because another waiter may have started a document. */
  const isSendingDocument = () => document !== null;

  const write = (text: string, fin = true) =>
    new Promise<void>((resolve) => {
      // Also called with an error, which the close event reports.
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
      // The document has reported the error; the part that was sent cannot be revoked.
      socket.terminate();
    } finally {
      document = null;
      onWritten();
    }
  };
  return {
    /** Whether another response may be prepared: no document is being sent, and few bytes are unread. */
    hasRoom: () => !isSendingDocument() && socket.bufferedAmount <= MAX_BUFFERED,
    /** Resolves when the message was passed to the network, so that a slow viewer gets its batches one by one. */
    send: async ([id, type, payload]: DecodedResponseMessage): Promise<void> => {
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
      // No operation returns a file or a form, so the message is text.
      const text = (await encodeResponseMessage(id, type, payload)) as string;
      while (isSendingDocument()) await document;
      await write(text);
    },
    /** Responds to the call with an error that no operation threw. */
    sendError: async (id: string, error: ORPCError<string, unknown>) => {
      while (isSendingDocument()) await document;
      await write(JSON.stringify({ i: id, p: { s: error.status, b: { json: error.toJSON() } } }));
    },
  };
}

/**
 * @param hasRoom whether a call may begin now
 * @param run handles the call and resolves when it is answered; never rejects
 */
function createCallQueue(hasRoom: () => boolean, run: (call: Request) => Promise<void>) {
  let waiting: { readonly call: Request; readonly weight: number }[] = [];
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
        // Must be synchronous, or a call that arrives meanwhile would never begin.
        beginning = false;
        return;
      }
      const done = run(next.call).then(() => {
        leave(next.weight);
      });
      // An immediate response is in the buffer before the next call begins. A call that waits, such as a long poll,
      // does not block the others.
      await Promise.race([done, setImmediate()]);
    }
  };
  const proceed = () => {
    if (beginning) return;
    beginning = true;
    void begin();
  };
  return {
    /** Returns whether the call was accepted; false if there are too many. @param weight characters of the message */
    add: (call: Request, weight: number): boolean => {
      if (count >= MAX_CALLS || (count > 0 && weighed + weight > MAX_REQUESTED)) return false;
      count += 1;
      weighed += weight;
      waiting.push({ call, weight });
      proceed();
      return true;
    },
    /** Drops the call if it has not begun. */
    drop: (id: string) => {
      for (const { call, weight } of waiting) if (call[0] === id) leave(weight);
      waiting = waiting.filter(({ call }) => call[0] !== id);
    },
    /** Begins waiting calls; must be called whenever there may be room again. */
    proceed,
  };
}
