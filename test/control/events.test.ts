// docs/reference/control-api.md: the numbered, batched feed, over REST as server-sent events and over the WebSocket.

import { type IncomingMessage, request } from 'node:http';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { RPCHandler } from '@orpc/server/message-port';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ControlClient } from '../../src/control/contract.ts';
import { type FeedBatch, feedBatchSchema } from '../../src/control/schemas.ts';
import { type Topic, TOPICS } from '../../src/control/topics.ts';
import { generateSigningKey } from '../../src/engine/key-material.ts';
import { DEVICE_CODE_GRANT } from '../../src/core/records/schemas.ts';
import { seededRandom, START } from '../support/core.ts';
import { feedBatch } from '../support/exchanges.ts';
import { form, refresh } from '../support/form-calls.ts';
import { call, type Harness, startHarness, startSignedIn, TOKEN } from '../support/harness.ts';

interface Stream {
  next(): Promise<FeedBatch>;
  close(): void;
  readonly response: IncomingMessage;
}

/** Server-sent events as a client reads them, without comments and keep-alives. */
async function* parseEvents(response: IncomingMessage): AsyncGenerator<FeedBatch, void> {
  let text = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    text += chunk.toString();
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const data = lines.find((line) => line.startsWith('data: '))?.slice('data: '.length);
      if (lines.includes('event: message') && data !== undefined) {
        yield feedBatchSchema.parse(JSON.parse(data));
      }
    }
  }
}

async function openStream({ control }: Harness): Promise<Stream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(`${control.url}/api/events`, {
      agent: false,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.end();
  });
  response.on('error', () => undefined);
  onTestFinished(() => void response.destroy());
  const events = parseEvents(response);
  return {
    response,
    next: async () => {
      const { value } = await events.next();
      if (value === undefined) throw new Error('the stream ended');
      return value;
    },
    close: () => response.destroy(),
  };
}

describe('GET /events', () => {
  it('is a stream of server-sent events whose first batch is sent at once', async () => {
    const harness = await startHarness();
    const stream = await openStream(harness);
    expect(stream.response.headers['content-type']).toBe('text/event-stream');
    const { sandbox, first, last, rates, ...rest } = await stream.next();
    expect(sandbox).toMatch(/^[\da-f-]{36}$/);
    expect(first).toBe(last + 1);
    const totals = { ...feedBatch().totals, exchanges: 0 };
    expect(rest).toEqual({ exchanges: [], counters: [], changed: [], totals });
    expect(rates.seconds).toEqual([]);
  });

  it('sends redacted summaries of exchanges, numbered without a gap', async () => {
    const harness = await startHarness();
    const stream = await openStream(harness);
    const start = await stream.next();
    await call(harness.url(), 'GET', '/nowhere?code=secret');
    const batch = await stream.next();
    expect(batch.first).toBe(start.last + 1);
    expect(batch.last).toBe(start.last + 1);
    expect(batch.exchanges).toEqual([
      expect.objectContaining({
        number: 1,
        status: 404,
        path: '/nowhere?code=[redacted]',
      }) as object,
    ]);
    expect(batch.totals).toMatchObject({ exchanges: 1, requests: 1 });
    expect(batch.totals.exchange_bytes).toBeGreaterThan(0);
  });

  it('names the lists that changed', async () => {
    const harness = await startHarness();
    const stream = await openStream(harness);
    const changed = async (operation: Promise<unknown>) => {
      await operation;
      return (await stream.next()).changed.toSorted();
    };
    await stream.next();
    expect(await changed(harness.post('/clients', {}))).toEqual(['clients', 'throttle']);
    expect(await changed(harness.post('/users', { sub: 'bea' }))).toEqual(['users']);
    expect(await changed(harness.post('/audiences', { uri: 'https://a.test' }))).toEqual([
      'audiences',
    ]);
    expect(await changed(harness.patch('/clock', { frozen: true }))).toEqual([
      'clock',
      'devices',
      'throttle',
      'tokens',
    ]);
    expect(await changed(harness.code())).toEqual(['tokens']);
    const { private_jwk: jwk } = await generateSigningKey('ES256', START);
    // Access tokens are inactive without their key.
    expect(await changed(harness.post('/keys', { jwk }))).toEqual(['keys', 'tokens']);
    expect(await changed(harness.post(`/keys/${jwk.kid}/retire`))).toEqual(['keys', 'tokens']);
    expect(await changed(harness.post('/keys'))).toEqual(['keys', 'tokens']);
    const tv = { client_id: 'demo-app', grant_types: [DEVICE_CODE_GRANT] };
    await changed(harness.patch('/clients/demo-app', tv));
    expect(await changed(harness.post('/devices', { client_id: 'demo-app' }))).toEqual(['devices']);
    const fault = { when: 'instead', effect: { kind: 'answer', status: 503 } };
    expect(await changed(harness.post('/faults', fault))).toEqual(['faults']);
    expect(await changed(harness.patch('/settings', { profile: 'strict' }))).toEqual([
      'keys',
      'server',
      'settings',
      'throttle',
      'tokens',
    ]);
    expect(await changed(harness.api('DELETE', '/throttle'))).toEqual(['throttle']);
    expect(await changed(harness.post('/server/stop'))).toEqual(['server']);
    expect(await changed(harness.post('/reset'))).toEqual(TOPICS.toSorted());
  });

  it('names the lists that requests of an app change', async () => {
    const { harness, refresh_token } = await startSignedIn();
    const match = { path: '/nowhere' };
    await harness.post('/faults', { when: 'instead', match, effect: { kind: 'drop' } });
    const stream = await openStream(harness);
    await stream.next();
    const reports = async (topic: Topic) => {
      while (!(await stream.next()).changed.includes(topic));
    };
    await refresh(harness, refresh_token);
    await reports('advisories');
    await form(harness, '/oauth/revoke', { token: refresh_token });
    await reports('tokens');
    await call(harness.url(), 'GET', '/nowhere').catch(() => undefined);
    await reports('faults');
  });

  it('reports a new key', async () => {
    const harness = await startHarness();
    const stream = await openStream(harness);
    await stream.next();
    await harness.patch('/settings', { signing_alg: 'EdDSA' });
    const topics: string[] = [];
    while (!topics.includes('settings')) topics.push(...(await stream.next()).changed);
    expect(topics).toContain('keys');
    await harness.engine.service.keyring.sign({}, 'JWT', 'HS256');
    expect((await stream.next()).changed).toContain('keys');
  });

  it('contains the newest state of each changed counter, and the number of used-up counters', async () => {
    const harness = await startHarness({ workspace: { settings: { throttle: { limit: 1 } } } });
    const stream = await openStream(harness);
    await stream.next();
    await harness.signIn();
    let batch = await stream.next();
    while (batch.counters.length === 0) batch = await stream.next();
    expect(batch.counters).toEqual([
      expect.objectContaining({ kind: 'code', used: 1, limit: 1 }) as object,
    ]);
    expect(await harness.list<object>('/throttle')).toEqual(batch.counters);
    while (batch.totals.exchanges === 0) batch = await stream.next();
    expect(batch.totals).toMatchObject({ counters: 1, blocked_counters: 1, live_credentials: 2 });
    await harness.patch('/settings', { throttle: { limit: 2 } });
    while (!batch.changed.includes('settings')) batch = await stream.next();
    expect(batch.totals).toMatchObject({ counters: 1, blocked_counters: 0 });
  });

  it('reports changes caused only by time', async () => {
    const harness = await startHarness({ workspace: { settings: { throttle: { limit: 1 } } } });
    await harness.signIn();
    await harness.code();
    const stream = await openStream(harness);
    const start = await stream.next();
    expect(start.totals).toMatchObject({ blocked_counters: 1, live_credentials: 3 });
    harness.machine.now += 600_000;
    const batch = await stream.next();
    expect(batch).toMatchObject({ first: start.last + 1, last: start.last, changed: [] });
    expect(batch.totals).toMatchObject({ blocked_counters: 0, live_credentials: 2 });
  });

  it('ends with the engine', async () => {
    const harness = await startHarness();
    const stream = await openStream(harness);
    await stream.next();
    await harness.engine.close();
    for (;;) {
      const batch = await stream.next().catch(() => null);
      if (batch === null) break;
    }
  });

  it('does not fail when a viewer disconnects', async () => {
    const harness = await startHarness();
    const gone = await openStream(harness);
    await gone.next();
    gone.close();
    const stream = await openStream(harness);
    await stream.next();
    await call(harness.url(), 'GET', '/nowhere');
    expect((await stream.next()).exchanges).toHaveLength(1);
    expect(harness.faults).toEqual([]);
  });
});

/** A page asks for its lists without waiting for the subscription: no change after them may be missing. */
async function expectNothingMissed(client: ControlClient): Promise<void> {
  const subscribing = client.events();
  await client.clients.create({ client_id: 'at-once', redirect_uris: [] });
  const changed: string[] = [];
  for await (const batch of await subscribing) {
    changed.push(...batch.changed);
    if (changed.length > 0) break;
  }
  expect(changed).toContain('clients');
}

describe('the contract over the WebSocket', () => {
  it('returns the same results as REST', async () => {
    const harness = await startHarness();
    const client = await harness.connect();
    expect(await client.clients.list({ limit: 100 })).toEqual(await harness.get('/clients'));
    expect(await client.server.get()).toEqual(await harness.get('/server'));
    const changed = await client.clients.update({ client_id: 'demo-app', client_name: null });
    expect(changed).toMatchObject({ client_name: '' });
    await client.clients.remove({ client_id: 'demo-app' });
    expect(await harness.get('/clients')).toEqual({ items: [], next: null });
  });

  it('fails with the same code, message and field as REST', async () => {
    const client = await (await startHarness()).connect();
    const failures = [
      client.clients.get({ client_id: 'none' }),
      client.clients.create({ client_id: 'demo-app' }),
      client.settings.update({ throttle: { limit: 0 } }),
      client.clients.list({ limit: 0 }),
      client.server.start({ port: -1 }),
    ];
    expect(await Promise.allSettled(failures)).toMatchObject(
      [
        { code: 'not_found', status: 404, defined: true },
        { code: 'conflict', status: 409, defined: true, data: { field: 'client_id' } },
        {
          code: 'invalid',
          status: 422,
          defined: true,
          data: { field: 'settings.throttle.limit' },
          message: 'settings.throttle.limit must be at least 1',
        },
        { code: 'invalid', data: { field: 'limit' } },
        { code: 'invalid', data: { field: 'port' } },
      ].map((reason) => ({ status: 'rejected', reason })),
    );
  });

  it('streams the feed until the client stops', async () => {
    const harness = await startHarness();
    const client = await harness.connect();
    const batches = await client.events();
    expect(await batches.next()).toMatchObject({ value: { exchanges: [] } });
    await call(harness.url(), 'GET', '/nowhere');
    expect(await batches.next()).toMatchObject({ value: { exchanges: [{ status: 404 }] } });
    await batches.return();
    expect(await client.clock.get()).toMatchObject({ frozen: false });
  });

  it('subscribes to the feed before a call that is sent after it begins', async () => {
    await expectNothingMissed(await (await startHarness()).connect());
  });

  it('reports an internal error without its details', async () => {
    const fault = new Error('secret detail');
    const broken = { random: false };
    const random = seededRandom();
    const harness = await startHarness({
      engine: {
        random: (bytes) => {
          if (broken.random) throw fault;
          return random(bytes);
        },
      },
    });
    broken.random = true;
    const client = await harness.connect();
    await expect(client.clients.create({})).rejects.toMatchObject({
      code: 'fault',
      status: 500,
      message: expect.not.stringContaining('secret detail') as string,
    });
    const answer = await harness.api('POST', '/clients', {});
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ code: 'fault' });
    expect(answer.text).not.toContain('secret detail');
    expect(harness.faults).toEqual([fault, fault]);
  });
});

describe('the contract over the port of the window', () => {
  it('subscribes to the feed before a call that is sent after it begins', async () => {
    const { engine } = await startHarness();
    const { port1, port2 } = new MessageChannel();
    onTestFinished(() => port1.close());
    new RPCHandler(await engine.getRouter()).upgrade(port2, { context: {} });
    port2.start();
    const client: ControlClient = createORPCClient(new RPCLink({ port: port1 }));
    port1.start();
    await expectNothingMissed(client);
  });
});
