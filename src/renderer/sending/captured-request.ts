// A captured exchange as a request to send: what the sender sets by itself is left to it.

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

/** @throws Error with what stands in the way */
export function requestOf({ number, method, path, request }: Exchange): WireRequest {
  if (request.body_encoding === 'base64') {
    throw new Error(
      `The body of exchange ${number} is not text. Copy the request as curl and send it from a shell.`,
    );
  }
  const kept = sizeOf(request.body);
  if (kept < request.body_bytes) {
    throw new Error(
      `Only ${kept} of the ${request.body_bytes} bytes of the body of exchange ${number} were kept.`,
    );
  }
  const headers = request.headers.filter(([name]) => !SET_BY_SENDER.includes(name.toLowerCase()));
  return { method, path, headers, body: request.body };
}
