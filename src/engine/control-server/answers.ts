// The control server's own responses: JSON errors, and the headers of all responses.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ClientError, rawResponse } from '../../server/sockets.ts';

/** An error of the control server as JSON (docs/reference/control-api.md). */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
}

export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** A connection is closed if the client reads no data for this long, in ms. */
export const STALL_MS = 30_000;

/**
 * Closes the connection if the client stops reading pending data, which would otherwise stay in memory. Without
 * pending data, as in a long poll, the connection stays open.
 */
export function endIfStalled(response: ServerResponse): void {
  response.setTimeout(STALL_MS, () => {
    if (response.writableLength > 0) response.destroy();
  });
}

export class Refusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: ErrorBody, headers: Readonly<Record<string, string>> = {}) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export function sendBody(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  endIfStalled(response);
  response.writeHead(status, {
    ...SAFE_HEADERS,
    'Cache-Control': 'no-store',
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

export function sendRefusal(response: ServerResponse, { status, body, headers }: Refusal): void {
  sendBody(response, status, 'application/json', JSON.stringify(body), headers);
}

/** Returns an error response as raw bytes. */
export function refusalText({ status, body, headers }: Refusal): string {
  const text = JSON.stringify(body);
  const all = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
    ...headers,
  };
  return rawResponse(status, Object.entries(all), text);
}

/** The connection is closed, because the rest of the request is not read. */
export const badRequest = (status: number, message: string): Refusal =>
  new Refusal(status, { code: 'bad_request', message }, { Connection: 'close' });

/** Responses to incomplete and malformed requests. */
export function refusalOfBroken({ code }: ClientError): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return badRequest(431, 'the request headers must not exceed 64 KiB');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const message =
      'the request must arrive in full: its headers within 15 seconds, all of it within 2 minutes';
    return badRequest(408, message);
  }
  return badRequest(400, 'the HTTP request is malformed (RFC 9112)');
}

export const refusalOfConnect = (): Refusal =>
  new Refusal(405, { code: 'method_not_allowed', message: 'CONNECT is not supported' });

export const refusalOfExpectation = (): Refusal =>
  badRequest(417, 'the Expect header must be 100-continue or left out (RFC 9110 10.1.1)');

/** Returns the path, decoded for static files. @throws Refusal for an invalid escape */
export function pathOfRequest({ url = '/' }: IncomingMessage): { raw: string; decoded: string } {
  const raw = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] || '/';
  try {
    return { raw, decoded: decodeURIComponent(raw) };
  } catch {
    throw new Refusal(400, {
      code: 'bad_request',
      message: 'the path contains an invalid percent-escape or is not UTF-8',
    });
  }
}
