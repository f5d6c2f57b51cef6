// One request over real HTTP, as its author wrote it, and whatever comes back.

import { request } from 'node:http';
import { SENDER_HEADER } from '../../../control/senders.ts';
import type { HttpRequest } from '../../../oauth/fields.ts';
import type { HttpAnswer } from '../../../scenario/runner/sandbox.ts';

const NO_ANSWER: HttpAnswer = { status: 0, headers: {}, text: '', exchange: null };

const framed = ({ method, headers, body }: HttpRequest, port: number) => ({
  method,
  agent: false as const,
  headers: {
    Host: `localhost:${port}`,
    ...headers,
    ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    [SENDER_HEADER]: 'scenario',
    Connection: 'close',
  },
});

const exchangeOf = (named: string | string[] | undefined) =>
  named === undefined ? null : Number(named);

/** @throws TypeError for what no request can hold */
export function send(port: number, outgoing: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const target = { host: '127.0.0.1', port, path: outgoing.path };
    const sent = request({ ...target, ...framed(outgoing, port) }, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      const chunks: Buffer[] = [];
      const end = () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status, headers, text, exchange: exchangeOf(headers['grantbench-exchange']) });
      };
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      // `close` follows both a good end and a connection cut in the middle.
      answer.on('error', () => undefined);
      answer.on('close', end);
    });
    sent.on('error', () => {
      resolve(NO_ANSWER);
    });
    sent.end(outgoing.body);
  });
}
