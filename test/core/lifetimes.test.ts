// Behaviour 2, lifetimes and their precedence.

import { describe, expect, test } from 'vitest';
import type { TokenResponse } from '../../src/core/model/request.ts';
import type { TestServiceOptions } from '../support/core.ts';
import { client, createTestService, expectRefusal, signedIn, START } from '../support/core.ts';

describe('expires_in of the access token (spec 8.4)', () => {
  const withClient = (access_token_expires_in: number | null, ofCode?: number) =>
    signedIn(
      {
        settings: { lifetimes: { access_token: 3000 } },
        clients: [client({ access_token_expires_in })],
      },
      { access_token_expires_in: ofCode },
    );

  test('behaviour 2.3: is that of the workspace, which a client can override', async () => {
    expect((await withClient(null)).expires_in).toBe(3000);
    expect((await withClient(200)).expires_in).toBe(200);
  });

  test('behaviour 2, 2.3: can be overridden for an issued code, but not for later refreshes', async () => {
    const { expires_in, refresh_token, signIn, refresh } = await withClient(200, 10);
    expect(expires_in).toBe(10);
    expect((await refresh(refresh_token)).answer?.expires_in).toBe(200);
    expect((await signIn()).expires_in).toBe(200);
  });

  test('behaviour 2: changes with the setting from the next token on', async () => {
    const { refresh_token, refresh, configure } = await withClient(null);
    configure({ lifetimes: { access_token: 7 } });
    expect((await refresh(refresh_token)).answer?.expires_in).toBe(7);
  });
});

test('behaviour 2.3: codes and refresh tokens live as long as the settings say', async () => {
  const { code, refresh_token, issueCode, storedToken } = await signedIn({
    settings: { lifetimes: { code: 5, refresh_token: 50 } },
  });
  expect(code.expires_at).toBe(START + 5000);
  expect((await storedToken(refresh_token)).expires_at).toBe(START + 50_000);
  expect((await issueCode({ code_expires_in: 9 })).expires_at).toBe(START + 9000);
});

describe('the idle time of a refresh token', () => {
  const idle = (members: TestServiceOptions['settings'] = {}) =>
    signedIn({
      settings: {
        lifetimes: { refresh_token: 100, refresh_token_idle: 30, access_token: 10 },
        ...members,
      },
    });

  test('behaviour 2.3: ends a token that is not used for that long', async () => {
    const { refresh_token, signIn, refresh, advance, answered } = await idle();
    const unused = await signIn();
    advance(29);
    answered(await refresh(refresh_token));
    advance(1);
    answered(await refresh(refresh_token));
    const refusal = expectRefusal(await refresh(unused.refresh_token), 'refresh_token_expired');
    expect(refusal.facts).toMatchObject({ seconds: 0 });
  });

  test('behaviour 2.3: starts again with each use, up to the absolute end', async () => {
    const { refresh_token, refresh, advance, answered } = await idle();
    for (let count = 0; count < 4; count++) {
      advance(24);
      answered(await refresh(refresh_token));
    }
    advance(3);
    answered(await refresh(refresh_token));
    advance(1);
    expectRefusal(await refresh(refresh_token), 'refresh_token_expired');
  });

  test('behaviour 2.3: does not extend the absolute end when a token is rotated', async () => {
    const bench = await idle({ refresh_rotation: { enabled: true } });
    const { refresh, advance, answered, storedToken } = bench;
    let { refresh_token } = bench;
    const ends = [];
    for (let count = 0; count < 4; count++) {
      advance(24);
      refresh_token = answered(await refresh(refresh_token)).refresh_token ?? '';
      ends.push((await storedToken(refresh_token)).expires_at);
    }
    expect(ends).toEqual([54, 78, 100, 100].map((seconds) => START + seconds * 1000));
    advance(4);
    expectRefusal(await refresh(refresh_token), 'refresh_token_expired');
  });

  test('behaviour 2.3: is not extended by a rejected request', async () => {
    const { refresh_token, refresh, advance } = await idle();
    advance(20);
    expectRefusal(await refresh(refresh_token, { scope: 'orders:write' }), 'scope_beyond_grant');
    advance(10);
    expectRefusal(await refresh(refresh_token), 'refresh_token_expired');
  });

  test('behaviour 2.3: changes with the setting from the next use on', async () => {
    const { refresh_token, refresh, advance, answered, configure } = await idle();
    configure({ lifetimes: { refresh_token: 100, refresh_token_idle: 60 } });
    answered(await refresh(refresh_token));
    advance(59);
    answered(await refresh(refresh_token));
    configure({ lifetimes: { refresh_token: 1000 } });
    advance(40);
    answered(await refresh(refresh_token));
    advance(1);
    expectRefusal(await refresh(refresh_token), 'refresh_token_expired');
  });

  test('behaviour 2.3: when off, leaves only the absolute end, where the client overrides the workspace', async () => {
    const { refresh_token, refresh, advance, answered, storedToken } = await signedIn({
      settings: { lifetimes: { refresh_token: 50 } },
      clients: [client({ refresh_token_expires_in: 80 })],
    });
    advance(79);
    answered(await refresh(refresh_token));
    expect((await storedToken(refresh_token)).expires_at).toBe(START + 80_000);
    advance(1);
    expectRefusal(await refresh(refresh_token), 'refresh_token_expired');
  });

  test('behaviour 4: is not extended when the lineage is revoked during the request', async () => {
    const bench = await idle();
    const { refresh_token, lineage } = bench;
    bench.advance(5);
    const inFlight = bench.refresh(refresh_token);
    // All checks are done by now, since they only wait for stores in memory; the signature takes longer.
    for (let count = 0; count < 20; count++) await Promise.resolve();
    await bench.service.revokeLineage(lineage);
    await inFlight;
    expect(await bench.storedToken(refresh_token)).toMatchObject({
      state: 'revoked',
      expires_at: START + 30_000,
    });
    expect(bench.stores.liveCount(START)).toBe(0);
  });
});

describe('the expiry members (draft-ietf-oauth-refresh-token-expiration-03, 5)', () => {
  const DAY = 86_400;
  const withIdle = (members: TestServiceOptions['settings'] = {}) =>
    signedIn({
      settings: {
        expiry_members: true,
        lifetimes: { refresh_token: 10 * DAY, refresh_token_idle: 7 * DAY },
        ...members,
      },
    });
  const members = (answer: TokenResponse | null) => [
    answer?.refresh_token_timeout,
    answer?.authorization_expires_in,
  ];

  test.each([[false], [true]])(
    'behaviour 2.16: match the example of section 5.3 (rotation %s)',
    async (enabled) => {
      const first = await withIdle({ refresh_rotation: { enabled } });
      const { refresh, advance } = first;
      expect(members(first)).toEqual([604_800, 864_000]);
      advance(2 * DAY);
      const second = (await refresh(first.refresh_token)).answer;
      expect(members(second)).toEqual([604_800, 691_200]);
      advance(5 * DAY);
      const third = (await refresh(second?.refresh_token ?? first.refresh_token)).answer;
      expect(members(third)).toEqual([259_200, 259_200]);
    },
  );

  test('limit the timeout to the authorization, and are equal without an idle time', async () => {
    for (const lifetimes of [
      { refresh_token: 60, refresh_token_idle: 7 * DAY },
      { refresh_token: 60 },
    ]) {
      expect(members(await withIdle({ lifetimes }))).toEqual([60, 60]);
    }
  });

  test('do not lose a second to the milliseconds spent on signing', async () => {
    const { refresh_token, refresh, machine } = await withIdle();
    machine.now += 400;
    expect(members((await refresh(refresh_token)).answer)).toEqual([604_800, 864_000]);
  });

  test('are omitted without a refresh token, and while they are switched off', async () => {
    const without = createTestService({
      settings: { expiry_members: true },
      clients: [client({ grant_types: ['authorization_code'] })],
    });
    const code = await without.issueCode();
    expect(members((await without.exchange(code.value)).answer)).toEqual([undefined, undefined]);
    expect(members(await signedIn())).toEqual([undefined, undefined]);
  });
});
