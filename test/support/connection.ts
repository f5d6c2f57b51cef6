// A client with a keep-alive connection that reports whether a response came over the same connection as the one
// before, and the received part of a truncated response.

import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:http';

export interface Outcome {
  /** 0 without a response. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The received part of the body. */
  readonly body: string;
  /** Code of the error that ended it; null for a complete response. */
  readonly broken: string | null;
  /** Whether it used the connection of the previous request. */
  readonly reused: boolean;
}

export interface Sent {
  readonly outcome: Promise<Outcome>;
  /** Resolves when the headers of the response arrive. */
  readonly answered: Promise<void>;
  readonly hangUp: () => void;
}

export interface Connection {
  readonly send: (
    method: string,
    path: string,
    body?: string,
    headers?: Record<string, string>,
  ) => Sent;
  /** A token request as a form. */
  readonly token: (parameters: Record<string, string>) => Promise<Outcome>;
  readonly close: () => void;
}

export function openConnection(port: number): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send: Connection['send'] = (method, path, body = '', headers = {}) => {
    const length = String(Buffer.byteLength(body));
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent,
      headers: { ...headers, ...(body === '' ? {} : { 'Content-Length': length }) },
    });
    const answered = new Promise<void>((resolve) => {
      outgoing.once('response', () => {
        resolve();
      });
    });
    const outcome = new Promise<Outcome>((resolve) => {
      const end = (part: Partial<Outcome>) => {
        resolve({
          status: 0,
          headers: {},
          body: '',
          broken: null,
          reused: outgoing.reusedSocket,
          ...part,
        });
      };
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        end({ broken: error.code ?? error.message });
      });
      outgoing.on('response', (answer) => {
        const { statusCode: status = 0, headers: received } = answer;
        const chunks: Buffer[] = [];
        const finish = (broken: string | null) => {
          end({ status, headers: received, body: Buffer.concat(chunks).toString(), broken });
        };
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            finish(null);
          })
          .on('error', (error: NodeJS.ErrnoException) => {
            finish(error.code ?? error.message);
          });
      });
      outgoing.end(body);
    });
    return { outcome, answered, hangUp: () => outgoing.destroy() };
  };
  return {
    send,
    token: (parameters) =>
      send('POST', '/oauth/token', new URLSearchParams(parameters).toString(), {
        'Content-Type': 'application/x-www-form-urlencoded',
      }).outcome,
    close: () => {
      agent.destroy();
    },
  };
}
