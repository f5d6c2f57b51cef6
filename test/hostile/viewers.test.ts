// Many viewers of the control server, and viewers that do not read: they take a bounded amount of memory and do not
// block others.

import { EventEmitter, once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { os, type AnyRouter } from '@orpc/server';
import { StandardRPCHandler } from '@orpc/server/standard';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { z } from 'zod';
import {
  createRpcSockets,
  MAX_CALLS,
  MAX_SOCKETS,
  serveSocket,
} from '../../src/engine/control-server/rpc-socket.ts';
import { createRestHandler } from '../../src/engine/control-server/rest.ts';
import { MAX_WAITS } from '../../src/engine/exchanges/log.ts';
import { PiecewiseDocument } from '../../src/engine/exchanges/piecewise-document.ts';
import { MAX_VIEWERS } from '../../src/engine/feed/viewers.ts';
import { call, expectError, type Harness, startHarness, TOKEN } from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';

const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };
/** The bytes that may be buffered for a viewer before its calls wait, plus one long message. */
const MOST_BUFFERED = 4_194_304 + 1_000_000;

/** Includes secrets, because redaction would slow the test down. */
const EXPORT = { format: 'json', secrets: true };

/** More turns than a response takes until it is written. */
const MICROTASKS = 20;

interface Answer {
  readonly i: string;
  readonly p: { readonly s?: number; readonly b?: { readonly json: unknown } };
}

const ask = (id: number, path: string, input: unknown = {}) =>
  JSON.stringify({ i: String(id), p: { u: path, b: { json: input } } });

const errorOf = ({ p }: Answer) => (p.b?.json ?? {}) as { code?: string; message?: string };

async function openSocket(url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/rpc`, [
    'grantbench',
    `token.${TOKEN}`,
  ]);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return socket;
}

/** Messages received from now on. */
function messagesOf(socket: WebSocket): {
  readonly all: Answer[];
  count(n: number): Promise<void>;
} {
  const all: Answer[] = [];
  socket.on('message', (data: Buffer) => {
    all.push(JSON.parse(data.toString()) as Answer);
    socket.emit('counted');
  });
  return {
    all,
    count: async (n) => {
      while (all.length < n) await once(socket, 'counted');
    },
  };
}

/** Opens a stream of the feed and waits for its first bytes. */
async function openStream(url: string): Promise<IncomingMessage> {
  const request = get(`${url}/api/events`, { headers: AUTHORIZED, agent: false });
  request.on('error', () => undefined);
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

/** The server's side of a WebSocket, with the maximum of buffered bytes. */
async function openServedSocket(router: AnyRouter, faults: unknown[] = []) {
  const handler = new StandardRPCHandler(router, {});
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false });
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  const connected = once(server, 'connection') as Promise<[WebSocket]>;
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => client.terminate());
  const [served] = await connected;
  await once(client, 'open');
  const most = { buffered: 0 };
  const send = served.send.bind(served) as (...args: unknown[]) => void;
  served.send = (...args: unknown[]) => {
    send(...args);
    most.buffered = Math.max(most.buffered, served.bufferedAmount);
  };
  serveSocket(served, handler, (fault) => faults.push(fault));
  return { client, served, most };
}

/** Runs the event loop until the buffered bytes have stayed unchanged for many turns. */
async function untilStalled(waiting: () => number): Promise<void> {
  for (let still = 0, former = 0; still < 500; still += 1) {
    await setImmediate();
    if (waiting() === 0 || waiting() !== former) still = 0;
    former = waiting();
  }
}

async function makeExchanges(harness: Harness, count: number, bytes: number): Promise<void> {
  const raw = `note=${'some+words+'.repeat(bytes / 11)}`;
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  for (let made = 0; made < count; made += 1) {
    await call(harness.url(), 'POST', '/oauth/token', { raw, headers });
  }
}

/** With an export that is much larger than what may be buffered. */
const filled = shareHarness();
beforeAll(() => makeExchanges(filled(), 300, 60_000));

describe('viewers are limited', () => {
  it('a viewer over the limit of the feed is refused over REST and WebSocket until another leaves', async () => {
    const { control, connect } = await startHarness();
    const streams: IncomingMessage[] = [];
    while (streams.length < MAX_VIEWERS) streams.push(await openStream(control.url));
    const headers = AUTHORIZED;
    const refused = await call(control.url, 'GET', '/api/events', { headers });
    expectError(refused, 429, 'too_many', undefined, /100 already follow/);
    const client = await connect();
    await expect(client.events()).rejects.toMatchObject({ code: 'too_many', status: 429 });
    streams[0]?.destroy();
    await expect
      .poll(async () => {
        const batches = await client.events().catch(() => null);
        return (await batches?.next())?.done;
      })
      .toBe(false);
  });

  it('a waiter over the limit of waits for an exchange is refused', async () => {
    const harness = await startHarness();
    const clients = [];
    while (clients.length < MAX_WAITS / 25) clients.push(await harness.connect());
    let refused = 0;
    const waits = clients.flatMap((client) =>
      Array.from({ length: 26 }, async () => {
        try {
          return await client.exchanges.list({ wait_seconds: 60 });
        } catch (error) {
          expect(error).toMatchObject({ code: 'too_many', status: 429 });
          refused += 1;
          return null;
        }
      }),
    );
    await expect.poll(() => refused).toBe(waits.length - MAX_WAITS);
    const answer = await harness.api('GET', '/exchanges?wait_seconds=1');
    expectError(answer, 429, 'too_many', undefined, /200 are already waiting/);
    await call(harness.url(), 'GET', '/livez');
    for (const taken of await Promise.all(waits)) {
      if (taken !== null) expect(taken.items).toHaveLength(1);
    }
    const after = await harness.api('GET', '/exchanges?after=1&wait_seconds=1');
    expect(after.status).toBe(200);
  });

  it('a WebSocket over the limit is refused', async () => {
    const { control } = await startHarness({ start: false });
    for (let open = 0; open < MAX_SOCKETS; open += 1) await openSocket(control.url);
    const socket = new WebSocket(`${control.url.replace(/^http/, 'ws')}/rpc`, [
      'grantbench',
      `token.${TOKEN}`,
    ]);
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(response.statusCode).toBe(429);
    socket.terminate();
  });
});

describe('calls on one WebSocket', () => {
  it('are refused while too many are pending, and accepted afterwards', async () => {
    const harness = await startHarness();
    const socket = await openSocket(harness.control.url);
    const messages = messagesOf(socket);
    for (let id = 0; id < MAX_CALLS + 5; id += 1) {
      socket.send(ask(id, '/exchanges/list', { wait_seconds: 60 }));
    }
    await messages.count(5);
    for (const refused of messages.all) {
      expect(errorOf(refused)).toMatchObject({ code: 'too_many', status: 429 });
    }
    await call(harness.url(), 'GET', '/livez');
    await messages.count(MAX_CALLS + 5);
    socket.send(ask(1000, '/clock/get'));
    await messages.count(MAX_CALLS + 6);
    expect(messages.all.at(-1)).toMatchObject({ i: '1000', p: { b: { json: { frozen: false } } } });
    expect(harness.faults).toEqual([]);
  });

  it('do not wait for a call that is waiting', async () => {
    const harness = await startHarness();
    const socket = await openSocket(harness.control.url);
    const messages = messagesOf(socket);
    socket.send(ask(1, '/exchanges/list', { wait_seconds: 60 }));
    socket.send(ask(2, '/clock/get'));
    await messages.count(1);
    expect(messages.all[0]?.i).toBe('2');
  });

  it('are answered completely, in whatever microtask they finish beside a streamed response', async () => {
    const document = new PiecewiseDocument({
      around: (items: string[]) => ({ items }),
      items: () => ['one', 'two'],
      takeTurn: () => setImmediate(),
      onFault: () => undefined,
    });
    const begun = new EventEmitter();
    /** Both calls start before they continue, each after its number of microtasks. */
    const readyAfter = async (microtasks: number) => {
      const goOn = once(begun, 'go');
      begun.emit('waiting');
      await goOn;
      for (let left = microtasks; left > 0; left -= 1) await Promise.resolve();
    };
    const input = os.input(z.number());
    const { client } = await openServedSocket({
      plain: input.handler(({ input: microtasks }) => readyAfter(microtasks)),
      pieces: input.handler(async ({ input: microtasks }) => {
        await readyAfter(microtasks);
        return document.asDocument();
      }),
    });
    const messages = messagesOf(client);
    for (let ready = 0; ready < 2 * MICROTASKS; ready += 1) {
      let waiting = 0;
      const bothWait = new Promise<void>((resolve) => {
        begun.on('waiting', () => {
          waiting += 1;
          if (waiting === 2) resolve();
        });
      });
      client.send(ask(2 * ready, '/plain', ready));
      client.send(ask(2 * ready + 1, '/pieces', MICROTASKS));
      await bothWait;
      begun.emit('go');
      await messages.count(2 * ready + 2);
      begun.removeAllListeners();
    }
    expect(messages.all).toHaveLength(4 * MICROTASKS);
  });

  it('free their place when cancelled before they start', async () => {
    const harness = await startHarness();
    const socket = await openSocket(harness.control.url);
    const messages = messagesOf(socket);
    for (let id = 0; id < 5 * MAX_CALLS; id += 1) {
      socket.send(ask(id, '/exchanges/list', { wait_seconds: 60 }));
      socket.send(JSON.stringify({ i: String(id), t: 4 }));
    }
    socket.send(ask(1000, '/clock/get'));
    await messages.count(1);
    expect(messages.all.at(-1)?.i).toBe('1000');
    expect(messages.all.filter((answer) => errorOf(answer).code === 'too_many')).toEqual([]);
  });
});

describe('a WebSocket that is not read', () => {
  it('buffers a bounded part of twenty exports, and receives all of them when it reads', async () => {
    const harness = await startHarness();
    await makeExchanges(harness, 40, 60_000);
    const { client, served, most } = await openServedSocket(
      await harness.engine.getRouter(),
      harness.faults,
    );
    const messages = messagesOf(client);
    client.pause();
    for (let id = 0; id < 20; id += 1) client.send(ask(id, '/exchanges/export', EXPORT));
    await untilStalled(() => served.bufferedAmount);
    expect(messages.all).toEqual([]);
    client.resume();
    await messages.count(20);
    for (const { p } of messages.all) {
      const { exchanges } = p.b?.json as { exchanges: unknown[] };
      expect(exchanges).toHaveLength(40);
    }
    expect(most.buffered).toBeLessThan(MOST_BUFFERED);
  });

  it('buffers a bounded part of many responses, errors and batches', async () => {
    const harness = await startHarness();
    await makeExchanges(harness, 20, 60_000);
    const { client, served, most } = await openServedSocket(
      await harness.engine.getRouter(),
      harness.faults,
    );
    const messages = messagesOf(client);
    client.pause();
    client.send(ask(0, '/events'));
    const calls = 20_000;
    for (let id = 1; id <= calls; id += 1)
      client.send(ask(id, '/exchanges/get', { number: 3, secrets: true }));
    await untilStalled(() => served.bufferedAmount);
    await makeExchanges(harness, 5, 10);
    expect(most.buffered).toBeLessThan(MOST_BUFFERED);
    client.resume();
    await expect
      .poll(() => new Set(messages.all.map(({ i }) => i)).size, { timeout: 20_000 })
      .toBe(calls + 1);
    expect(most.buffered).toBeLessThan(MOST_BUFFERED);
    expect(harness.faults).toEqual([]);
  });

  const DEEP = `{"i":"${'7'.repeat(100)}","p":${'['.repeat(201)}`;
  /** The responses to so many are more than the system buffers for both sockets. */
  it.each([
    ['messages that nest too deeply', 60_000, 'message', (client: WebSocket) => client.send(DEEP)],
    ['pings', 120_000, 'pong', (client: WebSocket) => client.ping('x'.repeat(125))],
  ] as const)(
    'buffers a bounded part of the responses to %s, and receives all of them',
    async (_, sent, event, send) => {
      const { client, served } = await openServedSocket({});
      let answers = 0;
      client.on(event, () => {
        answers += 1;
      });
      client.pause();
      for (let count = 0; count < sent; count += 1) send(client);
      await untilStalled(() => served.bufferedAmount);
      expect(served.bufferedAmount).toBeGreaterThan(0);
      expect(served.bufferedAmount).toBeLessThan(MOST_BUFFERED);
      client.resume();
      await expect.poll(() => answers, { timeout: 20_000 }).toBe(sent);
    },
  );

  it('is closed when buffered data is not read for a long time, and stays open while nothing is buffered', async () => {
    const harness = filled();
    const sockets = createRpcSockets(await harness.engine.getRouter(), () => undefined);
    const server = createServer();
    onTestFinished(() => {
      sockets.close();
      server.close();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.on('upgrade', sockets.accept);
    const upgraded = once(server, 'upgrade') as Promise<[IncomingMessage, Socket]>;
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`, [
      'grantbench',
    ]);
    onTestFinished(() => client.terminate());
    client.on('error', () => undefined);
    const [, connection] = await upgraded;
    await once(client, 'open');
    // Node emits this event when nothing was read or written for the configured time.
    expect(connection.timeout).toBe(30_000);
    connection.emit('timeout');
    client.send(ask(1, '/clock/get'));
    await once(client, 'message');
    client.pause();
    client.send(ask(2, '/exchanges/export', EXPORT));
    await untilStalled(() => connection.writableLength);
    const closed = once(connection, 'close');
    connection.emit('timeout');
    await closed;
    expect(harness.faults).toEqual([]);
  });
});

describe('a REST call whose response is not read', () => {
  async function openRest(harness: Harness, path: string) {
    const rest = createRestHandler(await harness.engine.getRouter());
    const server = createServer((request, response) => void rest(request, response));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const { port } = server.address() as AddressInfo;
    const request = get(`http://127.0.0.1:${port}${path}`, { agent: false });
    onTestFinished(() => void request.destroy());
    request.on('error', () => undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    const [connection] = await connected;
    return { response, connection };
  }

  it('is generated only as far as it is read, and closed after a time', async () => {
    const harness = filled();
    const { connection } = await openRest(harness, '/api/exchanges/export?format=har&secrets=true');
    let most = 0;
    await untilStalled(() => {
      most = Math.max(most, connection.writableLength);
      return connection.writableLength;
    });
    expect(most).toBeLessThan(1_000_000);
    const closed = once(connection, 'close');
    connection.emit('timeout');
    await closed;
    expect(harness.faults).toEqual([]);
  });

  it('stays open while there is no event to send', async () => {
    const harness = await startHarness();
    const { response, connection } = await openRest(harness, '/api/events');
    await once(response, 'data');
    connection.emit('timeout');
    const batch = once(response, 'data');
    await call(harness.url(), 'GET', '/livez');
    expect(String(await batch)).toContain('event: message');
  });
});
