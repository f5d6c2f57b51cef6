// The limits of a connection, with short timeouts: a client that does not read, write or disconnect is disconnected,
// but not one whose request is being served.

import { once } from 'node:events';
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { CONNECTION_LIMITS, createSockets, type Sockets } from '../../src/server/sockets.ts';
import { openSocket } from './support/raw-socket.ts';

interface Guarded {
  readonly port: number;
  readonly server: Server;
  readonly sockets: Sockets;
  /** Error responses written where Node provides no response object. */
  readonly errors: string[];
  /** The server's socket of the next connection. */
  readonly accepted: () => Promise<Socket>;
}

const SHORT = { stall: 100, linger: 100 };

async function startGuarded(
  handle: RequestListener,
  options: ServerOptions = {},
  times: Partial<typeof SHORT> = {},
): Promise<Guarded> {
  const errors: string[] = [];
  const tell = (what: string) => {
    errors.push(what);
    return `HTTP/1.1 400 ${what}\r\nContent-Length: 0\r\n\r\n`;
  };
  const sockets = createSockets(
    {
      toBroken: (error) => tell(error.code ?? 'broken'),
      toConnect: () => tell('connect'),
      toUnfinished: (response, { code }) => {
        errors.push(`unfinished ${code}`);
        response.writeHead(408, { Connection: 'close' }).end();
      },
    },
    { ...SHORT, ...times },
  );
  const server = createServer({ ...CONNECTION_LIMITS, ...options }, sockets.inTurn(handle));
  sockets.attend(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => sockets.end(server, 0));
  return {
    port: (server.address() as AddressInfo).port,
    server,
    sockets,
    errors,
    accepted: async () => ((await once(server, 'connection')) as [Socket])[0],
  };
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const CONNECT = 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n';
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x');

test.each([
  ['CONNECT', CONNECT],
  ['broken HTTP', 'garbage\r\n\r\n'],
])(
  'a client that stays connected after the refusal of %s is disconnected',
  async (_name, bytes) => {
    const { port, accepted } = await startGuarded(() => undefined);
    const accepting = accepted();
    const socket = await openSocket({ port });
    const closed = once(await accepting, 'close');
    await socket.send(bytes);
    expect(await socket.ended).toMatch(/^HTTP\/1\.1 400 /);
    await closed;
    socket.destroy();
  },
);

test('a client that keeps writing after a refusal is disconnected', async () => {
  const { port, errors } = await startGuarded(() => undefined);
  const socket = await openSocket({ port });
  await socket.send(CONNECT);
  await socket.flood('x'.repeat(65_536));
  expect(errors).toEqual(['connect']);
});

test('a client that does not read its response is disconnected', async () => {
  const { port, accepted } = await startGuarded((_request, response) => response.end(LARGE));
  const accepting = accepted();
  const socket = await openSocket({ port, reading: false });
  const closed = once(await accepting, 'close');
  await socket.send(GET);
  await closed;
  socket.destroy();
});

test('a client that waits for a response in progress stays connected', async () => {
  const { port, server } = await startGuarded((_request, response) => {
    // The timeout has expired without closing the connection.
    server.once('timeout', () => response.end('done'));
  });
  const socket = await openSocket({ port });
  await socket.send(GET);
  expect(await socket.until(/done$/)).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

test('headers that never end are answered with 400', async () => {
  const limits = { headersTimeout: 100, connectionsCheckingInterval: 20 };
  const { port, errors } = await startGuarded(() => undefined, limits, { stall: 60_000 });
  const socket = await openSocket({ port });
  await socket.send('GET / HTTP/1.1\r\nX-Half: ');
  expect(await socket.ended).toMatch(/^HTTP\/1\.1 400 /);
  expect(errors).toEqual(['ERR_HTTP_REQUEST_TIMEOUT']);
  socket.destroy();
});

test('a body that arrives byte by byte is answered with 408', async () => {
  const limits = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 };
  const { port, errors } = await startGuarded((request) => request.resume(), limits);
  const socket = await openSocket({ port });
  await socket.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
  await socket.flood('x');
  expect(socket.received()).toMatch(/^HTTP\/1\.1 408 /);
  expect(errors).toEqual(['unfinished ERR_HTTP_REQUEST_TIMEOUT']);
});

test('at most sixteen requests of one connection are processed at a time, and all are answered in order', async () => {
  let atWork = 0;
  let most = 0;
  let served = 0;
  const { port } = await startGuarded((_request, response) => {
    most = Math.max(most, ++atWork);
    setImmediate(() => {
      atWork -= 1;
      response.end(`number ${++served}\n`);
    });
  });
  const socket = await openSocket({ port });
  await socket.send(GET.repeat(400));
  const text = await socket.until(/number 400\n$/);
  const numbers = [...text.matchAll(/number (\d+)\n/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
  expect(most).toBe(16);
  socket.destroy();
});

test('pipelined requests that wait are read in bounded number, and all are answered', async () => {
  const REQUESTS = 20_000;
  let finish: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (finish = resolve));
  let read = 0;
  let answered = 0;
  let most = 0;
  const { port, server } = await startGuarded((_request, response) => {
    setImmediate(() => {
      response.end('done');
      if (++answered === REQUESTS) finish();
    });
  });
  server.on('request', () => {
    most = Math.max(most, ++read - answered);
  });
  const socket = await openSocket({ port });
  await socket.send(GET.repeat(REQUESTS));
  await all;
  // At most two reads of 64 KiB are buffered.
  expect(most).toBeLessThan((2 * 65_536) / GET.length + 16);
  socket.destroy();
});

test('every pending request of a closed connection gets a close event', async () => {
  const closed: Promise<unknown>[] = [];
  const { port, server } = await startGuarded((_request, response) => {
    closed.push(once(response, 'close'));
    response.once('close', () => response.end('too late'));
  });
  const socket = await openSocket({ port });
  const requested = once(server, 'request');
  await socket.send(GET.repeat(3));
  await requested;
  socket.destroy();
  await Promise.all(closed);
  expect(closed).toHaveLength(3);
});

test('input after malformed HTTP is not read while an earlier response is pending', async () => {
  const pending: ServerResponse[] = [];
  const { port, server, errors } = await startGuarded((_request, response) =>
    pending.push(response),
  );
  const socket = await openSocket({ port });
  let broken = 0;
  server.on('clientError', () => {
    broken += 1;
  });
  const first = once(server, 'clientError');
  await socket.send(`${GET}garbage\r\n\r\n`);
  await first;
  for (let count = 0; count < 10; count += 1) {
    await socket.send('x'.repeat(65_536));
    // The server could read the data in this turn of the event loop.
    await turn();
  }
  expect(broken).toBe(1);
  pending[0]?.end('done');
  expect(await socket.ended).toMatch(/done[^]* 400 /);
  expect(errors).toHaveLength(1);
  socket.destroy();
});

test('shutdown completes requests in flight and accepts no new ones', async () => {
  const inFlight: ServerResponse[] = [];
  const { port, server, sockets } = await startGuarded((_request, response) => {
    inFlight.push(response);
  });
  const idle = await openSocket({ port });
  const busy = await openSocket({ port });
  const requested = once(server, 'request');
  await busy.send(GET + GET);
  await requested;
  const ended = sockets.end(server, 60_000);
  await idle.ended;
  for (const response of inFlight) response.end('finished');
  const answer = await busy.ended;
  expect(answer.match(/finished/g)).toHaveLength(2);
  expect(answer.match(/Connection: close/g)).toHaveLength(1);
  await ended;
  await expect(openSocket({ port })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('shutdown disconnects clients at the end of its grace period', async () => {
  const { port, server, sockets } = await startGuarded((_request, response) => response.end(LARGE));
  const socket = await openSocket({ port, reading: false });
  const requested = once(server, 'request');
  await socket.send(GET);
  await requested;
  await sockets.end(server, 50);
  socket.destroy();
});
