// The token exchange grant (RFC 8693): which tokens can be exchanged, for what, and delegation.

import { decodeJwt, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import { signLogoutToken } from '../../src/core/issuing/logout-token.ts';
import { lineageId } from '../../src/core/model/credentials.ts';
import { issuingNow } from '../../src/core/model/domain.ts';
import { PROFILES } from '../../src/core/records/schemas.ts';
import type { AuthorizationOrder } from '../../src/core/authorization/direct-code.ts';
import type { Outcome, RequestParameters, TestServiceOptions } from '../support/core.ts';
import {
  admin,
  AS_ADMIN,
  BILLING,
  checkOf,
  client,
  createTestService,
  deviations,
  expectRefusal,
  ISSUER,
  ORDERS,
  refreshRequest,
  user,
  verdictsOf,
} from '../support/core.ts';
import { presenting } from '../support/presented.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const type = (kind: string) => `urn:ietf:params:oauth:token-type:${kind}`;
const ACCESS = type('access_token');
const AS_APP = { client_id: 'demo-app', client_secret: 'demo-secret' } as const;

const ALL = ['authorization_code', 'refresh_token', 'client_credentials', GRANT] as const;
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
  const actor = async (client_id: string = AS_ADMIN.client_id) => ({
    actor_token: await own({ client_id }),
    actor_token_type: ACCESS,
  });
  return { ...made, ask, own, actor };
}

/** With the tokens of ada. */
async function signedIn(options: TestServiceOptions = {}, order: Partial<AuthorizationOrder> = {}) {
  const bench = withExchange(options);
  return { ...bench, ...(await bench.signIn(order)) };
}

const detail = ({ refusal }: Outcome) => refusal && describeCause(refusal).detail;

describe('what is issued', () => {
  test.each(PROFILES)(
    'behaviour 7.19, RFC 8693 2.2.1 (%s): is an access token with the same subject for the requesting client',
    async (profile) => {
      const { access_token, ask, answered } = await signedIn({ settings: { profile } });
      const outcome = await ask(access_token, { audience: BILLING });
      const answer = answered(outcome);
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
      expect(verdictsOf(outcome).filter((check) => !check.endsWith(' passed'))).toEqual([]);
      expect(checkOf(outcome, 'token_type')?.got).toBe(ACCESS);
      expect(checkOf(outcome, 'credential_known')?.note).toBe('it represents ada');
      expect(checkOf(outcome, 'credential_client')?.got).toBe('demo-app');
      expect(checkOf(outcome, 'user')?.got).toBe('ada');
      expect(checkOf(outcome, 'actor')?.note).toMatch(/^no actor_token/);
    },
  );

  test.each([
    ['access_token', 'access_token'],
    ['refresh_token', 'refresh_token'],
    ['id_token', 'id_token'],
    ['jwt', 'access_token'],
    ['jwt', 'id_token'],
  ] as const)(
    'RFC 8693 3, behaviour 7.19: the type of the subject token may be %s for the %s',
    async (named, kind) => {
      const bench = await signedIn({}, { scope: 'openid' });
      const asked = { ...AS_APP, subject_token_type: type(named) };
      const answer = bench.answered(await bench.ask(bench[kind], asked));
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
    expectRefusal(outcome, 'subject_token_unknown', 'its signature is invalid');
    const { iss, ...claims } = decodeJwt(id_token);
    const send = async (members: Record<string, unknown>) => {
      const token = new SignJWT({ ...claims, ...members }).setProtectedHeader({ alg: 'HS256' });
      return bench.ask(await token.sign(Buffer.from(client_secret)), by);
    };
    const may_act = { sub: 'shop' };
    expectRefusal(await send({ iss, may_act }), 'actor_not_allowed');
    const why = `iss is missing, not ${ISSUER}`;
    expectRefusal(await send({}), 'subject_token_unknown', why);
  });

  test('RFC 9068 5: a client’s own token keeps the client as its subject', async () => {
    for (const access_token_format of ['rfc9068', 'opaque'] as const) {
      const bench = withExchange({ clients: [app({ access_token_format }), api()] });
      const subject = await bench.own();
      const outcome = await bench.ask(subject, AS_APP);
      const { access_token } = bench.answered(outcome);
      expect(checkOf(outcome, 'user')).toMatchObject({ note: 'a client' });
      const { answer } = await presenting(bench).introspect(access_token);
      expect(answer).toMatchObject({ active: true, sub: 'admin', client_id: 'demo-app' });
      expect(answer).not.toHaveProperty('username');
    }
  });

  test('behaviour 7.19: the new token expires no later than the subject token', async () => {
    const { access_token, ask, answered, advance } = await signedIn();
    advance(86_400 - 90);
    expect(answered(await ask(access_token)).expires_in).toBe(90);
  });

  test('RFC 8693 2.1: the two tokens are not linked, and revoking one leaves the other active', async () => {
    const bench = await signedIn();
    const { access_token, lineage } = bench;
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
    const bench = await signedIn({ clients: [app(), api(), api({ client_id: 'shop' })] });
    const by = { ...(await bench.actor('admin')), actor_token_type: type('jwt') };
    const first = bench.answered(await bench.ask(bench.access_token, by));
    expect(decodeJwt(first.access_token)).toMatchObject({ sub: 'ada', act: { sub: 'admin' } });
    const outcome = await bench.ask(first.access_token, await bench.actor('shop'));
    const second = bench.answered(outcome).access_token;
    const act = { sub: 'shop', act: { sub: 'admin' } };
    expect(decodeJwt(second)['act']).toEqual(act);
    expect((await presenting(bench).introspect(second)).answer).toMatchObject({ act });
    expect(checkOf(outcome, 'actor')).toMatchObject({ verdict: 'passed', got: 'shop' });
    const kept = bench.answered(await bench.ask(second));
    expect(decodeJwt(kept.access_token)['act']).toEqual(act);
  });

  test('RFC 8693 4.1: the introspection response for an opaque token names its actors', async () => {
    const bench = await signedIn({ settings: { access_token_format: 'opaque' } });
    const answer = bench.answered(await bench.ask(bench.access_token, await bench.actor()));
    const { introspect } = presenting(bench);
    expect((await introspect(answer.access_token)).answer).toMatchObject({
      sub: 'ada',
      act: { sub: 'admin' },
    });
  });

  test('behaviour 7.19: a custom claim never replaces act', async () => {
    const { access_token, ask, actor, answered } = await signedIn({
      clients: [app(), api({ claims: { act: { sub: 'forged' } } })],
    });
    const answer = answered(await ask(access_token, await actor()));
    expect(decodeJwt(answer.access_token)['act']).toEqual({ sub: 'admin' });
  });

  test.each([
    ['with an actor token', true, { sub: 'admin' }],
    ['with an actor token', true, { sub: 'admin', iss: ISSUER, client_id: 'admin' }],
    ['by the client alone', false, { sub: 'admin' }],
  ])('RFC 8693 4.4: the party named in may_act may act, %s', async (_how, delegated, may_act) => {
    for (const access_token_format of ['rfc9068', 'opaque'] as const) {
      const { access_token, ask, actor, answered } = await signedIn({
        settings: { access_token_format },
        users: [user({ claims: { may_act } })],
      });
      answered(await ask(access_token, delegated ? await actor() : {}));
    }
  });

  test.each([{ sub: 'shop' }, { sub: 'admin', email: 'x@example.test' }, {}, 'admin'])(
    'RFC 8693 4.4: may_act %j names no party of the request, so invalid_request',
    async (may_act) => {
      const { access_token, refresh_token, ask, actor } = await signedIn({
        users: [user({ claims: { may_act } })],
      });
      expectRefusal(await ask(access_token, await actor()), 'actor_not_allowed');
      const outcome = await ask(access_token);
      expectRefusal(outcome, 'actor_not_allowed');
      expect(detail(outcome)).toContain(`may_act is ${JSON.stringify(may_act)}`);
      const own = { ...AS_APP, subject_token_type: type('refresh_token') };
      expectRefusal(await ask(refresh_token, own), 'actor_not_allowed');
    },
  );

  test('behaviour 7.19: at most ten actors are nested', async () => {
    const bench = await signedIn();
    const actor = await bench.actor();
    let { access_token } = bench;
    for (let count = 0; count < 10; count += 1) {
      access_token = bench.answered(await bench.ask(access_token, actor)).access_token;
    }
    const outcome = await bench.ask(access_token, actor);
    expectRefusal(outcome, 'actors_too_many');
    expect(checkOf(outcome, 'actor')?.expected).toBe('10');
  });
});

describe('rejected tokens', () => {
  test.each([
    ['', 'nonsense', 'no access token matches it'],
    ['access_token', 'a.b.c', 'its header or claims cannot be read'],
    ['refresh_token', 'nonsense', 'no refresh token of this issuer matches it'],
    ['id_token', 'nonsense', 'it is not a signed JWT'],
    ['jwt', 'nonsense', 'it is not a signed JWT'],
  ])(
    'RFC 8693 2.2.2: an unknown subject token (%s, %s) is invalid_request',
    async (kind, value, why) => {
      const outcome = await withExchange().ask(value, {
        subject_token_type: type(kind || 'access_token'),
      });
      expectRefusal(outcome, 'subject_token_unknown', why);
    },
  );

  test('RFC 8693 2.2.2: a token of another issuer is invalid_request', async () => {
    const elsewhere = await signedIn(
      { settings: { issuer: 'http://x.test' } },
      { scope: 'openid' },
    );
    const { ask } = withExchange();
    const outcome = await ask(elsewhere.access_token);
    expectRefusal(outcome, 'subject_token_unknown', /key that this service does not have/);
    const id = await ask(elsewhere.id_token, { subject_token_type: type('id_token') });
    expect(detail(id)).toMatch(/key that this service does not have/);
  });

  test('RFC 8693 2.2.2: an id_token from before the issuer changed is invalid_request', async () => {
    const { id_token, ask, configure } = await signedIn({}, { scope: 'openid' });
    configure({ issuer: 'http://x.test' });
    const outcome = await ask(id_token, { subject_token_type: type('id_token') });
    expect(detail(outcome)).toBe(`iss is ${ISSUER}, not http://x.test`);
  });

  test('RFC 8693 3: a token of a type other than the one named is invalid_request', async () => {
    const bench = await signedIn({}, { scope: 'openid' });
    for (const [sent, named] of [
      ['id_token', 'access_token'],
      ['access_token', 'id_token'],
      ['access_token', 'refresh_token'],
      ['refresh_token', 'access_token'],
    ] as const) {
      const outcome = await bench.ask(bench[sent], { subject_token_type: type(named) });
      expectRefusal(outcome, 'subject_token_unknown');
    }
  });

  test.each(['id_token', 'jwt'])(
    'behaviour 3.12, 21.1: the cause says that a logout token sent as %s is one',
    async (kind) => {
      const { ask, service } = withExchange();
      const token = await signLogoutToken(issuingNow(service), app(), 'ada', null);
      const outcome = await ask(token, { subject_token_type: type(kind) });
      expect(detail(outcome)).toBe('it is a logout token');
    },
  );

  const ID_CLAIMS = { iss: ISSUER, sub: 'ada', aud: 'demo-app', iat: 1, exp: 2 };
  test.each([
    [{ jti: 'e.1s.2' }, 'it is an access token'],
    [{ aud: ISSUER }, 'it is a refresh token'],
    [{ sub: undefined }, 'it has no sub'],
    [{ iat: undefined }, 'it has no iat'],
    [{ exp: undefined }, 'it has no exp'],
    [{ aud: [] }, 'its client is no longer registered'],
  ])(
    'behaviour 3.12, OpenID Connect Core 2: of a JWT that differs from an ID token in %j, the cause says that %s',
    async (members, cause) => {
      const { ask, service } = withExchange();
      const token = await service.keyring.sign({ ...ID_CLAIMS, ...members }, 'JWT', 'ES256');
      const outcome = await ask(token, { subject_token_type: type('id_token') });
      expect(detail(outcome)).toBe(cause);
    },
  );

  test('behaviour 7.19: an opaque access token is no jwt', async () => {
    const bench = await signedIn({ settings: { access_token_format: 'opaque' } });
    const outcome = await bench.ask(bench.access_token, { subject_token_type: type('jwt') });
    expectRefusal(outcome, 'subject_token_unknown', 'it is not a signed JWT');
  });

  test.each(['refresh_token', 'id_token'] as const)(
    "behaviour 7.19: another client's %s is invalid_request, as subject and as actor",
    async (kind) => {
      const bench = await signedIn({}, { scope: 'openid' });
      const subject = await bench.ask(bench[kind], { subject_token_type: type(kind) });
      expectRefusal(subject, 'subject_token_of_other_client');
      expect(detail(subject)).toContain('issued to client Demo application');
      const actor = { actor_token: bench[kind], actor_token_type: type(kind) };
      const outcome = await bench.ask(bench.access_token, actor);
      expectRefusal(outcome, 'actor_token_not_valid');
      expect(detail(outcome)).toBe(detail(subject));
      bench.answered(await bench.ask(bench.access_token, { ...AS_APP, ...actor }));
    },
  );

  test.each(['access_token', 'refresh_token', 'id_token'] as const)(
    'RFC 8693 2.2.2: an expired %s is invalid_request, and the trace says when it expired',
    async (kind) => {
      const bench = await signedIn({}, { scope: 'openid' });
      bench.advance(30 * 86_400 + 5);
      const outcome = await bench.ask(bench[kind], { ...AS_APP, subject_token_type: type(kind) });
      expectRefusal(outcome, 'subject_token_expired', /^expired \d+ (s|d) ago$/);
    },
  );

  test.each(['access_token', 'refresh_token'] as const)(
    'RFC 8693 2.2.2: a revoked %s is invalid_request, and the trace says when it was revoked',
    async (kind) => {
      const bench = await signedIn();
      await bench.service.revokeLineage(bench.lineage);
      const outcome = await bench.ask(bench[kind], { ...AS_APP, subject_token_type: type(kind) });
      expectRefusal(outcome, 'subject_token_revoked', 'revoked at 2026-11-21T10:00:00Z');
    },
  );

  test('behaviour 7.19: a rotated refresh token is invalid_request, and revokes nothing', async () => {
    const { refresh_token, lineage, ask, answered, refresh } = await signedIn({
      settings: { refresh_rotation: { enabled: true } },
    });
    answered(await refresh(refresh_token));
    const asked = { ...AS_APP, subject_token_type: type('refresh_token') };
    expectRefusal(await ask(refresh_token, asked), 'subject_token_rotated');
    expect(lineage.revoked_at).toBeNull();
  });

  test('RFC 8693 2.2.2: a token of a deleted user is invalid_request', async () => {
    const { access_token, ask, service } = await signedIn();
    service.registry.users.replaceAll([]);
    const outcome = await ask(access_token);
    expectRefusal(outcome, 'subject_user_unknown');
    expect(checkOf(outcome, 'user')?.got).toBe('ada');
  });

  test('behaviour 7.19: an id_token of a deleted client is invalid_request', async () => {
    const { id_token, ask, service } = await signedIn({}, { scope: 'openid' });
    service.registry.clients.replaceAll([api()]);
    const outcome = await ask(id_token, { subject_token_type: type('id_token') });
    expectRefusal(outcome, 'subject_token_unknown', 'its client is no longer registered');
  });

  test('RFC 8693 2.2.2: an id_token expires in the second of its exp, as subject and as actor', async () => {
    const bench = await signedIn({}, { scope: 'openid' });
    const { exp = 0 } = decodeJwt(bench.id_token ?? '');
    const kind = type('id_token');
    const subject = () => bench.ask(bench.id_token, { ...AS_APP, subject_token_type: kind });
    bench.clock.set((exp - 1) * 1000);
    expect(bench.answered(await subject()).expires_in).toBe(1);
    bench.advance(1);
    expectRefusal(await subject(), 'subject_token_expired', 'expired 0 s ago');
    const outcome = await bench.ask(bench.refresh_token, {
      ...AS_APP,
      subject_token_type: type('refresh_token'),
      actor_token: bench.id_token,
      actor_token_type: kind,
    });
    expectRefusal(outcome, 'actor_token_not_valid', 'expired 0 s ago');
  });

  test('behaviour 4.9: a rejected request is recorded with the token that it presented', async () => {
    const bench = await signedIn();
    const { lineage } = bench;
    const own = { ...AS_APP, subject_token_type: type('refresh_token'), audience: 'x' };
    const { evaluation } = await bench.ask(bench.refresh_token, own);
    expect(evaluation.credential).toBe(await bench.storedToken(bench.refresh_token));
    expect(evaluation.lineage).toBe(lineage);
    const other = await bench.ask(bench.access_token, { audience: 'x' });
    const id = { epoch: lineage.epoch, lineage: lineageId(lineage), n: 2 };
    expect(other.evaluation.access_token).toEqual(id);
  });

  test('RFC 8693 2.2.2: an actor token that is unknown, expired or of another type is invalid_request', async () => {
    const bench = await signedIn();
    const { access_token, refresh_token } = bench;
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
      expectRefusal(await withExchange().ask('x', { [name]: undefined }), 'parameter_missing');
    },
  );

  test.each([
    ['subject_token_type', type('saml2'), ['access_token', 'refresh_token', 'id_token', 'jwt']],
    ['subject_token_type', 'access_token', ['access_token', 'refresh_token', 'id_token', 'jwt']],
    ['requested_token_type', type('refresh_token'), ['access_token', 'jwt']],
  ])(
    'RFC 8693 3: %s %s is not supported, so invalid_request, with the supported types as advice',
    async (field, value, supported) => {
      const outcome = await withExchange().ask('x', { [field]: value });
      const refusal = expectRefusal(outcome, 'token_type_unsupported', `${field} is ${value}`);
      const types = supported.map(type).join(', ');
      expect(describeCause(refusal).advice).toBe(`Send one of ${types}.`);
    },
  );

  test.each([
    ['rfc9068', ACCESS],
    ['rfc9068', type('jwt')],
    ['opaque', ACCESS],
  ] as const)(
    'RFC 8693 3, behaviour 7.19: an access token (%s) may be requested as %s',
    async (access_token_format, requested_token_type) => {
      const { access_token, ask, answered } = await signedIn({ settings: { access_token_format } });
      const answer = answered(await ask(access_token, { requested_token_type }));
      expect(answer.issued_token_type).toBe(requested_token_type);
    },
  );

  test('behaviour 7.19: an opaque access token cannot be requested as jwt', async () => {
    const { ask } = withExchange({ settings: { access_token_format: 'opaque' } });
    const outcome = await ask('x', { requested_token_type: type('jwt') });
    const refusal = expectRefusal(outcome, 'token_type_unsupported');
    expect(describeCause(refusal).advice).toBe(`Send one of ${ACCESS}.`);
  });

  test('RFC 8693 2.1: actor_token and a supported actor_token_type are required together', async () => {
    const { ask } = withExchange();
    for (const alone of [{ actor_token: 'y' }, { actor_token_type: ACCESS }]) {
      const why = `only ${Object.keys(alone).join()} was sent`;
      expectRefusal(await ask('x', alone), 'actor_token_incomplete', why);
    }
    const both = { actor_token: 'y', actor_token_type: type('saml1') };
    const why = `actor_token_type is ${type('saml1')}`;
    expectRefusal(await ask('x', both), 'token_type_unsupported', why);
  });

  test('RFC 8693 2.2.2: an unknown audience or resource is invalid_target', async () => {
    const { access_token, ask } = await signedIn();
    for (const target of [{ audience: 'x' }, { resource: 'https://x.example/' }]) {
      expectRefusal(await ask(access_token, target), 'audience_unknown');
    }
    const two = await ask(access_token, { audience: ORDERS, resource: BILLING });
    expectRefusal(two, 'resource_differs');
  });

  test('behaviour 7.19: without an audience, that of the subject token is used', async () => {
    const { access_token, ask, answered } = await signedIn();
    const outcome = await ask(access_token);
    expect(decodeJwt(answered(outcome).access_token).aud).toBe(ORDERS);
    const note = 'not sent: that of the subject token was used';
    expect(checkOf(outcome, 'audience')).toMatchObject({ got: ORDERS, note });
    const named = answered(await ask(access_token, { resource: BILLING }));
    expect(decodeJwt(named.access_token).aud).toBe(BILLING);
  });

  test('behaviour 5.1: requests are counted by subject token and address before the token is checked', async () => {
    const { access_token, refresh_token, ask, answered, service } = await signedIn({
      settings: { throttle: { limit: 1 } },
    });
    answered(await ask(access_token));
    expectRefusal(await ask(access_token), 'throttled');
    await ask('guess');
    expectRefusal(await ask('guess'), 'throttled');
    answered(await ask(refresh_token, { ...AS_APP, subject_token_type: type('refresh_token') }));
    const kinds = service.throttle.list().map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['code', 'refresh_token', 'subject_token', 'unknown']);
  });
});

describe('the scope', () => {
  const withScope = () => signedIn({}, { scope: 'openid orders:read', audience: ORDERS });

  test('behaviour 7.19, RFC 8693 2.2.1: is, by default, the part of the subject token’s scope that the audience defines', async () => {
    const { access_token, ask, answered } = await withScope();
    expect(answered(await ask(access_token)).scope).toBe('openid orders:read');
    const other = answered(await ask(access_token, { audience: BILLING }));
    expect(other.scope).toBe('openid');
  });

  test('behaviour 7.19: may be narrower, or contain scopes that only the new audience defines', async () => {
    const { access_token, ask, answered } = await withScope();
    const less = answered(await ask(access_token, { scope: 'orders:read' }));
    expect(less).not.toHaveProperty('scope');
    expect(decodeJwt(less.access_token)['scope']).toBe('orders:read');
    const asked = { audience: BILLING, scope: 'billing:read' };
    const other = answered(await ask(access_token, asked));
    expect(decodeJwt(other.access_token)['scope']).toBe('billing:read');
  });

  test('behaviour 7.19: may be any that the audience defines for an id_token, which is for no API', async () => {
    const { id_token, ask, answered } = await withScope();
    const own = { ...AS_APP, subject_token_type: type('id_token') };
    const asked = { ...own, audience: ORDERS, scope: 'orders:write' };
    const { access_token } = answered(await ask(id_token, asked));
    expect(decodeJwt(access_token)['scope']).toBe('orders:write');
  });

  test.each([{ scope: 'orders:write' }, { scope: 'email phone', audience: BILLING }])(
    'behaviour 7.19: is invalid_scope for %j, which the subject token could have but lacks',
    async (asked) => {
      const { access_token, ask } = await withScope();
      const outcome = await ask(access_token, asked);
      expectRefusal(outcome, 'scope_beyond_subject');
      const why = 'is not in the subject token, which has openid orders:read';
      expect(detail(outcome)).toBe(`${asked.scope} ${why}`);
    },
  );

  test('behaviour 7.19: is invalid_scope if the subject token has no scope at all, which the trace says', async () => {
    const { access_token, ask } = await signedIn();
    const why = 'orders:read is not in the subject token, which has no scope';
    expectRefusal(await ask(access_token, { scope: 'orders:read' }), 'scope_beyond_subject', why);
  });

  test('RFC 6749 3.3: is invalid_scope when no audience defines it', async () => {
    const { access_token, ask } = await withScope();
    expectRefusal(await ask(access_token, { scope: 'nothing:known' }), 'scope_unknown');
    expectRefusal(await ask(access_token, { scope: 'a"b' }), 'scope_malformed');
  });
});
