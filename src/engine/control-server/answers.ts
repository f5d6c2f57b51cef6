// The control server's own answers: JSON errors, and headers that every answer has.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** An error of the control server as it travels (control.md). */
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

/** A refusal on a bare socket, as for a WebSocket that is not to be. */
export function refusalText({ status, body, headers }: Refusal, reason: string): string {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${text}`;
}

/** The path, decoded as far as static files need it. @throws Refusal for a bad escape */
export function pathOfRequest({ url = '/' }: IncomingMessage): { raw: string; decoded: string } {
  const raw = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] || '/';
  try {
    return { raw, decoded: decodeURIComponent(raw) };
  } catch {
    throw new Refusal(400, {
      code: 'bad_request',
      message: 'the path has a percent-escape that is none, or is not UTF-8',
    });
  }
}
