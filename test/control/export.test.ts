// docs/reference/control-api.md over REST: exchanges as one document, HAR 1.2 or JSON, and why a number has no
// exchange.

import { har as validateHar } from 'har-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ExchangeDocument, Har } from '../../src/control/export-schemas.ts';
import type { Harness } from '../support/harness.ts';
import {
  call,
  CREDENTIALS,
  expectError,
  START,
  startHarness,
  startSignedIn,
} from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';

const har = (harness: Harness, query = '') =>
  harness.get<Har>(`/exchanges/export?format=har${query}`);

const json = (harness: Harness, query = '') =>
  harness.get<ExchangeDocument>(`/exchanges/export?format=json${query}`);

const numbersOf = ({ exchanges }: ExchangeDocument) => exchanges.map(({ number }) => number);

const shared = shareHarness();

/** Exchanges 1 to 3: 404, 401 wrong secret, 200. */
beforeAll(async () => {
  const harness = shared();
  await call(harness.url(), 'GET', '/nowhere?from=here');
  await harness.token({
    client_id: 'demo-app',
    client_secret: 'wrong-secret',
    grant_type: 'refresh_token',
    refresh_token: 'x',
  });
  await harness.signIn();
});

describe('GET /exchanges/export', () => {
  it('returns HAR 1.2 that another tool accepts, oldest first', async () => {
    const harness = shared();
    const archive = await har(harness);
    await validateHar(archive);
    const { entries, creator } = archive.log;
    expect(creator).toEqual({ name: 'Grantbench', version: '0.0.0-test' });
    expect(entries.map(({ request, response }) => [request.method, response.status])).toEqual([
      ['GET', 404],
      ['POST', 401],
      ['POST', 200],
    ]);
    expect(entries[0]).toMatchObject({
      startedDateTime: new Date(START).toISOString(),
      request: {
        url: `${harness.url()}/nowhere?from=here`,
        httpVersion: 'HTTP/1.1',
        queryString: [{ name: 'from', value: 'here' }],
      },
    });
  });

  it('returns complete JSON by default, including the trace', async () => {
    const harness = shared();
    const { grantbench, exchanges } = await harness.get<ExchangeDocument>('/exchanges/export');
    expect(grantbench).toEqual({
      version: '0.0.0-test',
      exported_at: new Date(START).toISOString(),
      issuer: harness.engine.server().issuer,
      secrets: false,
    });
    expect(exchanges).toEqual([
      await harness.get('/exchanges/1'),
      await harness.get('/exchanges/2'),
      await harness.get('/exchanges/3'),
    ]);
  });

  it('omits secrets unless they are requested, in any format', async () => {
    const { harness, access_token, refresh_token } = await startSignedIn();
    for (const read of [har, json]) {
      const redacted = JSON.stringify(await read(harness));
      const whole = JSON.stringify(await read(harness, '&secrets=true'));
      for (const secret of [access_token, refresh_token, CREDENTIALS.client_secret]) {
        expect(redacted).not.toContain(secret);
        expect(whole).toContain(secret);
      }
      expect(redacted).toContain('[redacted]');
    }
  });

  it.each([
    ['numbers=2', [2]],
    ['numbers=1,3', [1, 3]],
    ['numbers=3,1-2,2', [1, 2, 3]],
    ['numbers=2-900', [2, 3]],
    ['numbers=9', []],
    ['status=401', [2]],
    ['error=not_found', [1]],
    ['client_id=demo-app', [2, 3]],
    ['client_id=demo-app&numbers=3', [3]],
  ])('exports only ?%s', async (query, expected) => {
    expect(numbersOf(await json(shared(), `&${query}`))).toEqual(expected);
  });

  it('is complete when the exchanges exceed one slice', async () => {
    const harness = await startHarness();
    for (let count = 0; count < 120; count += 1) await call(harness.url(), 'GET', '/livez');
    const { log } = await har(harness);
    expect(log.entries.map(({ _grantbench }) => _grantbench.number)).toEqual(
      Array.from({ length: 120 }, (_, index) => index + 1),
    );
  });

  it.each([
    ['format', 'format=csv'],
    ['numbers', 'numbers='],
    ['numbers', 'numbers=a'],
    ['numbers', 'numbers=5-'],
    ['numbers', 'numbers=9-3'],
    ['numbers', 'numbers=1;2'],
    ['status', 'status=7'],
    ['secrets', 'secrets=perhaps'],
  ])('rejects an invalid %s: ?%s', async (field, query) => {
    const answer = await shared().api('GET', `/exchanges/export?${query}`);
    expectError(answer, 422, 'invalid', field);
  });
});

describe('GET /exchanges/{number} says why there is no such exchange', () => {
  it('nothing was captured yet', async () => {
    const { api } = await startHarness();
    const answer = await api('GET', '/exchanges/1');
    expectError(answer, 404, 'not_found', undefined, /there are no exchanges yet/);
  });

  it('it has not happened yet', async () => {
    const answer = await shared().api('GET', '/exchanges/1234');
    const why = 'exchange 1234 does not exist yet: the newest one is 3';
    expectError(answer, 404, 'not_found', undefined, why);
  });

  it('the exchange is no longer kept', async () => {
    const settings = { capture: { max_exchanges: 2 } };
    const harness = await startHarness({ workspace: { settings } });
    for (let count = 0; count < 4; count += 1) await call(harness.url(), 'GET', '/livez');
    const answer = await harness.api('GET', '/exchanges/1');
    expectError(answer, 404, 'not_found', undefined, /1 is no longer kept: the oldest one is 3/);
  });

  it('a reset removed it', async () => {
    const harness = await startHarness();
    await call(harness.url(), 'GET', '/livez');
    await harness.post('/reset', {});
    await call(harness.url(), 'GET', '/livez');
    const answer = await harness.api('GET', '/exchanges/1');
    const why = 'exchange 1 is no longer available: a reset deleted exchanges up to 1';
    expectError(answer, 404, 'not_found', undefined, why);
    expect((await harness.api('GET', '/exchanges/2')).status).toBe(200);
  });
});
