// Behaviour 13: who sent an exchange, over real HTTP and the control API.

import type { OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ExchangeDocument, Har } from '../../src/control/export-schemas.ts';
import type { Exchange, ExchangeSummary, FeedBatch } from '../../src/control/schemas.ts';
import { isThisMachine } from '../../src/server/sender.ts';
import type { Harness } from '../support/harness.ts';
import { refresh } from '../support/form-calls.ts';
import { call, CREDENTIALS, expectError, startHarness, startSignedIn } from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';

const MARKER = 'Grantbench-Sent-By';

const refreshing = (refresh_token: string) => ({
  ...CREDENTIALS,
  grant_type: 'refresh_token',
  refresh_token,
});

/** A refresh that the workbench sends. */
const refreshedHere = ({ post }: Harness, refresh_token: string, sent_by?: string) =>
  post<Exchange>('/requests', {
    path: '/oauth/token',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(refreshing(refresh_token)).toString(),
    ...(sent_by === undefined ? {} : { sent_by }),
  });

async function sendersOf({ get }: Harness, query = ''): Promise<string[]> {
  const { items } = await get<{ items: ExchangeSummary[] }>(`/exchanges${query}`);
  return items.map(({ sent_by }) => sent_by);
}

describe('behaviour 13.1: the sender of an exchange', () => {
  it('is the app, unless Grantbench sent the request itself', async () => {
    const { harness, refresh_token } = await startSignedIn();
    expect((await refreshedHere(harness, refresh_token)).sent_by).toBe('workbench');
    for (const sender of ['app', 'command_line', 'scenario']) {
      expect((await refreshedHere(harness, refresh_token, sender)).sent_by).toBe(sender);
    }
    expect(await sendersOf(harness)).toEqual([
      'scenario',
      'command_line',
      'app',
      'workbench',
      'app',
    ]);
    const answer = await harness.api('POST', '/requests', { path: '/livez', sent_by: 'me' });
    expectError(answer, 422, 'invalid', 'sent_by');
  });

  it('is the app for requests that are not HTTP', async () => {
    const harness = await startHarness();
    const socket = connect(Number(new URL(harness.url()).port), '127.0.0.1');
    socket.end(`${MARKER}: workbench\r\n\r\n`);
    await new Promise((resolve) => socket.on('close', resolve).resume());
    expect(await sendersOf(harness)).toEqual(['app']);
  });

  it('filters lists, exports and long polls', async () => {
    const { harness, refresh_token } = await startSignedIn();
    await refreshedHere(harness, refresh_token);
    expect(await sendersOf(harness, '?sent_by=app')).toEqual(['app']);
    expect(await sendersOf(harness, '?sent_by=workbench')).toEqual(['workbench']);
    expect(await sendersOf(harness, '?sent_by=scenario')).toEqual([]);
    const path = '/exchanges/export?sent_by=workbench';
    const { exchanges } = await harness.get<ExchangeDocument>(path);
    expect(exchanges.map(({ number }) => number)).toEqual([2]);
    const { log } = await harness.get<Har>(`${path}&format=har`);
    expect(log.entries.map((entry) => entry._grantbench.sent_by)).toEqual(['workbench']);
    const waiting = harness.get<{ items: ExchangeSummary[] }>(
      '/exchanges?after=2&wait_seconds=60&sent_by=workbench',
    );
    await call(harness.url(), 'GET', '/livez');
    await refreshedHere(harness, refresh_token);
    expect((await waiting).items.map(({ sent_by }) => sent_by)).toEqual(['workbench']);
    const answer = await harness.api('GET', '/exchanges?sent_by=me');
    expectError(answer, 422, 'invalid', 'sent_by');
  });
});

describe('behaviour 13.2: the header that names the sender', () => {
  const shared = shareHarness();

  /** Sends a request with these headers. @returns its sender */
  const senderOf = async (headers: OutgoingHttpHeaders, harness = shared()) => {
    await call(harness.url(), 'GET', '/livez', { headers });
    const [newest] = await sendersOf(harness, '?limit=1');
    return newest;
  };

  it.each(['workbench', 'command_line', 'scenario', 'app'])(
    'is trusted from this machine: %s',
    async (sender) => {
      expect(await senderOf({ [MARKER]: sender })).toBe(sender);
    },
  );

  it.each([
    ['another value', { [MARKER]: 'someone' }],
    ['no value', { [MARKER]: '' }],
    ['two values', { [MARKER]: ['workbench', 'scenario'] }],
  ])('is ignored with %s', async (_, headers) => {
    expect(await senderOf(headers)).toBe('app');
  });

  it('is ignored through a trusted proxy, since the request comes from elsewhere', async () => {
    const harness = await startHarness();
    await harness.patch('/settings', { throttle: { trust_proxy: true } });
    const headers = { [MARKER]: 'workbench', 'X-Forwarded-For': '203.0.113.7' };
    expect(await senderOf(headers, harness)).toBe('app');
  });

  it('is ignored from another machine', () => {
    const local = '192.0.2.1';
    const from = (remote: string, counted = remote) => isThisMachine({ remote, local, counted });
    expect(from('192.0.2.9')).toBe(false);
    expect(from('2001:db8::9')).toBe(false);
    expect(from('127.0.0.1')).toBe(true);
    expect(isThisMachine({ remote: '::1', local: '::1', counted: '127.0.0.1' })).toBe(true);
    expect(isThisMachine({ remote: '::ffff:127.0.0.1', local, counted: '127.0.0.1' })).toBe(true);
    // A service that listens on an address of its own is reached from that address.
    expect(from('192.0.2.1')).toBe(true);
    expect(from('127.0.0.1', '203.0.113.7')).toBe(false);
    expect(isThisMachine({ remote: undefined, local, counted: 'unknown' })).toBe(false);
  });

  it('is not in captures or exports, trusted or not, while other headers are', async () => {
    for (const sender of ['workbench', 'someone']) {
      const harness = await startHarness();
      const headers = { 'X-Other': 'kept', [MARKER]: sender, 'X-Last': 'too' };
      await call(harness.url(), 'GET', '/livez', { headers });
      await harness.post('/requests', { method: 'GET', path: '/livez', secrets: true });
      const shown = await Promise.all(
        [
          '/exchanges',
          '/exchanges/1?secrets=true',
          '/exchanges/2?secrets=true',
          '/exchanges/export?secrets=true',
          '/exchanges/export?format=har&secrets=true',
        ].map((path) => harness.get(path)),
      );
      expect(JSON.stringify(shown).toLowerCase()).not.toContain(MARKER.toLowerCase());
      const { request } = await harness.get<Exchange>('/exchanges/1');
      expect(request.headers).toEqual(
        expect.arrayContaining([
          ['X-Other', 'kept'],
          ['X-Last', 'too'],
        ]),
      );
    }
  });

  it('behaviour 13.3: grants nothing: a request with it is handled and throttled like any other', async () => {
    const harness = await startHarness();
    await harness.patch('/settings', { throttle: { limit: 1 } });
    const { refresh_token } = await harness.signIn();
    expect((await refreshedHere(harness, refresh_token)).status).toBe(200);
    expect((await refresh(harness, refresh_token)).status).toBe(429);
    const wrong = { ...refreshing(refresh_token), client_secret: 'wrong' };
    expect((await harness.token(wrong, { [MARKER]: 'workbench' })).status).toBe(401);
  });

  it('cannot be changed in a request that the control API sends', async () => {
    const headers = { [MARKER.toLowerCase()]: 'app' };
    const answer = await shared().api('POST', '/requests', { path: '/livez', headers });
    expectError(answer, 422, 'invalid', 'headers.grantbench-sent-by', /omit it/);
  });
});

describe('behaviour 13.3: requests of Grantbench itself can be left out', () => {
  it('of the totals, which count the requests of the app separately, and of the counts per second', async () => {
    const harness = await startHarness();
    await harness.patch('/settings', { throttle: { limit: 2 } });
    const { refresh_token } = await harness.signIn();
    await refresh(harness, refresh_token);
    await refreshedHere(harness, refresh_token);
    await refresh(harness, refresh_token);
    await refreshedHere(harness, refresh_token);
    const batches = await (await harness.connect()).events();
    const first = await batches.next();
    expect(first.done).toBe(false);
    const { totals, rates } = first.value as FeedBatch;
    expect(totals).toMatchObject({
      requests: 5,
      allowed: 3,
      throttled: 2,
      app: { requests: 3, allowed: 2, throttled: 1 },
    });
    const sum = (of: (second: (typeof rates.seconds)[number]) => number) =>
      rates.seconds.map(of).reduce((all, one) => all + one, 0);
    expect({
      allowed: [sum(({ allowed }) => allowed), sum(({ app }) => app.allowed)],
      throttled: [sum(({ throttled }) => throttled), sum(({ app }) => app.throttled)],
    }).toEqual({ allowed: [3, 2], throttled: [2, 1] });
    await batches.return();
  });

  it('of the advisories, with their counts', async () => {
    const { harness, refresh_token } = await startSignedIn();
    await refresh(harness, refresh_token);
    for (let count = 0; count < 3; count += 1) await refreshedHere(harness, refresh_token);
    const advised = async (query: string) => {
      const { items, clients } = await harness.get<{
        items: { exchange: number }[];
        clients: { over_fetch: number }[];
      }>(`/advisories${query}`);
      return [items.map(({ exchange }) => exchange), clients.map(({ over_fetch }) => over_fetch)];
    };
    expect(await advised('')).toEqual([[5, 4, 2], [3]]);
    expect(await advised('?sent_by=app')).toEqual([[2], [1]]);
    expect(await advised('?sent_by=workbench')).toEqual([[5, 4], [2]]);
    expect(await advised('?sent_by=scenario')).toEqual([[], []]);
  });

  it('behaviour 5.12: and of the tokens that make a request of the app redundant', async () => {
    const { harness, refresh_token } = await startSignedIn();
    const first = await refreshedHere(harness, refresh_token);
    expect(first.advisories).toBe(0);
    expect((await refreshedHere(harness, refresh_token)).advisories).toBe(1);
  });
});

describe('behaviour 13.3: a viewer receives a summary of the app’s requests, whatever is still kept', () => {
  /** The summary that a new viewer receives. */
  async function appTraffic({ connect: open }: Harness) {
    const control = await open();
    for await (const batch of await control.events()) return batch.totals.app_traffic;
    throw new Error('the feed ended');
  }

  it('with their count, the first, the newest, the newest rejected and the newest redundant request', async () => {
    const harness = await startHarness();
    await harness.patch('/settings', { capture: { max_exchanges: 2 } });
    expect(await appTraffic(harness)).toBeNull();
    const get = (path: string) => call(harness.url(), 'GET', path);
    for (const probe of ['/livez', '/readyz']) await get(probe);
    for (const sent_by of ['workbench', 'command_line', 'scenario']) {
      await harness.post('/requests', { path: '/nowhere', sent_by });
    }
    expect(await appTraffic(harness)).toBeNull();

    const { refresh_token } = await harness.signIn();
    await refresh(harness, refresh_token);
    await refresh(harness, 'nobody-issued-this-token');
    for (let n = 0; n < 3; n += 1) await get('/.well-known/jwks.json');
    await harness.post('/faults', {
      when: 'instead',
      effect: { kind: 'answer', status: 503 },
      times: 1,
    });
    await get('/.well-known/jwks.json');
    expect(await harness.list<unknown>('/exchanges')).toHaveLength(2);
    expect(await appTraffic(harness)).toMatchObject({
      count: 7,
      first: { number: 6, path: '/oauth/token', status: 200 },
      newest: { number: 12, status: 503 },
      rejected: { number: 8, error: 'invalid_grant' },
      redundant: { number: 7, advisories: 1 },
    });
    await harness.post('/faults', {
      when: 'after',
      effect: { kind: 'truth' },
      delay_ms: 1,
      times: 1,
    });
    await refresh(harness, 'nobody-issued-this-one-either');
    expect(await appTraffic(harness)).toMatchObject({ rejected: { number: 13, fault: {} } });
    await harness.post('/reset');
    expect(await appTraffic(harness)).toBeNull();
  });
});
