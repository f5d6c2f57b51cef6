// Everything issued to a client ends with its registration. A new client with the same client_id is a different client:
// it inherits no credential, token, consent, counter or advisory.

import { describe, expect, test } from 'vitest';
import { shortCause } from '../../src/core/checks/describe-cause.ts';
import { issueAccessToken } from '../../src/core/issuing/access-tokens.ts';
import { issueRefreshToken } from '../../src/core/issuing/issue-refresh-token.ts';
import { openLineage } from '../../src/core/issuing/open-lineage.ts';
import { issuingNow } from '../../src/core/model/domain.ts';
import type { CodeRecord } from '../../src/core/model/credentials.ts';
import { stateOf } from '../../src/core/model/credentials.ts';
import type { Client } from '../../src/core/records/schemas.ts';
import {
  assertionClaims,
  clientKey,
  JWT_BEARER,
  signAssertion,
  signingClient,
} from '../support/assertion.ts';
import {
  answerOf,
  createAuthorizationBench,
  expectPage,
  questionOf,
} from '../support/authorization.ts';
import {
  admin,
  AS_ADMIN,
  client,
  createTestService,
  expectRefusal,
  ISSUER,
  ORDERS,
  refreshRequest,
  START,
  storeLimits,
} from '../support/core.ts';
import { presenting } from '../support/presented.ts';

const app = (members: Parameters<typeof client>[0] = {}) =>
  client({
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    ...members,
  });

const withApp = (options: Parameters<typeof createTestService>[0] = {}) => {
  const bench = createTestService({ clients: [app(), admin()], ...options });
  const { clients } = bench.service.registry;
  const credentials = () =>
    bench.evaluate(refreshRequest({ grant_type: 'client_credentials', audience: ORDERS }));
  return { ...bench, ...presenting(bench), clients, credentials };
};

type ServiceWithApp = ReturnType<typeof withApp>;

/** Ways to delete a client and register another one with its client_id. */
const WAYS: Readonly<Record<string, (bench: ServiceWithApp) => void>> = {
  'deleted and added again': ({ clients }) => {
    clients.remove('demo-app');
    clients.put(app());
  },
  'left out of a workspace, and in the next one again': ({ clients }) => {
    clients.replaceAll([admin()]);
    clients.replaceAll([admin(), app()]);
  },
};

const active = async ({ introspect }: ServiceWithApp, token: string) =>
  (await introspect(token, AS_ADMIN)).answer?.active;

test('behaviour 4.10: a client that is missing since the last run has no valid tokens', async () => {
  const bench = withApp();
  const { access_token } = await bench.signIn({ scope: 'openid' });
  bench.clients.remove('demo-app');
  // The next run knows only the workspace.
  bench.stores.clear();
  const detail = 'its client is no longer registered';
  expectRefusal(await bench.userinfo(access_token), 'access_token_revoked', detail);
});

describe.each(Object.entries(WAYS))('a client %s', (_way, goAndCome) => {
  test('behaviour 4.10: loses its codes and refresh tokens, which the new client cannot use', async () => {
    const bench = withApp();
    const [code, { refresh_token }] = [await bench.issueCode(), await bench.signIn()];
    const before = bench.events.length;
    goAndCome(bench);
    const types = bench.events.slice(before).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['credentials', 'counters_released']));
    expectRefusal(await bench.exchange(code.value), 'code_revoked');
    expectRefusal(await bench.refresh(refresh_token), 'refresh_token_revoked');
    expect(await active(bench, refresh_token)).toBe(false);
  });

  test.each(['rfc9068', 'opaque'] as const)(
    'loses its access tokens in the format %s, whatever their subject',
    async (access_token_format) => {
      const bench = withApp({ settings: { access_token_format } });
      const { access_token } = await bench.signIn({ scope: 'openid' });
      const own = bench.answered(await bench.credentials()).access_token;
      expect([await active(bench, access_token), await active(bench, own)]).toEqual([true, true]);
      goAndCome(bench);
      expect([await active(bench, access_token), await active(bench, own)]).toEqual([false, false]);
      const { refusal } = await bench.userinfo(access_token);
      expect(refusal?.reason).toBe('access_token_revoked');
      if (refusal)
        expect(shortCause(refusal)).toMatch(/^revoked at .*, because its client was del/);
      const mine = bench.answered(await bench.credentials()).access_token;
      expect(await active(bench, mine)).toBe(true);
    },
  );

  test('does not regain access tokens when their records are removed', async () => {
    const limits = storeLimits({ access_tokens: 1, access_token_texts: 1, ended: 1 });
    const bench = withApp({ limits });
    const { access_token } = await bench.signIn();
    await bench.credentials();
    goAndCome(bench);
    await bench.credentials();
    expect(await active(bench, access_token)).toBe(false);
  });

  test('loses its counters', async () => {
    const bench = withApp({ settings: { throttle: { limit: 1 } } });
    bench.answered(await bench.credentials());
    expectRefusal(await bench.credentials(), 'throttled');
    goAndCome(bench);
    expect(bench.service.throttle.list()).toEqual([]);
    bench.answered(await bench.credentials());
  });

  test('leaves no tokens that cause advisories for the new client', async () => {
    const bench = withApp();
    bench.answered(await bench.credentials());
    goAndCome(bench);
    expect((await bench.credentials()).evaluation.advisories).toEqual([]);
    expect((await bench.credentials()).evaluation.advisories).toHaveLength(1);
  });
});

test('behaviour 4.10: its tokens are inactive even while no client has its client_id', async () => {
  const bench = withApp();
  const { access_token } = await bench.signIn();
  bench.clients.remove('demo-app');
  expect(await active(bench, access_token)).toBe(false);
});

test('a client whose record is replaced keeps its credentials', async () => {
  const bench = withApp();
  const { access_token, refresh_token } = await bench.signIn();
  bench.clients.put(app());
  bench.clients.replaceAll([admin(), app()]);
  expect(await active(bench, access_token)).toBe(true);
  bench.answered(await bench.refresh(refresh_token));
});

test('other clients keep their credentials', async () => {
  const bench = withApp();
  const { access_token } = await bench.signIn({ client_id: 'admin' }, AS_ADMIN);
  bench.clients.remove('demo-app');
  expect(await active(bench, access_token)).toBe(true);
});

test('credentials issued to a client that was deleted meanwhile are revoked, with the reason', async () => {
  const { service, clients, stores, userinfo } = withApp();
  const gone = clients.get('demo-app') as Client;
  clients.remove('demo-app');
  clients.put(app());
  const lineage = openLineage(issuingNow(service), {
    client: gone,
    user_sub: 'ada',
    audience: null,
    scope: '',
  });
  const token = await issueRefreshToken(issuingNow(service), lineage, null);
  expect(stateOf(token, START)).toBe('revoked');
  expect(stores.liveCount(START)).toBe(0);
  const order = { client: gone, lineage, audience: ISSUER, scope: '', expires_in: null, by: null };
  const { value } = await issueAccessToken(issuingNow(service), order);
  const { refusal } = await userinfo(value);
  expect(refusal && shortCause(refusal)).toMatch(/^revoked at .*, because its client was deleted$/);
});

test('credentials of a deleted client are removed before the lineage of any other client', async () => {
  const bench = withApp({ limits: storeLimits({ live: 3 }) });
  const kept = await bench.signIn({ client_id: 'admin' }, AS_ADMIN);
  await bench.signIn();
  await bench.signIn();
  bench.clients.remove('demo-app');
  await bench.signIn({ client_id: 'admin' }, AS_ADMIN);
  expect(bench.events.filter(({ type }) => type === 'ceiling')).toEqual([]);
  bench.answered(await bench.refresh(kept.refresh_token, AS_ADMIN));
});

test('architecture: this holds however many credentials of other clients are older', async () => {
  const bench = withApp({ limits: storeLimits({ live: 100 }) });
  for (let count = 0; count < 60; count++) await bench.issueCode({ client_id: 'admin' });
  for (let count = 0; count < 40; count++) await bench.issueCode();
  bench.clients.remove('demo-app');
  await bench.issueCode({ client_id: 'admin' });
  expect(bench.events.filter(({ type }) => type === 'ceiling')).toEqual([]);
  expect(bench.stores.liveCount(START)).toBe(61);
});

test('architecture: one operation records only a few of the ended credentials', async () => {
  const bench = withApp();
  const codes: CodeRecord[] = [];
  for (let count = 0; count < 100; count++) codes.push(await bench.issueCode());
  bench.clients.remove('demo-app');
  const written = () => codes.filter(({ state }) => state === 'revoked').length;
  await bench.stores.findCode('unknown', START);
  expect(written()).toBeGreaterThan(0);
  expect(written()).toBeLessThan(100);
  for (let count = 0; count < 100; count++) await bench.stores.findCode('unknown', START);
  expect(written()).toBe(100);
});

test('its tokens of earlier runs are denied too, in every stored epoch', async () => {
  const { service, clients, stores } = withApp();
  service.epoch.keep([{ epoch: 'former', until: START + 1000 }]);
  clients.remove('demo-app');
  clients.put(app());
  const found = await stores.findDenial(
    { epoch: 'former', lineage: 'zz', n: 7 },
    service.ports.sha256('demo-app'),
  );
  expect(found).toMatchObject({ reason: 'revoked', at: START, until: START + 1000 });
});

describe('at the authorization endpoint', () => {
  const again = ({ registry }: ReturnType<typeof createAuthorizationBench>['service']) => {
    registry.clients.remove('demo-app');
    registry.clients.put(client());
  };

  test('the user is asked for consent again', async () => {
    const { ask, approve, service } = createAuthorizationBench();
    await approve();
    answerOf(await ask());
    again(service);
    questionOf(await ask());
  });

  test('a form created for the former client is unknown', async () => {
    const { ask, decide, service } = createAuthorizationBench();
    const { form } = questionOf(await ask());
    again(service);
    expectPage(await decide({ form }), 'form_unknown');
  });
});

test('the new client can use the jti of an assertion that the former client used', async () => {
  const key = await clientKey('k1');
  const signer = app(signingClient(key));
  const bench = createTestService({ clients: [signer], settings: { profile: 'interop' } });
  const client_assertion = await signAssertion(key, assertionClaims(ISSUER, START));
  const send = () =>
    bench.evaluate(
      refreshRequest({
        grant_type: 'client_credentials',
        client_secret: undefined,
        client_assertion,
        client_assertion_type: JWT_BEARER,
      }),
    );
  bench.answered(await send());
  expectRefusal(await send(), 'client_assertion_replayed');
  bench.service.registry.clients.remove('demo-app');
  bench.service.registry.clients.put(signer);
  bench.answered(await send());
});
