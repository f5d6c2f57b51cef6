// Behaviour 2, access tokens checked by their issuer: which are its own, which are active, and what the trace says
// about the others. Tested through introspection, whose response gives no reason.

import { base64url, decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import type { RefusalReason } from '../../src/core/checks/refusals/index.ts';
import { PROVIDERS } from '../../src/core/records/enumerations.ts';
import type { AccessTokenFormat } from '../../src/core/records/schemas.ts';
import type { TestService } from '../support/core.ts';
import {
  createTestService,
  expectRefusal,
  ISSUER,
  ORDERS,
  signedIn,
  START,
  storeLimits,
  user,
} from '../support/core.ts';
import { presenting } from '../support/presented.ts';
import { lineageId } from '../../src/core/model/credentials.ts';

const DAY = 86_400;

/** Why a token is inactive: the reason and the details in the trace; null when it is active. */
async function inactive(bench: TestService, token: string) {
  const { answer, evaluation } = await presenting(bench).introspect(token);
  const { finding } = evaluation;
  expect(answer).toEqual(
    finding === null ? expect.objectContaining({ active: true }) : { active: false },
  );
  return finding && { reason: finding.reason, facts: finding.facts };
}

const reason = async (bench: TestService, token: string): Promise<RefusalReason | null> =>
  (await inactive(bench, token))?.reason ?? null;

const parts = (token: string) => token.split('.') as [string, string, string];

/** A token with changed claims and its former signature. */
function forge(token: string, claims: Record<string, unknown>): string {
  const [header, , signature] = parts(token);
  const changed = base64url.encode(JSON.stringify({ ...decodeJwt(token), ...claims }));
  return [header, changed, signature].join('.');
}

/** Signs claims with the service's own key. */
const signedByUs = ({ service }: TestService, claims: Record<string, unknown>) =>
  service.keyring.sign(claims, 'at+jwt', 'ES256');

/** Lets a request proceed to its signature: its checks wait only for stores in memory. */
async function untilItSigns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe.each<AccessTokenFormat>(['rfc9068', 'auth0', 'opaque'])('%s', (access_token_format) => {
  test.each(PROVIDERS)(
    `behaviour 12.6 (${access_token_format}): a token in the shape of %s is active, whatever custom claims the user has`,
    async (provider) => {
      const claims = { uti: 'x', cid: 'x', appid: 'x' };
      const bench = createTestService({
        settings: { access_token_format },
        users: [user({ claims })],
      });
      bench.setShape({ provider });
      const scope = 'openid orders:read';
      const { access_token, lineage } = await bench.signIn({ scope });
      const { answer } = await presenting(bench).introspect(access_token);
      const { client_id } = lineage.registration;
      expect(answer).toMatchObject({ active: true, client_id, scope });
    },
  );

  test(`behaviour 2 (${access_token_format}): a live token is active, with what it was issued for`, async () => {
    const bench = createTestService({ settings: { access_token_format } });
    const { access_token, lineage } = await bench.signIn({ scope: 'openid orders:read' });
    const { answer, evaluation } = await presenting(bench).introspect(access_token);
    expect(answer).toEqual({
      active: true,
      client_id: 'demo-app',
      token_type: 'Bearer',
      exp: START / 1000 + DAY,
      iat: START / 1000,
      aud: ORDERS,
      jti: `${lineage.epoch}.${lineageId(lineage)}.2`,
      scope: 'openid orders:read',
      username: 'ada@example.test',
      sub: 'ada',
      iss: ISSUER,
    });
    expect(evaluation.access_token).toEqual({
      epoch: lineage.epoch,
      lineage: lineageId(lineage),
      n: 2,
    });
  });

  test(`behaviour 2 (${access_token_format}): a token expires in the second of its exp, not before`, async () => {
    const { access_token, ...bench } = await signedIn({ settings: { access_token_format } });
    bench.advance(DAY - 1);
    expect(await reason(bench, access_token)).toBeNull();
    bench.advance(1);
    expect(await reason(bench, access_token)).toBe('access_token_expired');
    bench.advance(3);
    expect((await inactive(bench, access_token))?.facts).toEqual({ seconds: 3 });
  });

  test(`behaviour 4 (${access_token_format}): a token that was ended manually is inactive, its siblings are active`, async () => {
    const bench = createTestService({ settings: { access_token_format } });
    const { service, stores, signIn, refresh, answered, advance } = bench;
    const { access_token, refresh_token, lineage } = await signIn();
    const second = answered(await refresh(refresh_token)).access_token;
    const first = await stores.findById(`${lineageId(lineage)}.2`);
    if (first === undefined) throw new Error('not recorded');
    advance(5);
    await service.end(first, 'expired');
    expect(await inactive(bench, access_token)).toEqual({
      reason: 'access_token_expired',
      facts: { at: START + 5000 },
    });
    expect(await reason(bench, second)).toBeNull();
  });

  test(`behaviour 2 (${access_token_format}): revoking the lineage ends all its tokens, including one that is being signed`, async () => {
    const bench = createTestService({ settings: { access_token_format } });
    const { access_token, refresh_token, lineage } = await bench.signIn();
    const inFlight = bench.refresh(refresh_token);
    await untilItSigns();
    await bench.service.revokeLineage(lineage);
    const late = bench.answered(await inFlight).access_token;
    for (const token of [access_token, late]) {
      expect(await reason(bench, token)).toBe('access_token_revoked');
    }
  });

  test(`behaviour 2.9 (${access_token_format}): a reset ends all earlier tokens`, async () => {
    const { access_token, ...bench } = await signedIn({ settings: { access_token_format } });
    bench.service.reset();
    expect(await reason(bench, access_token)).toBe(
      access_token_format === 'opaque' ? 'token_unknown' : 'access_token_of_other_epoch',
    );
  });
});

describe('the known epochs', () => {
  const ofEpoch = (bench: TestService, epoch: string) => {
    const claims = { iss: ISSUER, sub: 'ada', aud: ORDERS, client_id: 'demo-app' };
    return signedByUs(bench, { ...claims, exp: START / 1000 + 60, jti: `${epoch}.1s.2` });
  };

  test('behaviour 2: a stored epoch is known until a reset, any other epoch is unknown', async () => {
    const bench = createTestService();
    await bench.signIn();
    bench.service.epoch.keep([
      { epoch: 'former', until: START + 60_000 },
      { epoch: 'latest', until: START + 60_000 },
    ]);
    const kept = [await ofEpoch(bench, 'former'), await ofEpoch(bench, 'latest')];
    const other = await ofEpoch(bench, 'other');
    for (const token of kept) expect(await reason(bench, token)).toBeNull();
    expect(await reason(bench, other)).toBe('access_token_of_other_epoch');
    bench.service.reset();
    for (const token of kept) {
      expect(await reason(bench, token)).toBe('access_token_of_other_epoch');
    }
  });

  test('behaviour 2: each epoch is listed with its lineages and the expiry of its last token', async () => {
    const { signIn, configure, service } = createTestService();
    const { epoch } = service;
    const fresh = () => ({ epoch: epoch.name, until: 0, lineages: 0 });
    expect(epoch.issuedSoFar()).toEqual([fresh()]);
    epoch.keep([{ epoch: 'former', until: START }]);
    await signIn();
    configure({ lifetimes: { access_token: 60 } });
    await signIn();
    const until = START + DAY * 1000;
    expect(epoch.access_until).toBe(until);
    expect(epoch.issuedSoFar()).toEqual([
      { epoch: 'former', until: START, lineages: null },
      { epoch: epoch.name, until, lineages: 2 },
    ]);
    service.reset();
    expect(epoch.issuedSoFar()).toEqual([fresh()]);
  });
});

test('behaviour 2: a token with a changed claim is not recognized', async () => {
  const { access_token, ...bench } = await signedIn();
  expect(await reason(bench, forge(access_token, { sub: 'eve' }))).toBe(
    'access_token_signature_wrong',
  );
});

describe('keys', () => {
  test('behaviour 2.13: a token signed with a rotated key is active until the key is retired', async () => {
    const bench = createTestService();
    const { keyring } = bench.service;
    const { access_token } = await bench.signIn();
    const [old] = keyring.list();
    await keyring.rotate('ES256');
    const { access_token: newer } = await bench.signIn();
    expect(await reason(bench, access_token)).toBeNull();
    keyring.retire(old?.kid ?? '');
    expect(await reason(bench, access_token)).toBe('access_token_key_unknown');
    expect(await reason(bench, newer)).toBeNull();
  });

  test('behaviour 2: a token signed by another service is foreign, whatever its claims', async () => {
    const bench = createTestService();
    const { access_token } = await createTestService().signIn();
    await bench.signIn();
    expect(await reason(bench, access_token)).toBe('access_token_key_unknown');
  });
});

describe('a text that is not an own access token', () => {
  const text = (value: unknown) => base64url.encode(JSON.stringify(value));

  test.each([
    ['a.b', 'it has 2 parts instead of the three of a JWT'],
    ['...', 'it has 4 parts instead of the three of a JWT'],
    ['a.b.c.d.e.f', 'it has 6 parts instead of the three of a JWT'],
    ['.'.repeat(100_000), 'it has more than six parts instead of the three of a JWT'],
    [
      `${text({ alg: 'dir', enc: 'A256GCM' })}..aXY.Y2lwaGVy.dGFn`,
      'it has five parts, like an encrypted token (JWE)',
    ],
    ['..', 'its header or claims cannot be read'],
    [`${text([])}.${text({})}.c2ln`, 'its header or claims cannot be read'],
    ['é.é.é', 'it has a blank, a quote or another character that no JWT has'],
  ])('bad input: %.20s is malformed, and the trace says why', async (token, got) => {
    expect(await inactive(createTestService(), token)).toEqual({
      reason: 'access_token_malformed',
      facts: { got },
    });
  });

  test.each(['\n', ' ', '=', '"'])(
    'RFC 7515 2: a token followed by %j is malformed',
    async (end) => {
      const bench = createTestService();
      const { access_token } = await bench.signIn();
      expect(await reason(bench, access_token + end)).toBe('access_token_malformed');
    },
  );

  test('bad input: two megabytes are rejected like ten letters, with the right reason', async () => {
    const bench = createTestService();
    const big = 'A'.repeat(2_000_000);
    expect(await reason(bench, big)).toBe('token_unknown');
    expect(await reason(bench, `${big}.${big}.${big}`)).toBe('access_token_malformed');
    expect(await reason(bench, `${text({ alg: 'ES256' })}.${big}.${big}`)).toBe(
      'access_token_key_unknown',
    );
  });

  test('behaviour 3: other kinds of credentials are identified', async () => {
    const bench = createTestService({ settings: { access_token_format: 'opaque' } });
    const { id_token = '' } = await bench.signIn({ scope: 'openid' });
    const { userinfo } = presenting(bench);
    const { refresh_token, code } = await bench.signIn();
    for (const token of [id_token, refresh_token, code.value]) {
      expectRefusal(await userinfo(token), 'access_token_is_other_credential');
    }
    expectRefusal(await userinfo('unknown'), 'access_token_malformed');
    expect(await reason(bench, id_token)).toBe('access_token_is_other_credential');
    expect(await reason(bench, code.value)).toBe('token_is_code');
    expect(await reason(bench, refresh_token)).toBeNull();
  });

  test('behaviour 2: a token with another issuer is foreign, even when signed with our key', async () => {
    const { access_token, ...bench } = await signedIn();
    bench.configure({ issuer: 'https://auth.example' });
    expect(await inactive(bench, access_token)).toEqual({
      reason: 'access_token_of_other_issuer',
      facts: { expected: 'https://auth.example', got: ISSUER },
    });
  });

  test('behaviour 4.3: a JWT has the state inactive until the issuer is that of its iss again, an opaque token stays active', async () => {
    const bench = createTestService();
    await bench.signIn();
    const jwt = await bench.newestAccessToken();
    bench.configure({ access_token_format: 'opaque' });
    await bench.signIn();
    const opaque = await bench.newestAccessToken();
    const states = () => [jwt, opaque].map((token) => bench.service.stateOf(token));
    bench.configure({ issuer: 'https://auth.example' });
    expect(states()).toEqual(['inactive', 'active']);
    bench.configure({});
    expect(states()).toEqual(['active', 'active']);
    expect(bench.service.isLive(jwt)).toBe(true);
  });

  test('a token without an id or times is foreign, even when signed with our key', async () => {
    const { lineage, ...bench } = await signedIn();
    const jti = `${lineage.epoch}.${lineageId(lineage)}.2`;
    const claims = { iss: ISSUER, sub: 'ada', aud: ORDERS, client_id: 'demo-app', jti };
    expect(await reason(bench, await signedByUs(bench, { ...claims, jti: 'x' }))).toBe(
      'access_token_is_other_credential',
    );
    expect(await reason(bench, await signedByUs(bench, claims))).toBe('access_token_expired');
    expect(await reason(bench, await signedByUs(bench, { ...claims, iss: 7 }))).toBe(
      'access_token_of_other_issuer',
    );
  });

  test('architecture: an opaque token is forgotten after as many newer tokens as are kept, a JWT is not', async () => {
    const limits = storeLimits({ access_tokens: 2, access_token_texts: 2 });
    const throttle = { mode: 'off' } as const;
    for (const access_token_format of ['opaque', 'rfc9068'] as const) {
      const bench = createTestService({ limits, settings: { access_token_format, throttle } });
      const { access_token, refresh_token } = await bench.signIn();
      await bench.refresh(refresh_token);
      expect(await reason(bench, access_token)).toBeNull();
      await bench.refresh(refresh_token);
      expect(await reason(bench, access_token)).toBe(
        access_token_format === 'opaque' ? 'token_unknown' : null,
      );
    }
  });
});

test('behaviour 4: a token that expired before its lineage was revoked is reported as expired', async () => {
  const bench = createTestService({ settings: { lifetimes: { access_token: 60 } } });
  const { access_token, refresh_token, lineage } = await bench.signIn();
  bench.advance(61);
  const second = bench.answered(await bench.refresh(refresh_token)).access_token;
  await bench.service.revokeLineage(lineage);
  expect(await reason(bench, access_token)).toBe('access_token_expired');
  expect(await reason(bench, second)).toBe('access_token_revoked');
  bench.advance(3600);
  expect(await reason(bench, second)).toBe('access_token_revoked');
});

describe('a clock that is set back', () => {
  const setBack = ({ stores, clock }: TestService, to: number) => {
    stores.expireAll(clock.now());
    clock.set(to);
    stores.denyEnded(clock.now());
  };

  test('behaviour 4.3: reactivates no expired access token', async () => {
    const { access_token, ...bench } = await signedIn();
    bench.advance(DAY + 1);
    setBack(bench, START);
    expect(await inactive(bench, access_token)).toEqual({
      reason: 'access_token_expired',
      facts: { seconds: -DAY },
    });
  });

  test('behaviour 4: reactivates neither a revoked token nor a token of a revoked lineage', async () => {
    const bench = createTestService();
    const [first, second] = [await bench.signIn(), await bench.signIn()];
    bench.advance(10);
    await presenting(bench).revoke(first.access_token);
    await bench.service.revokeLineage(second.lineage);
    bench.advance(2 * DAY);
    setBack(bench, START);
    for (const { access_token } of [first, second]) {
      expect(await inactive(bench, access_token)).toMatchObject({
        reason: 'access_token_revoked',
        facts: { at: START + 10_000 },
      });
    }
  });

  test('behaviour 2: only tokens that would be valid again are added to the denial list', async () => {
    const { access_token, lineage, ...bench } = await signedIn();
    bench.advance(DAY);
    for (const [to, denied] of [
      [START + DAY * 1000, false],
      [START + DAY * 1000 - 1, true],
    ] as const) {
      setBack(bench, to);
      const id = { epoch: lineage.epoch, lineage: lineageId(lineage), n: 2 };
      expect((await bench.stores.findDenial(id)) !== undefined).toBe(denied);
    }
    expect(await reason(bench, access_token)).toBe('access_token_expired');
  });

  test('behaviour 4: does not shorten the life of a token that is issued afterwards', async () => {
    const { refresh_token, ...bench } = await signedIn();
    bench.advance(DAY + 1);
    setBack(bench, START);
    const { access_token } = bench.answered(await bench.refresh(refresh_token));
    bench.advance(DAY - 1);
    expect(await reason(bench, access_token)).toBeNull();
    bench.advance(1);
    expect(await reason(bench, access_token)).toBe('access_token_expired');
  });

  test('behaviour 4: leaves a live token active until its exp', async () => {
    const bench = createTestService();
    bench.advance(100);
    const { access_token } = await bench.signIn();
    setBack(bench, START);
    expect(await reason(bench, access_token)).toBeNull();
    bench.advance(DAY + 100);
    expect(await reason(bench, access_token)).toBe('access_token_expired');
  });
});
