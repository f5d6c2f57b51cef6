// Sends requests and reads responses as on the wire: header names as sent, and truncated connections distinguished
// from complete responses.

import type { Agent, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly cut: boolean;
}

const NOTHING: RawAnswer = { status: 0, headers: [], body: Buffer.alloc(0), cut: false };

export interface RawRequest {
  readonly port: number;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: Buffer | null;
  /** The certificate to trust; null over HTTP. */
  readonly ca: string | null;
  /** Keeps connections; by default, each request has its own. */
  readonly agent?: Agent;
}

function readAnswer(incoming: IncomingMessage): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const settle = (cut: boolean) => {
      const { statusCode: status = 0, rawHeaders: headers } = incoming;
      resolve({ status, headers, body: Buffer.concat(chunks), cut });
    };
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      settle(false);
    });
    incoming.on('error', () => {
      settle(true);
    });
  });
}

/** Headers as names and values, in the order of first occurrence. */
function grouped(lines: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return headers;
}

export function sendRequest(order: RawRequest): Promise<RawAnswer> {
  const { port, method, target: path, body, ca, agent = false } = order;
  const headers = grouped(order.headers);
  if (body !== null && headers['Transfer-Encoding'] === undefined) {
    headers['Content-Length'] ??= String(body.length);
  }
  const options = { host: '127.0.0.1', port, method, path, agent, headers };
  return new Promise((resolve) => {
    const outgoing =
      ca === null
        ? httpRequest(options)
        : httpsRequest({ ...options, ca, servername: 'localhost' });
    outgoing.on('response', (incoming) => {
      resolve(readAnswer(incoming));
    });
    outgoing.on('error', () => {
      resolve(NOTHING);
    });
    outgoing.end(body ?? undefined);
  });
}

/** Parses the bytes of a closed connection as a response. */
function parseAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.toString('latin1', 0, Math.max(end, 0)).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
  if (end < 0 || status === 0) return NOTHING;
  const headers = lines.flatMap((line) => line.split(/: ?(.*)/s).slice(0, 2));
  return { status, headers, body: bytes.subarray(end + 4), cut: false };
}

/** Sends bytes and reads until the server closes the connection, or disconnects immediately. */
export function sendBytes(port: number, bytes: Buffer, hang_up: boolean): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => {
      if (hang_up) socket.write(bytes, () => socket.resetAndDestroy());
      else socket.write(bytes);
    });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(parseAnswer(Buffer.concat(chunks)));
    });
    socket.on('end', () => socket.end());
  });
}
