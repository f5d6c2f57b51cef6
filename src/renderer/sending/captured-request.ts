// Turns a captured exchange into a request to send, without the headers that the sender sets itself.

import type { Exchange } from '../../control/schemas.ts';
import type { WireRequest } from '../../scenario/runner/sandbox.ts';

const SET_BY_SENDER = [
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'trailer',
];

const sizeOf = (text: string) => new TextEncoder().encode(text).length;

/** @throws Error when the body is not text, or was not captured completely */
export function requestOf({ number, method, path, request }: Exchange): WireRequest {
  if (request.body_encoding === 'base64') {
    throw new Error(
      `The body of exchange ${number} is not text. Copy the request as curl and send it from a shell.`,
    );
  }
  const kept = sizeOf(request.body);
  if (kept < request.body_bytes) {
    throw new Error(
      `Only ${kept} of the ${request.body_bytes} bytes of the body of exchange ${number} were stored.`,
    );
  }
  const headers = request.headers.filter(([name]) => !SET_BY_SENDER.includes(name.toLowerCase()));
  return { method, path, headers, body: request.body };
}
