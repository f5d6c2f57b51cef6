// A server that records requests byte by byte and responds with 200.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Arrived {
  readonly method: string;
  readonly target: string;
  /** Names in lower case, in order of arrival; values as bytes in latin1. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export interface Echo {
  readonly port: number;
  readonly origin: string;
  /** The requests since the last call. */
  readonly taken: () => readonly Arrived[];
}

function pairsOf({ rawHeaders }: IncomingMessage): [string, string][] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? '']] : [],
  );
}

export async function startEcho(): Promise<Echo> {
  let arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      const body = Buffer.concat(chunks);
      arrived.push({ method, target: url, headers: pairsOf(request), body });
      response.end('arrived\n');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const taken = () => {
    const all = arrived;
    arrived = [];
    return all;
  };
  return { port, origin: `http://127.0.0.1:${port}`, taken };
}
