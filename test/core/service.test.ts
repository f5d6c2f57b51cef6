// The service as a whole: reset, events, the registry, randomness.

import { describe, expect, test } from 'vitest';
import { encodeRandom } from '../../src/core/issuing/random-text.ts';
import { safeParameterName } from '../../src/core/checks/parameters.ts';
import {
  client,
  createTestService,
  expectRefusal,
  seededRandom,
  signedIn,
  START,
  tokenRequest,
} from '../support/core.ts';

const ALL = Number.POSITIVE_INFINITY;

describe('reset', () => {
  test('control: removes credentials, counters and advisories, and keeps registrations', async () => {
    const { refresh_token, code, service, refresh, exchange, stores, redeem } = await signedIn();
    service.reset();
    expect(await stores.list(10, ALL)).toEqual([]);
    expect(service.throttle.size).toBe(0);
    expectRefusal(await refresh(refresh_token), 'refresh_token_unknown');
    expectRefusal(await exchange(code.value), 'code_unknown');
    const outcome = await redeem();
    expect(outcome.answer).not.toBeNull();
    expect(outcome.evaluation.advisories).toEqual([]);
  });

  test('control: leaves nothing of a request in progress', async () => {
    const { service, issueCode, evaluate, stores } = createTestService();
    const code = await issueCode();
    const inFlight = evaluate(tokenRequest({ code: code.value }));
    await Promise.resolve();
    service.reset();
    await inFlight;
    expect(stores.liveCount(START)).toBe(0);
  });

  test('control: leaves nothing of a request whose token is being signed', async () => {
    const { service, signIn, refresh, stores, configure } = createTestService();
    configure({ refresh_rotation: { enabled: true } });
    const { refresh_token } = await signIn();
    const inFlight = refresh(refresh_token);
    // All checks are done by now, since they only wait for stores in memory; the signature takes longer.
    for (let count = 0; count < 20; count++) await Promise.resolve();
    service.reset();
    await inFlight;
    expect(await stores.list(10, ALL)).toEqual([]);
    expect(stores.liveCount(START)).toBe(0);
    expect(service.epoch.access_until).toBe(0);
  });
});

describe('events', () => {
  test('are sent for each change', async () => {
    const { service, events, issueCode, configure } = createTestService();
    const eventsOf = async (act: () => unknown) => {
      events.length = 0;
      await act();
      return events.map((event) => ('list' in event ? `${event.type} ${event.list}` : event.type));
    };
    const { registry } = service;
    expect(await eventsOf(() => registry.clients.put(client()))).toEqual(['registry clients']);
    expect(await eventsOf(() => registry.users.remove('ada'))).toEqual(['registry users']);
    expect(await eventsOf(() => registry.users.remove('ada'))).toEqual([]);
    expect(await eventsOf(() => registry.audiences.replaceAll([]))).toEqual(['registry audiences']);
    expect(await eventsOf(() => configure({}))).toEqual(['settings']);
    expect(await eventsOf(() => issueCode({ sub: undefined }).catch(() => null))).toEqual([]);
    expect(await eventsOf(() => service.reset())).toEqual(['reset']);
  });

  test('report issued and revoked tokens as changed credentials', async () => {
    const { lineage, service, events } = await signedIn();
    expect(events.filter(({ type }) => type === 'credentials').length).toBeGreaterThanOrEqual(3);
    events.length = 0;
    await service.revokeLineage(lineage);
    expect(events).toEqual([{ type: 'credentials' }]);
  });
});

describe('the registry', () => {
  test('control: keeps the position of a replaced record, which takes effect at once', async () => {
    const { service, exchange, issueCode } = createTestService();
    const { clients } = service.registry;
    const before = clients.list().map(({ client_id }) => client_id);
    clients.put(client({ client_secret: 'new-secret' }));
    expect(clients.list().map(({ client_id }) => client_id)).toEqual(before);
    const code = (await issueCode()).value;
    expectRefusal(await exchange(code), 'client_secret_wrong');
    expect((await exchange(code, { client_secret: 'new-secret' })).answer).not.toBeNull();
  });

  test('behaviour 3: does not know a removed client', async () => {
    const { service, exchange } = createTestService();
    service.registry.clients.remove('demo-app');
    expectRefusal(await exchange('x'), 'client_unknown');
  });

  test('has no records for inherited property names', () => {
    const { registry } = createTestService().service;
    for (const key of ['__proto__', 'constructor', 'toString']) {
      expect(registry.clients.get(key)).toBeUndefined();
    }
  });
});

test('random bytes are written as base64url without padding', () => {
  for (let length = 0; length < 40; length++) {
    const bytes = seededRandom(length)(length);
    expect(encodeRandom(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
  }
});

test('behaviour 3: only parameter names that the protocol defines are shown', () => {
  expect(['code', 'client_secret', 'resource', 'scope'].map(safeParameterName)).toEqual([
    'code',
    'client_secret',
    'resource',
    'scope',
  ]);
  for (const name of ['s3cret', '__proto__', 'constructor', '', 'Code']) {
    expect(safeParameterName(name)).toBe('a parameter');
  }
});
