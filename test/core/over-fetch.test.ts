// Spec 1.4 and 8.2, behaviour 5: the detector of redundant token requests adds advisories and never changes a response.

import { describe, expect, test } from 'vitest';
import type { Bounds } from '../../src/core/collections/bounded-map.ts';
import type { GrantType } from '../../src/core/records/schemas.ts';
import { createOverFetchDetector } from '../../src/core/throttle/redundant-requests.ts';
import { describeAdvisory } from '../../src/core/checks/describe-checks.ts';
import type { Outcome } from '../support/core.ts';
import {
  admin,
  AS_ADMIN,
  BILLING,
  client,
  createTestService,
  sha256,
  signedIn,
  START,
  storeLimits,
  user,
} from '../support/core.ts';
import { createEvaluation } from '../../src/core/checks/trace.ts';
import { lineageId } from '../../src/core/model/credentials.ts';

const advisories = ({ evaluation }: Outcome) =>
  evaluation.advisories.map(({ kind, seconds_left }) => `${kind} ${seconds_left}`);

/** A signed-in user whose access tokens last so many seconds. */
const lasting = (access_token: number, scope?: string) =>
  signedIn({ settings: { lifetimes: { access_token }, throttle: { mode: 'off' } } }, { scope });

describe('a refresh', () => {
  test('spec 1.4, 8.2, behaviour 5.12: adds an advisory while the former token is valid for more than 60 s and 10 % of its lifetime', async () => {
    const { refresh_token, refresh, advance } = await lasting(3600);
    advance(600);
    const outcome = await refresh(refresh_token);
    expect(outcome.answer).not.toBeNull();
    expect(advisories(outcome)).toEqual(['over_fetch 3000']);
    expect(outcome.evaluation.advisories.map((one) => describeAdvisory(one))).toEqual([
      {
        kind: 'over_fetch',
        seconds_left: 3000,
        text: 'Redundant token request: the previous access token for the same audience and scope was valid for another 50 min.',
        section: 'spec 1.4, 8.2',
      },
    ]);
  });

  test('behaviour 4.3, 5.12: adds none after the issuer has changed, as the former token is inactive', async () => {
    const { refresh_token, refresh, configure } = await lasting(3600);
    configure({ issuer: 'https://auth.example' });
    expect(advisories(await refresh(refresh_token))).toEqual([]);
  });

  test.each([
    [3600, 3239, ['over_fetch 361']],
    [3600, 3240, []],
    [3600, 3600, []],
    [600, 539, ['over_fetch 61']],
    [600, 540, []],
    [120, 59, ['over_fetch 61']],
    [120, 60, []],
    [60, 0, []],
  ])(
    'spec 1.4, behaviour 5: with a lifetime of %i s, after %i s: adds %j',
    async (life, gone, advised) => {
      const { refresh_token, refresh, advance } = await lasting(life);
      advance(gone);
      expect(advisories(await refresh(refresh_token))).toEqual(advised);
    },
  );

  test.each(['revoked', 'expired'] as const)(
    'behaviour 5: adds no advisory after the access token was ended as %s',
    async (state) => {
      const { refresh_token, service, refresh, newestAccessToken } = await lasting(3600);
      await service.end(await newestAccessToken(), state);
      expect(advisories(await refresh(refresh_token))).toEqual([]);
    },
  );

  test('behaviour 5: adds no advisory after the token was revoked, even without its record', async () => {
    const limits = storeLimits({ access_tokens: 1, access_token_texts: 1 });
    const { signIn, refresh, stores, advance } = createTestService({ limits });
    const [first, other] = [await signIn(), await signIn()];
    const { epoch } = first.lineage;
    const id = { epoch, lineage: lineageId(first.lineage), n: 2 };
    await stores.endAccessToken(id, 'revoked', START, START + 1e9, null);
    advance(10);
    expect(advisories(await refresh(first.refresh_token))).toEqual([]);
    expect(advisories(await refresh(other.refresh_token))).toEqual(['over_fetch 86390']);
  });

  test('behaviour 5: adds an advisory only for the same scope', async () => {
    const { refresh_token, refresh } = await lasting(3600, 'orders:read orders:write');
    const narrow = { scope: 'orders:read' };
    expect(advisories(await refresh(refresh_token, narrow))).toEqual([]);
    expect(advisories(await refresh(refresh_token, narrow))).toEqual(['over_fetch 3600']);
  });

  test('behaviour 5: compares each token with the one before it', async () => {
    const { refresh_token, refresh, advance } = await lasting(3600);
    advance(3600);
    await refresh(refresh_token);
    advance(100);
    expect(advisories(await refresh(refresh_token))).toEqual(['over_fetch 3500']);
  });

  test('behaviour 5: considers only its own lineage', async () => {
    const { signIn, refresh, advance } = await lasting(3600);
    advance(3600);
    const { refresh_token } = await signIn();
    advance(3600);
    await signIn();
    expect(advisories(await refresh(refresh_token))).toEqual([]);
  });
});

describe('a new authorization', () => {
  test('behaviour 5.12: adds a weaker advisory for the same client, user and IP address while the token is valid', async () => {
    const { advance, redeem } = await lasting(3600);
    advance(100);
    const outcome = await redeem();
    expect(outcome.answer).not.toBeNull();
    expect(advisories(outcome)).toEqual(['repeated_authorization 3500']);
    expect(describeAdvisory(outcome.evaluation.advisories[0]!).section).toBe('spec 1.4');
  });

  test('behaviour 5: considers tokens from later refreshes too', async () => {
    const { refresh_token, refresh, advance, redeem } = await lasting(3600);
    advance(3600);
    await refresh(refresh_token);
    advance(100);
    const outcome = await redeem();
    expect(advisories(outcome)).toEqual(['repeated_authorization 3500']);
  });

  test('spec 1.4: adds no advisory for a new resource or another scope', async () => {
    const { redeem } = await lasting(3600);
    const elsewhere = await redeem({}, { audience: BILLING });
    expect(advisories(elsewhere)).toEqual([]);
    const wider = await redeem({ scope: 'orders:write' });
    expect(advisories(wider)).toEqual([]);
  });

  test('behaviour 5: adds no advisory for another client or IP address', async () => {
    const bench = await signedIn({ clients: [client(), admin()] });
    const code = await bench.issueCode();
    expect(advisories(await bench.exchange(code.value, {}, { ip: '10.0.0.9' }))).toEqual([]);
    const other = await bench.issueCode({ client_id: 'admin' });
    expect(advisories(await bench.exchange(other.value, AS_ADMIN))).toEqual([]);
  });

  test('behaviour 5: adds no advisory for another user', async () => {
    const users = [user(), user({ sub: 'ben', name: 'Ben' })];
    const { redeem } = await signedIn({ users }, { sub: 'ada' });
    const other = await redeem({ sub: 'ben' });
    expect(advisories(other)).toEqual([]);
  });

  test('spec 1.4: adds no advisory after the lineage was revoked', async () => {
    const { lineage, service, redeem } = await lasting(3600);
    await service.revokeLineage(lineage);
    expect(advisories(await redeem())).toEqual([]);
  });
});

test('behaviour 5: adds no advisory when it is rejected', async () => {
  const { refresh_token, refresh } = await lasting(3600);
  expect(advisories(await refresh(refresh_token, { scope: 'x' }))).toEqual([]);
});

describe('the memory of the detector', () => {
  /** The number of advisories for tokens of these scopes, one after another. */
  const advised = async (grant_type: GrantType, bounds: Bounds, scopes: string) => {
    const { stores, newestAccessToken } = await lasting(3600);
    const token = await newestAccessToken();
    const detector = createOverFetchDetector(stores, sha256, bounds);
    const counts = [];
    for (const scope of scopes) {
      const evaluation = createEvaluation(1);
      evaluation.grant_type = grant_type;
      await detector.watch({ ...token, scope }, '127.0.0.1', evaluation, START);
      counts.push(evaluation.advisories.length);
    }
    return counts;
  };

  test('behaviour 5.12: is bounded in number', async () => {
    const bounds = { entries: 2, bytes: Infinity };
    expect(await advised('refresh_token', bounds, 'abcdeea')).toEqual([0, 0, 0, 0, 0, 1, 0]);
  });

  test('behaviour 5: keeps a token that had a successor longer than one that had none', async () => {
    const bounds = { entries: 2, bytes: Infinity };
    expect(await advised('client_credentials', bounds, 'abacab')).toEqual([0, 0, 1, 0, 1, 0]);
  });

  test('behaviour 5: is bounded in bytes', async () => {
    const bounds = { entries: 10, bytes: 500 };
    expect(await advised('refresh_token', bounds, 'abba')).toEqual([0, 0, 1, 0]);
  });

  test('behaviour 5: contains no lineage of a client that acts for itself', async () => {
    const bounds = { entries: 2, bytes: Infinity };
    expect(await advised('client_credentials', bounds, 'abab')).toEqual([0, 0, 1, 1]);
  });
});
