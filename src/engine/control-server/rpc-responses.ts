// What one WebSocket sends in oRPC's peer protocol. A batch of the feed is written as the text that all
// viewers share, and an export piece by piece, so that neither is copied or held as a whole.

import type { ORPCError } from '@orpc/server';
import {
  encodeResponseMessage,
  MessageType,
  type DecodedResponseMessage,
} from '@orpc/standard-server-peer';
import type { WebSocket } from 'ws';
import { PiecewiseDocument } from '../exchanges/piecewise-document.ts';
import { SharedBatch } from '../feed/batch.ts';

/** Bytes that wait to be read by the other end: with more, the socket has no room. */
const MAX_BUFFERED = 4_194_304;

export interface SocketResponses {
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
export function createSocketResponses(socket: WebSocket, onWritten: () => void): SocketResponses {
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
