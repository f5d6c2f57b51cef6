// One request over real HTTP, as its author wrote it, and whatever came back of it.

import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:http';

export interface Outgoing {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Incoming {
  /** 0 when the connection ended before there was one. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As far as it came. */
  readonly text: string;
  /** Whether the answer ended as HTTP says, and not in its middle. */
  readonly complete: boolean;
}

const NO_ANSWER: Incoming = { status: 0, headers: {}, text: '', complete: false };

const framed = ({ method, headers, body }: Outgoing) => ({
  method,
  agent: false as const,
  headers: {
    ...headers,
    ...(body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    Connection: 'close',
  },
});

/** @throws TypeError for what no request can hold */
export function send(port: number, outgoing: Outgoing): Promise<Incoming> {
  return new Promise((resolve) => {
    const target = { host: '127.0.0.1', port, path: outgoing.path };
    const sent = request({ ...target, ...framed(outgoing) }, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      const chunks: Buffer[] = [];
      const end = () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status, headers, text, complete: answer.complete });
      };
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      // `close` follows both a good end and a connection cut in the middle.
      answer.on('error', () => undefined);
      answer.on('close', end);
    });
    sent.on('error', () => {
      resolve(NO_ANSWER);
    });
    sent.end(outgoing.body ?? undefined);
  });
}
