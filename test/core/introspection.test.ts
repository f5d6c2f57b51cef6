// Behaviour 7, RFC 7662: what introspection returns about a token, and what only the trace says.

import { describe, expect, test } from 'vitest';
import { shortCause } from '../../src/core/checks/describe-cause.ts';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import { presenting } from '../support/presented.ts';
import type { TestServiceOptions } from '../support/core.ts';
import {
  AS_ADMIN,
  checkOf,
  client,
  createTestService,
  deviations,
  expectRefusal,
  ISSUER,
  PUBLIC,
  START,
  user,
} from '../support/core.ts';
import { lineageId } from '../../src/core/model/credentials.ts';

const MONTH = 2_592_000;

async function signedIn(options: TestServiceOptions = {}, scope = '') {
  const bench = createTestService(options);
  return { ...bench, ...(await bench.signIn({ scope })), ...presenting(bench) };
}

describe('an active token', () => {
  // access-tokens.test.ts has the whole response of one with scope.
  test('RFC 7662 2.2: has a response without scope if it has none', async () => {
    const { introspect, access_token } = await signedIn();
    const { answer } = await introspect(access_token);
    expect(answer).toMatchObject({ active: true });
    expect(answer).not.toHaveProperty('scope');
  });

  test('RFC 7662 2.2: has neither token_type nor audience nor, by default, expiry members in the response for a refresh token', async () => {
    const { introspect, refresh_token, lineage } = await signedIn({}, 'openid orders:read');
    expect((await introspect(refresh_token)).answer).toEqual({
      active: true,
      client_id: 'demo-app',
      exp: START / 1000 + MONTH,
      iat: START / 1000,
      jti: `${lineage.epoch}.${lineageId(lineage)}.3`,
      scope: 'openid orders:read',
      username: 'ada@example.test',
      sub: 'ada',
      iss: ISSUER,
    });
  });

  test('RFC 7662 2.2: has no custom claims of client and user in the response', async () => {
    const claims = { department: 'research' };
    const { introspect, access_token } = await signedIn({
      clients: [client({ claims })],
      users: [user({ claims })],
    });
    expect((await introspect(access_token)).answer).not.toHaveProperty('department');
  });

  test('RFC 7662 2.2: has the email or else the name as username, or no username', async () => {
    const username = async (members: Parameters<typeof user>[0]) => {
      const { introspect, access_token } = await signedIn({ users: [user(members)] });
      const { answer } = await introspect(access_token);
      return answer?.active === true ? answer.username : null;
    };
    expect(await username({})).toBe('ada@example.test');
    expect(await username({ email: '' })).toBe('Ada');
    expect(await username({ email: '', name: '' })).toBeUndefined();
  });

  test('behaviour 4: stays active after its user is deleted', async () => {
    const { introspect, access_token, service } = await signedIn();
    service.registry.users.remove('ada');
    const { answer } = await introspect(access_token, AS_ADMIN);
    expect(answer).toMatchObject({ active: true, sub: 'ada', client_id: 'demo-app' });
    expect(answer).not.toHaveProperty('username');
  });
});

test('the expiry members (draft-ietf-oauth-refresh-token-expiration-03, 7) are returned only for refresh tokens, and introspection does not extend them', async () => {
  const { introspect, access_token, refresh_token, advance } = await signedIn({
    settings: { expiry_members: true, lifetimes: { refresh_token_idle: 3600 } },
  });
  advance(600);
  const reported = { refresh_token_timeout: 3000, authorization_expires_in: MONTH - 600 };
  for (let count = 0; count < 2; count++) {
    expect((await introspect(refresh_token)).answer).toMatchObject(reported);
  }
  expect((await introspect(access_token)).answer).not.toHaveProperty('refresh_token_timeout');
});

describe('an inactive token', () => {
  test('RFC 7662 2.2: is always {"active": false}, and the trace says why', async () => {
    const bench = await signedIn({
      settings: { refresh_rotation: { enabled: true }, lifetimes: { refresh_token: MONTH } },
    });
    const { introspect, refresh, refresh_token, access_token, advance, clock, answered } = bench;
    const next = answered(await refresh(refresh_token)).refresh_token ?? '';
    const other = await bench.signIn();
    await bench.revoke(other.refresh_token);
    const cause = async (token: string) => {
      const { answer, evaluation } = await introspect(token);
      expect(answer).toEqual({ active: false });
      return evaluation.finding === null ? null : shortCause(evaluation.finding);
    };
    expect(await cause(refresh_token)).toBe('replaced at 2026-11-21T10:00:00Z by exchange 2');
    for (const token of [other.refresh_token, other.access_token]) {
      expect(await cause(token)).toMatch(/^revoked at 2026-11-21T10:00:00Z by exchange \d+$/);
    }
    advance(86_403);
    expect(await cause(access_token)).toBe('expired 3 s ago');
    advance(MONTH);
    expect(await cause(next)).toBe('expired 1 d ago');
    bench.stores.expireAll(clock.now());
    clock.set(START);
    bench.stores.denyEnded(START);
    expect(await cause(next)).toBe('expired before the clock was set back');
    expect(await cause(access_token)).toBe('expired before the clock was set back');
  });

  test('behaviour 4: is reported as ended manually in the trace', async () => {
    const { introspect, refresh_token, storedToken, service, advance } = await signedIn();
    await service.end(await storedToken(refresh_token), 'expired');
    advance(4);
    const { finding } = (await introspect(refresh_token)).evaluation;
    expect(finding && shortCause(finding)).toBe('expired 4 s ago');
  });

  test('behaviour 4: has a failed check in the trace of a successful response', async () => {
    const { introspect } = await signedIn();
    const { evaluation } = await introspect('unknown');
    const failed = describeChecks(evaluation, false).filter(({ verdict }) => verdict === 'failed');
    expect(failed).toMatchObject([
      { id: 'credential_known', rule: 'The token is known; an unknown one is inactive' },
    ]);
    expect(evaluation.refusal).toBeNull();
  });
});

describe('the client', () => {
  test("behaviour 7.8: may introspect another client's token, which is noted", async () => {
    const { introspect, access_token, refresh_token } = await signedIn();
    for (const token of [access_token, refresh_token]) {
      const outcome = await introspect(token, AS_ADMIN);
      expect(outcome.answer).toMatchObject({ active: true, client_id: 'demo-app' });
      expect(deviations(outcome)).toEqual(['other_clients_token: demo-app']);
      expect(outcome.evaluation.client_id).toBe('admin');
      expect(checkOf(outcome, 'credential_client')).toMatchObject({ got: 'demo-app' });
      expect(checkOf(outcome, 'credential_live')).toMatchObject({ verdict: 'passed' });
    }
    expect(deviations(await introspect(access_token))).toEqual([]);
  });

  test('behaviour 7.8: must authenticate', async () => {
    const { introspect, access_token } = await signedIn();
    const none = { client_id: undefined, client_secret: undefined };
    expectRefusal(await introspect(access_token, none), 'client_id_missing');
    const nameOnly = { client_secret: undefined };
    expectRefusal(await introspect(access_token, nameOnly), 'client_secret_missing');
  });

  test('behaviour 1.7, 7.8, RFC 7662 2.1, 4: must not be public, since anybody could use its client_id', async () => {
    const bench = createTestService({
      settings: { profile: 'interop' },
      clients: [client(PUBLIC)],
    });
    const { access_token } = await bench.service.mint({ client_id: 'demo-app' });
    expectRefusal(
      await presenting(bench).introspect(access_token, { client_secret: undefined }),
      'client_not_authenticated',
    );
  });

  test('RFC 7662 2.1: must send the parameter token', async () => {
    const { introspect } = await signedIn();
    expect((await introspect(undefined)).refusal?.description).toBe('token is required');
  });
});
