// The token exchange grant (RFC 8693): which tokens can be exchanged, for what, and delegation.

import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { describeCause } from '../../src/core/checks/refusals/describe-cause.ts';
import { describeChecks } from '../../src/core/checks/explain.ts';
import { PROFILES } from '../../src/core/records/schemas.ts';
import type { Outcome, RequestParameters, TestServiceOptions } from '../support/core.ts';
import {
  admin,
  AS_ADMIN,
  BILLING,
  client,
  createTestService,
  deviations,
  expectRefusal,
  ISSUER,
  ORDERS,
  refreshRequest,
  user,
} from '../support/core.ts';
import { presenting } from '../support/presented.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const type = (kind: string) => `urn:ietf:params:oauth:token-type:${kind}`;
const ACCESS = type('access_token');

const ALL = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
] as const;
const app = (members: Parameters<typeof client>[0] = {}) =>
  client({ grant_types: [...ALL], ...members });
const api = (members: Parameters<typeof client>[0] = {}) =>
  admin({ grant_types: [...ALL], ...members });

/** The demo client signs ada in. The other client exchanges by default. */
function withExchange(options: TestServiceOptions = {}) {
  const made = createTestService({ clients: [app(), api()], ...options });
  const ask = (subject_token: string | undefined, parameters: RequestParameters = {}) =>
    made.evaluate(
      refreshRequest({
        grant_type: GRANT,
        ...AS_ADMIN,
        subject_token,
        subject_token_type: ACCESS,
        ...parameters,
      }),
    );
  const own = async (parameters: RequestParameters = {}) => {
    const request = refreshRequest({
      grant_type: 'client_credentials',
      ...AS_ADMIN,
      ...parameters,
    });
    return made.answered(await made.evaluate(request)).access_token;
  };
  return { ...made, ask, own };
}

const detail = ({ refusal }: Outcome) => refusal && describeCause(refusal).detail;

describe('what is issued', () => {
  test.each(PROFILES)(
    'behaviour 7.19, RFC 8693 2.2.1 (%s): is an access token with the same subject for the requesting client',
    async (profile) => {
      const bench = withExchange({ settings: { profile } });
      const { access_token } = await bench.signIn();
      const outcome = await bench.ask(access_token, { audience: BILLING });
      const answer = bench.answered(outcome);
      expect(answer).toEqual({
        access_token: expect.any(String) as string,
        issued_token_type: ACCESS,
        token_type: 'Bearer',
        expires_in: 86_400,
      });
      const claims = decodeJwt(answer.access_token);
      expect(claims).toMatchObject({ sub: 'ada', client_id: 'admin', aud: BILLING, iss: ISSUER });
      expect(claims).not.toHaveProperty('act');
      expect(deviations(outcome)).toEqual([]);
      const checks = describeChecks(outcome.evaluation, false);
      const after = checks.slice(checks.findIndex(({ id }) => id === 'grant_type'));
      expect(after.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
    },
  );

  test.each(['access_token', 'refresh_token', 'id_token'] as const)(
    'RFC 8693 3: the subject token may be of the type %s',
    async (kind) => {
      const bench = withExchange();
      const signedIn = await bench.signIn({ scope: 'openid' });
      const answer = bench.answered(
        await bench.ask(signedIn[kind], {
          subject_token_type: type(kind),
          client_id: 'demo-app',
          client_secret: 'demo-secret',
        }),
      );
      expect(decodeJwt(answer.access_token)).toMatchObject({ sub: 'ada', client_id: 'demo-app' });
    },
  );

  test('RFC 8693 3: an id_token under HS256 is verified with the secret of its client', async () => {
    const client_secret = 's'.repeat(32);
    const bench = withExchange({
      settings: { signing_alg: 'HS256' },
      clients: [app({ client_secret })],
    });
    const code = await bench.issueCode({ scope: 'openid' });
    const { id_token = '' } = bench.answered(await bench.exchange(code.value, { client_secret }));
    const by = { client_id: 'demo-app', client_secret, subject_token_type: type('id_token') };
    bench.answered(await bench.ask(id_token, by));
    const outcome = await bench.ask(`${id_token.slice(0, -2)}xx`, by);
    expectRefusal(outcome, 'subject_token_unknown');
    expect(detail(outcome)).toBe('its signature is invalid');
  });

  test('RFC 9068 5: a client’s own token keeps the client as its subject', async () => {
    for (const access_token_format of ['rfc9068', 'opaque'] as const) {
      const bench = withExchange({ clients: [app({ access_token_format }), api()] });
      const subject = await bench.own();
      const { access_token } = bench.answered(
        await bench.ask(subject, { client_id: 'demo-app', client_secret: 'demo-secret' }),
      );
      const { answer } = await presenting(bench).introspect(access_token);
      expect(answer).toMatchObject({ active: true, sub: 'admin', client_id: 'demo-app' });
      expect(answer).not.toHaveProperty('username');
    }
  });

  test('behaviour 7.19: the new token expires no later than the subject token', async () => {
    const bench = withExchange();
    const { access_token } = await bench.signIn();
    bench.advance(86_400 - 90);
    expect(bench.answered(await bench.ask(access_token)).expires_in).toBe(90);
  });

  test('RFC 8693 2.1: the two tokens are not linked, and revoking one leaves the other active', async () => {
    const bench = withExchange();
    const { access_token, lineage } = await bench.signIn();
    const outcome = await bench.ask(access_token);
    expect(outcome.evaluation.lineage).not.toBe(lineage);
    await bench.service.revokeLineage(lineage);
    const { introspect } = presenting(bench);
    const { answer } = await introspect(bench.answered(outcome).access_token);
    expect(answer).toMatchObject({ active: true });
    expect((await introspect(access_token)).answer).toEqual({ active: false });
  });
});

describe('delegation', () => {
  test('RFC 8693 4.1: with an actor token the new token names the actor, with former actors nested inside', async () => {
    const bench = withExchange({ clients: [app(), api(), api({ client_id: 'shop' })] });
    const { access_token } = await bench.signIn();
    const by = async (client_id: string) => ({
      actor_token: await bench.own({ client_id }),
      actor_token_type: ACCESS,
    });
    const first = bench.answered(await bench.ask(access_token, await by('admin')));
    expect(decodeJwt(first.access_token)).toMatchObject({ sub: 'ada', act: { sub: 'admin' } });
    const outcome = await bench.ask(first.access_token, await by('shop'));
    const second = bench.answered(outcome).access_token;
    const act = { sub: 'shop', act: { sub: 'admin' } };
    expect(decodeJwt(second)['act']).toEqual(act);
    expect((await presenting(bench).introspect(second)).answer).toMatchObject({ act });
    const check = describeChecks(outcome.evaluation, false).find(({ id }) => id === 'actor');
    expect(check).toMatchObject({ verdict: 'passed', got: 'shop' });
    const kept = bench.answered(await bench.ask(second));
    expect(decodeJwt(kept.access_token)['act']).toEqual(act);
  });

  test('RFC 8693 4.1: the introspection response for an opaque token names its actors', async () => {
    const bench = withExchange({ settings: { access_token_format: 'opaque' } });
    const { access_token } = await bench.signIn();
    const actor = { actor_token: await bench.own(), actor_token_type: ACCESS };
    const answer = bench.answered(await bench.ask(access_token, actor));
    const { introspect } = presenting(bench);
    expect((await introspect(answer.access_token)).answer).toMatchObject({
      sub: 'ada',
      act: { sub: 'admin' },
    });
  });

  test('behaviour 7.19: a custom claim never replaces act', async () => {
    const bench = withExchange({ clients: [app(), api({ claims: { act: { sub: 'forged' } } })] });
    const { access_token } = await bench.signIn();
    const actor = { actor_token: await bench.own(), actor_token_type: ACCESS };
    const answer = bench.answered(await bench.ask(access_token, actor));
    expect(decodeJwt(answer.access_token)['act']).toEqual({ sub: 'admin' });
  });

  test.each([
    ['with an actor token', true, { sub: 'admin' }],
    ['with an actor token', true, { sub: 'admin', iss: ISSUER, client_id: 'admin' }],
    ['by the client alone', false, { sub: 'admin' }],
  ])('RFC 8693 4.4: the party named in may_act may act, %s', async (_how, delegated, may_act) => {
    for (const access_token_format of ['rfc9068', 'opaque'] as const) {
      const bench = withExchange({
        settings: { access_token_format },
        users: [user({ claims: { may_act } })],
      });
      const { access_token } = await bench.signIn();
      const actor = delegated ? { actor_token: await bench.own(), actor_token_type: ACCESS } : {};
      bench.answered(await bench.ask(access_token, actor));
    }
  });

  test.each([{ sub: 'shop' }, { sub: 'admin', email: 'x@example.test' }, {}, 'admin'])(
    'RFC 8693 4.4: may_act %j names no party of the request, so invalid_request',
    async (may_act) => {
      const bench = withExchange({ users: [user({ claims: { may_act } })] });
      const signedIn = await bench.signIn();
      const actor = { actor_token: await bench.own(), actor_token_type: ACCESS };
      expectRefusal(await bench.ask(signedIn.access_token, actor), 'actor_not_allowed');
      const outcome = await bench.ask(signedIn.access_token);
      expectRefusal(outcome, 'actor_not_allowed');
      expect(detail(outcome)).toContain(`may_act is ${JSON.stringify(may_act)}`);
      const refresh = { subject_token_type: type('refresh_token'), client_id: 'demo-app' };
      const own = { ...refresh, client_secret: 'demo-secret' };
      expectRefusal(await bench.ask(signedIn.refresh_token, own), 'actor_not_allowed');
    },
  );

  test('behaviour 7.19: at most ten actors are nested', async () => {
    const bench = withExchange();
    const actor = { actor_token: await bench.own(), actor_token_type: ACCESS };
    let { access_token } = await bench.signIn();
    for (let count = 0; count < 10; count += 1) {
      access_token = bench.answered(await bench.ask(access_token, actor)).access_token;
    }
    expectRefusal(await bench.ask(access_token, actor), 'actors_too_many');
  });
});

describe('rejected tokens', () => {
  test.each([
    ['', 'nonsense', 'no access token matches it'],
    ['access_token', 'a.b.c', 'its header or claims cannot be read'],
    ['refresh_token', 'nonsense', 'no refresh token of this issuer matches it'],
    ['id_token', 'nonsense', 'it is not a signed JWT'],
  ])(
    'RFC 8693 2.2.2: an unknown subject token (%s, %s) is invalid_request',
    async (kind, value, why) => {
      const outcome = await withExchange().ask(value, {
        subject_token_type: type(kind || 'access_token'),
      });
      expectRefusal(outcome, 'subject_token_unknown');
      expect(detail(outcome)).toBe(why);
    },
  );

  test('RFC 8693 2.2.2: a token of another issuer is invalid_request', async () => {
    const elsewhere = await withExchange({ settings: { issuer: 'http://x.test' } }).signIn({
      scope: 'openid',
    });
    const { ask } = withExchange();
    const outcome = await ask(elsewhere.access_token);
    expectRefusal(outcome, 'subject_token_unknown');
    expect(detail(outcome)).toMatch(/key that this service does not have/);
    const id = await ask(elsewhere.id_token, { subject_token_type: type('id_token') });
    expect(detail(id)).toMatch(/key that this service does not have/);
  });

  test('RFC 8693 2.2.2: an id_token from before the issuer changed is invalid_request', async () => {
    const bench = withExchange();
    const { id_token } = await bench.signIn({ scope: 'openid' });
    bench.configure({ issuer: 'http://x.test' });
    const outcome = await bench.ask(id_token, { subject_token_type: type('id_token') });
    expect(detail(outcome)).toBe(`iss is ${ISSUER}, not http://x.test`);
  });

  test('RFC 8693 3: a token of a type other than the one named is invalid_request', async () => {
    const bench = withExchange();
    const signedIn = await bench.signIn({ scope: 'openid' });
    const asked = [
      [signedIn.id_token, 'access_token'],
      [signedIn.access_token, 'id_token'],
      [signedIn.access_token, 'refresh_token'],
      [signedIn.refresh_token, 'access_token'],
    ] as const;
    for (const [value, kind] of asked) {
      const outcome = await bench.ask(value, { subject_token_type: type(kind) });
      expectRefusal(outcome, 'subject_token_unknown');
    }
  });

  test.each(['refresh_token', 'id_token'] as const)(
    "behaviour 7.19: another client's %s is invalid_request",
    async (kind) => {
      const bench = withExchange();
      const signedIn = await bench.signIn({ scope: 'openid' });
      const outcome = await bench.ask(signedIn[kind], { subject_token_type: type(kind) });
      expectRefusal(outcome, 'subject_token_of_other_client');
      expect(detail(outcome)).toContain('issued to client Demo application');
    },
  );

  test.each(['access_token', 'refresh_token', 'id_token'] as const)(
    'RFC 8693 2.2.2: an expired %s is invalid_request, and the trace says when it expired',
    async (kind) => {
      const bench = withExchange();
      const by = { client_id: 'demo-app', client_secret: 'demo-secret' };
      const signedIn = await bench.signIn({ scope: 'openid' });
      bench.advance(30 * 86_400 + 5);
      const outcome = await bench.ask(signedIn[kind], { ...by, subject_token_type: type(kind) });
      expectRefusal(outcome, 'subject_token_expired');
      expect(detail(outcome)).toMatch(/^expired \d+ (s|d) ago$/);
    },
  );

  test.each(['access_token', 'refresh_token'] as const)(
    'RFC 8693 2.2.2: a revoked %s is invalid_request, and the trace says when it was revoked',
    async (kind) => {
      const bench = withExchange();
      const by = { client_id: 'demo-app', client_secret: 'demo-secret' };
      const signedIn = await bench.signIn();
      await bench.service.revokeLineage(signedIn.lineage);
      const outcome = await bench.ask(signedIn[kind], { ...by, subject_token_type: type(kind) });
      expectRefusal(outcome, 'subject_token_revoked');
      expect(detail(outcome)).toBe('revoked at 2026-11-21T10:00:00Z');
    },
  );

  test('behaviour 7.19: a rotated refresh token is invalid_request, and revokes nothing', async () => {
    const bench = withExchange({ settings: { refresh_rotation: { enabled: true } } });
    const by = { client_id: 'demo-app', client_secret: 'demo-secret' };
    const { refresh_token, lineage } = await bench.signIn();
    bench.answered(await bench.refresh(refresh_token));
    const outcome = await bench.ask(refresh_token, {
      ...by,
      subject_token_type: type('refresh_token'),
    });
    expectRefusal(outcome, 'subject_token_rotated');
    expect(lineage.revoked_at).toBeNull();
  });

  test('RFC 8693 2.2.2: a token of a deleted user is invalid_request', async () => {
    const bench = withExchange();
    const { access_token } = await bench.signIn();
    bench.service.registry.users.replaceAll([]);
    expectRefusal(await bench.ask(access_token), 'subject_user_unknown');
  });

  test('RFC 8693 2.2.2: an actor token that is unknown, expired or of another type is invalid_request', async () => {
    const bench = withExchange();
    const { access_token, refresh_token } = await bench.signIn();
    const old = await bench.own();
    bench.advance(3600);
    await bench.service.ports.stores.revokeLineage(
      (await bench.stores.list(1, Infinity))[0]?.lineage ?? expect.fail(),
      bench.clock.now(),
      7,
    );
    const asked = [
      ['nonsense', 'no access token matches it'],
      [refresh_token, undefined],
      [old, 'revoked at 2026-11-21T11:00:00Z by exchange 7'],
    ] as const;
    for (const [actor_token, why] of asked) {
      const outcome = await bench.ask(access_token, { actor_token, actor_token_type: ACCESS });
      expectRefusal(outcome, 'actor_token_not_valid');
      if (why !== undefined) expect(detail(outcome)).toBe(why);
    }
  });
});

describe('the request', () => {
  test.each(['subject_token', 'subject_token_type'])(
    'RFC 8693 2.1: %s is required',
    async (name) => {
      const outcome = await withExchange().ask('x', { [name]: undefined });
      expectRefusal(outcome, 'parameter_missing');
    },
  );

  test.each([
    ['subject_token_type', type('saml2')],
    ['subject_token_type', 'access_token'],
    ['requested_token_type', type('refresh_token')],
  ])('RFC 8693 3: %s %s is not supported, so invalid_request', async (field, value) => {
    const outcome = await withExchange().ask('x', { [field]: value });
    expect(expectRefusal(outcome, 'token_type_unsupported').facts.field).toBe(field);
    expect(detail(outcome)).toBe(`${field} is ${value}`);
  });

  test('RFC 8693 3: an access token may be requested by its type', async () => {
    const bench = withExchange();
    const { access_token } = await bench.signIn();
    bench.answered(await bench.ask(access_token, { requested_token_type: ACCESS }));
  });

  test('RFC 8693 2.1: actor_token and a supported actor_token_type are required together', async () => {
    const { ask } = withExchange();
    expectRefusal(await ask('x', { actor_token: 'y' }), 'actor_token_incomplete');
    expectRefusal(await ask('x', { actor_token_type: ACCESS }), 'actor_token_incomplete');
    const both = { actor_token: 'y', actor_token_type: type('saml1') };
    expectRefusal(await ask('x', both), 'token_type_unsupported');
  });

  test('RFC 8693 2.2.2: an unknown audience or resource is invalid_target', async () => {
    const bench = withExchange();
    const { access_token } = await bench.signIn();
    for (const target of [{ audience: 'x' }, { resource: 'https://x.example/' }]) {
      const outcome = await bench.ask(access_token, target);
      expectRefusal(outcome, 'audience_unknown');
    }
    const two = await bench.ask(access_token, { audience: ORDERS, resource: BILLING });
    expectRefusal(two, 'resource_differs');
  });

  test('behaviour 7.19: without an audience, that of the subject token is used', async () => {
    const bench = withExchange();
    const { access_token } = await bench.signIn();
    const answer = bench.answered(await bench.ask(access_token));
    expect(decodeJwt(answer.access_token).aud).toBe(ORDERS);
    const named = bench.answered(await bench.ask(access_token, { resource: BILLING }));
    expect(decodeJwt(named.access_token).aud).toBe(BILLING);
  });

  test('behaviour 5.1: requests are counted by subject token and address before the token is checked', async () => {
    const bench = withExchange({ settings: { throttle: { limit: 1 } } });
    const { access_token } = await bench.signIn();
    bench.answered(await bench.ask(access_token));
    const outcome = await bench.ask(access_token);
    expectRefusal(outcome, 'throttled');
    const kinds = bench.service.throttle.list().map(({ kind }) => kind);
    expect(kinds).toEqual(['code', 'subject_token']);
    await bench.ask('guess');
    expect((await bench.ask('guess')).refusal?.reason).toBe('throttled');
  });
});

describe('the scope', () => {
  const signedIn = async (bench: ReturnType<typeof withExchange>) =>
    (await bench.signIn({ scope: 'openid orders:read', audience: ORDERS })).access_token;

  test('behaviour 7.19, RFC 8693 2.2.1: is, by default, the part of the subject token’s scope that the audience defines', async () => {
    const bench = withExchange();
    const token = await signedIn(bench);
    expect(bench.answered(await bench.ask(token)).scope).toBe('openid orders:read');
    const other = bench.answered(await bench.ask(token, { audience: BILLING }));
    expect(other.scope).toBe('openid');
  });

  test('behaviour 7.19: may be narrower, or contain scopes that only the new audience defines', async () => {
    const bench = withExchange();
    const token = await signedIn(bench);
    const less = bench.answered(await bench.ask(token, { scope: 'orders:read' }));
    expect(less).not.toHaveProperty('scope');
    expect(decodeJwt(less.access_token)['scope']).toBe('orders:read');
    const asked = { audience: BILLING, scope: 'billing:read' };
    const other = bench.answered(await bench.ask(token, asked));
    expect(decodeJwt(other.access_token)['scope']).toBe('billing:read');
  });

  test.each([{ scope: 'orders:write' }, { scope: 'email', audience: BILLING }])(
    'behaviour 7.19: is invalid_scope for %j, which the subject token could have but lacks',
    async (asked) => {
      const bench = withExchange();
      const outcome = await bench.ask(await signedIn(bench), asked);
      expectRefusal(outcome, 'scope_beyond_subject');
      expect(detail(outcome)).toContain('which has openid orders:read');
    },
  );

  test('RFC 6749 3.3: is invalid_scope when no audience defines it', async () => {
    const bench = withExchange();
    const token = await signedIn(bench);
    const unknown = await bench.ask(token, { scope: 'nothing:known' });
    expectRefusal(unknown, 'scope_unknown');
    const malformed = await bench.ask(token, { scope: 'a"b' });
    expectRefusal(malformed, 'scope_malformed');
  });
});
