// Behaviour 19: a protected API over real HTTP: which rule a request falls under, every reason to reject its token,
// the challenges (RFC 6750, RFC 9470), the metadata (RFC 9728), and stock clients that call it.

import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import type { RefusalFacts } from '../../src/core/checks/refusals/refusal.ts';
import { apiSchema, faultSchema, type ApiInput } from '../../src/core/records/schemas.ts';
import { signTestToken } from '../../src/core/test-tokens.ts';
import {
  type HttpService,
  NOW,
  REDIRECT_URI,
  sendRaw,
  sharedHttpService,
} from '../support/http-service.ts';
import { ask, evaluationOf, openidClient, present } from '../support/token-endpoints.ts';
import { hashOf, proof, proofKey } from '../support/dpop.ts';

const server = await sharedHttpService();
const interop = await sharedHttpService({ profile: 'interop' });
const key = await proofKey();

const orders: ApiInput = {
  name: 'orders',
  rules: [
    { path: '/public', methods: ['GET'] },
    { path: '/payments/*', scopes: ['pay'], max_age: 300, acr_values: ['mfa', 'hwk'] },
    { path: '/keys', token_type: 'DPoP' },
    { path: '/plain', token_type: 'Bearer' },
    { path: '/*', methods: ['GET'], scopes: ['orders:read'] },
    { path: '/items', methods: ['POST'], scopes: ['orders:read', 'orders:write'] },
  ],
};

const put = (to: HttpService, ...apis: ApiInput[]) =>
  to.service.registry.apis.replaceAll(apis.map((api) => apiSchema.parse(api)));

beforeEach(() => {
  for (const one of [server, interop]) {
    put(one, orders);
    one.service.ports.clock.set(NOW);
  }
});

const READ = 'orders:read';
const audience = ({ url }: HttpService, name = 'orders') => `${url}/api/${name}`;

interface Order {
  readonly scope?: string;
  readonly audience?: string;
}

async function tokenFor(to: HttpService, order: Order = {}): Promise<string> {
  const minted = await to.service.mint({
    client_id: 'demo-app',
    audience: audience(to),
    scope: READ,
    ...order,
  });
  return minted.access_token;
}

const call = (to: HttpService, path: string, token?: string, init: RequestInit = {}) =>
  ask(to.url, `/api/orders${path}`, {
    ...init,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(init.headers as Record<string, string>),
    },
  });

const causeOf = (to: HttpService, answer: Awaited<ReturnType<typeof ask>>) => {
  const { refusal } = evaluationOf(to, answer);
  return refusal === null ? null : refusal.reason;
};

const factsOf = (to: HttpService, answer: Awaited<ReturnType<typeof ask>>) =>
  evaluationOf(to, answer).refusal?.facts;

describe('behaviour 19.1: an API and its audience', () => {
  it('tokens can be requested for <issuer>/api/<name>, with the scopes of its rules', async () => {
    const { registry } = server.service;
    expect(registry.audience(audience(server))).toEqual({
      uri: audience(server),
      name: 'orders',
      scopes: ['pay', READ, 'orders:write'],
    });
    const { body } = await ask(server.url, '/.well-known/oauth-authorization-server');
    expect(body['scopes_supported']).toContain('pay');
    const order = { client_id: 'demo-app', audience: audience(server, 'none') };
    await expect(server.service.mint(order)).rejects.toMatchObject({ field: 'audience' });
  });

  it('an audience of its own replaces the default, and may be a registered one', async () => {
    const uri = 'https://orders.example/api';
    put(server, { ...orders, audience: uri });
    const token = await tokenFor(server, { audience: uri });
    expect((await call(server, '/public', token)).status).toBe(200);
    expect(server.service.registry.audience(uri)?.scopes).toEqual([READ, 'orders:write', 'pay']);
  });

  it('of several APIs, the one with the longest path is used, by whole segments', async () => {
    put(server, { name: 'all', path: '/api' }, orders, { name: 'deep', path: '/api/orders/deep' });
    const reached = async (path: string) => {
      const answer = await ask(server.url, path);
      return evaluationOf(server, answer).checks[0];
    };
    expect(await reached('/api')).toMatchObject({ got: 'rule 1 of all' });
    expect(await reached('/api/ordersx')).toMatchObject({ got: 'rule 1 of all' });
    expect(await reached('/api/orders')).toMatchObject({ got: 'rule 5 of orders' });
    expect(await reached('/api/orders/deep/x')).toMatchObject({ got: 'rule 1 of deep' });
    expect(await reached('/api/orders/deeper')).toMatchObject({ got: 'rule 5 of orders' });
  });

  it.each([
    ['/oauth/token', 'all other paths are reserved'],
    ['/api/', 'without a slash at the end'],
    ['/api/../x', 'must be /api, /mcp or a path below one of them'],
    ['/apis', 'must be /api, /mcp or a path below one of them'],
  ])('the path %s is refused', (path, rule) => {
    const { error } = apiSchema.safeParse({ name: 'x', path });
    expect(error?.issues).toMatchObject([
      { path: ['path'], message: expect.stringContaining(rule) },
    ]);
  });

  it('at most 64 rules, and a name that is a path segment', () => {
    const rules = Array.from({ length: 65 }, () => ({}));
    expect(apiSchema.safeParse({ name: 'x', rules: rules.slice(1) }).success).toBe(true);
    expect(apiSchema.safeParse({ name: 'x', rules }).error?.issues).toMatchObject([
      { path: ['rules'], message: 'must have at most 64 entries' },
    ]);
    for (const name of ['', 'a/b', '..', 'a b'])
      expect(apiSchema.safeParse({ name }).success).toBe(false);
    expect(server.service.registry.apis.bounds.entries).toBe(64);
  });
});

describe('behaviour 19.2: the rules', () => {
  it('a path of no API is 404 like any other; one of an API without a rule names the API', async () => {
    const none = await ask(server.url, '/api/none');
    expect([none.status, none.body['error']]).toEqual([404, 'not_found']);
    put(server, { name: 'orders', rules: [{ path: '/a' }] });
    const answer = await call(server, '/b', await tokenFor(server, { scope: '' }));
    expect(answer.status).toBe(404);
    expect(causeOf(server, answer)).toBe('api_path_without_rule');
    expect(answer.headers.get('WWW-Authenticate')).toBeNull();
  });

  it('a method that no rule of the path accepts is 405 with Allow; GET includes HEAD', async () => {
    const token = await tokenFor(server);
    const wrong = await call(server, '/public', token, { method: 'POST' });
    expect([wrong.status, wrong.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const { status } = await call(server, '/items', token, { method: 'DELETE' });
    expect(status).toBe(405);
    expect((await call(server, '/public', token, { method: 'HEAD' })).status).toBe(200);
  });

  it('the first rule with the path and the method is applied', async () => {
    const token = await tokenFor(server);
    expect((await call(server, '/items', token)).status).toBe(200);
    const refused = await call(server, '/items', token, { method: 'POST' });
    expect(refused.status).toBe(403);
    expect(evaluationOf(server, refused).checks[0]).toMatchObject({ got: 'rule 6 of orders' });
    const expected = 'orders:read orders:write';
    expect(factsOf(server, refused)).toEqual({ expected, got: 'orders:read' });
  });

  it('a rule for DPoP takes no bearer token, and one for Bearer no bound token', async () => {
    const bearer = await tokenFor(interop, { scope: '' });
    const refused = await call(interop, '/keys', bearer);
    expect([refused.status, causeOf(interop, refused)]).toEqual([401, 'api_requires_dpop']);
    expect(refused.headers.get('WWW-Authenticate')).toMatch(
      /^DPoP .*error="invalid_token".*algs="/,
    );
    const bound = await boundToken(interop);
    const proven = await callBound(interop, '/plain', bound);
    expect([proven.status, causeOf(interop, proven)]).toEqual([401, 'api_requires_bearer']);
    const accepted = await callBound(interop, '/keys', bound);
    expect(accepted.status).toBe(200);
    const checks = describeChecks(evaluationOf(interop, accepted), false);
    expect(checks.find(({ id }) => id === 'authorization_header')?.got).toBe(
      'in the Authorization header, with the scheme DPoP',
    );
    expect(checks.find(({ id }) => id === 'token_type')).toMatchObject({
      expected: 'DPoP',
      got: 'DPoP',
    });
  });
});

/** The header of a request without a body, signed for this test. */
async function proofFor(to: HttpService, path: string, token: string, more = {}): Promise<string> {
  const htu = `${to.url}/api/orders${path}`;
  return proof(key, {
    claims: { htm: 'GET', htu, iat: NOW / 1000, ...hashOf(token), ...more },
  });
}

async function boundToken(to: HttpService, scope = READ): Promise<string> {
  const htu = `${to.url}/oauth/token`;
  const { body } = await present(
    to.url,
    '/oauth/token',
    {
      grant_type: 'authorization_code',
      code: await to.code({ scope, audience: audience(to) }),
      redirect_uri: REDIRECT_URI,
    },
    { DPoP: await proof(key, { claims: { htu, iat: NOW / 1000 } }) },
  );
  return String(body['access_token']);
}

async function callBound(to: HttpService, path: string, token: string, sent?: string) {
  const DPoP = sent ?? (await proofFor(to, path, token));
  return ask(to.url, `/api/orders${path}`, { headers: { Authorization: `DPoP ${token}`, DPoP } });
}

describe('behaviour 19.3: how a token is evaluated', () => {
  it('the trace of an accepted request has every check, with what was compared', async () => {
    server.changeUser('ada', { claims: { acr: 'mfa' } });
    const token = await tokenFor(server, { scope: 'orders:read pay' });
    server.changeUser('ada', { claims: {} });
    server.service.ports.clock.set(NOW + 60_000);
    const answer = await call(server, '/payments/1', token);
    const checks = describeChecks(evaluationOf(server, answer), false);
    const passed = checks.filter(({ verdict }) => verdict === 'passed');
    expect(passed.map(({ id, expected, got, note }) => [id, expected, got ?? note])).toEqual([
      ['path', '/payments/*', 'rule 2 of orders'],
      ['method', null, 'GET'],
      ['authorization_header', null, 'in the Authorization header'],
      ['credential_known', null, `signed with a key of this issuer, ${server.url}`],
      ['typ', null, 'at+jwt'],
      ['audience', audience(server), audience(server)],
      ['credential_live', null, 'expires in 23 h 59 min'],
      ['scope', 'pay', 'orders:read pay'],
      ['max_age', null, 'signed in 1 min ago'],
      ['acr', 'mfa or hwk', 'mfa'],
    ]);
    expect(checks).toHaveLength(passed.length);
  });

  const OTHER = 'https://wrong-audience.invalid';
  it.each<[string, Parameters<typeof signTestToken>[1]['wrong'], string, RefusalFacts?]>([
    ['the wrong audience', ['wrong_audience'], 'access_token_of_other_audience', { got: OTHER }],
    ['no audience', ['no_audience'], 'access_token_of_other_audience', { got: 'none' }],
    ['another typ', ['wrong_typ'], 'access_token_typ_wrong', { expected: 'at+jwt', got: 'JWT' }],
    ['no typ', ['no_typ'], 'access_token_typ_wrong', { expected: 'at+jwt', got: 'none' }],
    ['a future nbf', ['not_yet_valid'], 'access_token_too_early', { seconds: 3600 }],
    ['another issuer', ['wrong_issuer'], 'access_token_of_other_issuer'],
    ['an exp in the past', ['expired'], 'access_token_expired', { seconds: 3600 }],
    ['no exp', ['no_exp'], 'access_token_not_issued'],
    ['an altered signature', ['signature_altered'], 'access_token_signature_wrong'],
    ['no kid', ['no_kid'], 'access_token_key_unknown', { got: 'its header has no kid' }],
    [
      'an unknown crit',
      ['unknown_critical'],
      'access_token_signature_wrong',
      { got: 'its crit names a header member that this service does not understand' },
    ],
    ['an unknown key', ['unknown_kid'], 'access_token_key_unknown'],
    ['no mistake, but never issued', [], 'access_token_not_issued'],
  ])(
    'a token built with %s is rejected for that reason',
    async (_name, wrong, cause, facts = {}) => {
      const order = { client_id: 'demo-app', audience: audience(server), scope: READ, wrong };
      const { token } = await signTestToken(server.service, order);
      const answer = await call(server, '/1', token);
      expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_token']);
      expect(causeOf(server, answer)).toBe(cause);
      expect(factsOf(server, answer)).toMatchObject(facts);
    },
  );

  it('RFC 7519 4.1.5: an issued token with nbf is accepted from then on', async () => {
    server.changeUser('ada', { claims: { nbf: NOW / 1000 + 1 } });
    const token = await tokenFor(server);
    server.changeUser('ada', { claims: {} });
    const early = await call(server, '/1', token);
    expect(causeOf(server, early)).toBe('access_token_too_early');
    expect(factsOf(server, early)).toEqual({ seconds: 1 });
    server.service.ports.clock.set(NOW + 1000);
    const answer = await call(server, '/1', token);
    const checks = describeChecks(evaluationOf(server, answer), false);
    expect(checks.find(({ id }) => id === 'not_before')?.verdict).toBe('passed');
  });

  it('an issued token is rejected once it was revoked', async () => {
    const { service } = server;
    const minted = await service.mint({
      client_id: 'demo-app',
      audience: audience(server),
      scope: READ,
    });
    await service.revokeLineage(minted.lineage);
    const revoked = await call(server, '/1', minted.access_token);
    expect(causeOf(server, revoked)).toBe('access_token_revoked');
  });

  it('an opaque token is evaluated by its record, and has the same claims', async () => {
    server.changeUser('ada', { claims: { acr: 'mfa' } });
    const answers = async (access_token_format: 'opaque' | 'rfc9068') => {
      for (const one of [server, interop]) one.configure({ access_token_format });
      return [
        await call(server, '/public', await tokenFor(server)),
        await call(server, '/public', await tokenFor(server, { scope: '' })),
        await callBound(interop, '/keys', await boundToken(interop)),
      ].map(({ body }) => ({ ...(body['claims'] as object), jti: 'of each token' }));
    };
    const opaque = await answers('opaque');
    expect(opaque).toEqual(await answers('rfc9068'));
    server.changeUser('ada', { claims: {} });
    expect(opaque[2]).toMatchObject({ cnf: { jkt: key.jkt } });
  });

  it('RFC 6750 2: a token in the query is refused, even beside one in the header', async () => {
    const token = await tokenFor(server);
    const answer = await call(server, `/1?access_token=${token}`, token);
    expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_request']);
    expect(causeOf(server, answer)).toBe('access_token_in_query');
  });

  it('RFC 6750 2: two tokens are refused, in header and body, or in two headers', async () => {
    put(server, { name: 'orders' });
    const token = await tokenFor(server, { scope: '' });
    const body = new URLSearchParams({ access_token: token });
    const both = await call(server, '/1', token, { method: 'POST', body });
    expect([both.status, causeOf(server, both)]).toEqual([400, 'access_token_twice']);
    expect(factsOf(server, both)?.got).toBe('in the Authorization header and in the body');
    const twice = new URLSearchParams([...body, ...body]);
    const repeated = await call(server, '/1', undefined, { method: 'POST', body: twice });
    expect(repeated.status).toBe(400);
    expect(factsOf(server, repeated)?.got).toBe('twice in the body');
    expect((await call(server, '/1', undefined, { method: 'POST', body })).status).toBe(200);
    const raw = await sendRaw(
      server.port,
      `GET /api/orders/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    expect(raw).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('a body that is no form is not read: an API takes what it likes', async () => {
    put(server, { name: 'orders' });
    const token = await tokenFor(server, { scope: '' });
    const headers = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: '{"broken' };
    expect((await call(server, '/1', token, init)).status).toBe(200);
  });

  it('RFC 9449 7: a bound token needs its scheme, and a proof for this request and this token', async () => {
    const token = await boundToken(interop);
    const cause = async (answer: Awaited<ReturnType<typeof call>>) => {
      expect(answer.status).toBe(401);
      return causeOf(interop, answer);
    };
    expect(await cause(await call(interop, '/1', token))).toBe('access_token_bound');
    const headers = { Authorization: `DPoP ${token}` };
    const bare = await ask(interop.url, '/api/orders/1', { headers });
    expect(await cause(bare)).toBe('dpop_missing');
    expect(bare.headers.get('WWW-Authenticate')).toMatch(/^DPoP .*error="invalid_dpop_proof"/);
    const elsewhere = await proofFor(interop, '/2', token);
    expect(await cause(await callBound(interop, '/1', token, elsewhere))).toBe('dpop_htu_differs');
    const other = await proofFor(interop, '/1', token, hashOf(await boundToken(interop)));
    expect(await cause(await callBound(interop, '/1', token, other))).toBe('dpop_ath_differs');
    const good = await proofFor(interop, '/1', token);
    expect((await callBound(interop, '/1', token, good)).status).toBe(200);
    expect(await cause(await callBound(interop, '/1', token, good))).toBe('dpop_replayed');
  });

  it('RFC 9470 3: auth_time may not be older than max_age, and acr must be one of the rule', async () => {
    const { service } = server;
    const weak = await call(server, '/payments/1', await tokenFor(server, { scope: 'pay' }));
    expect(causeOf(server, weak)).toBe('api_acr_differs');
    expect(factsOf(server, weak)).toEqual({ expected: 'mfa or hwk', got: 'none' });
    server.changeUser('ada', { claims: { acr: 'mfa' } });
    const token = await tokenFor(server, { scope: 'pay' });
    server.changeUser('ada', { claims: {} });
    expect((await call(server, '/payments/1', token)).status).toBe(200);
    service.ports.clock.set(NOW + 300_000);
    expect((await call(server, '/payments/1', token)).status).toBe(200);
    service.ports.clock.set(NOW + 301_000);
    const old = await call(server, '/payments/1', token);
    expect([old.status, causeOf(server, old)]).toEqual([401, 'api_sign_in_old']);
    const { refusal } = evaluationOf(server, old);
    expect(refusal && describeCause(refusal).detail).toBe('signed in 5 min 1 s ago, at most 5 min');
  });
});

describe('behaviour 19.4: the challenges', () => {
  const challengeOf = ({ headers }: Awaited<ReturnType<typeof ask>>) =>
    headers.get('WWW-Authenticate');
  const metadata = () =>
    `resource_metadata="${server.url}/.well-known/oauth-protected-resource/api/orders"`;

  it('RFC 6750 3.1: without a token there is no error, but what to ask for', async () => {
    const answer = await call(server, '/1');
    expect(answer.status).toBe(401);
    expect(challengeOf(answer)).toBe(
      `Bearer realm="grantbench", scope="orders:read", ${metadata()}`,
    );
  });

  it('an invalid token is 401 invalid_token; the body says the same', async () => {
    const answer = await call(server, '/1', 'nonsense');
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_token']);
    expect(challengeOf(answer)).toBe(
      `Bearer realm="grantbench", error="invalid_token", error_description="the access token is not valid", ${metadata()}`,
    );
  });

  it('a missing scope is 403 insufficient_scope with all scopes that are needed', async () => {
    const answer = await call(server, '/items', await tokenFor(server), { method: 'POST' });
    expect([answer.status, answer.body['error']]).toEqual([403, 'insufficient_scope']);
    expect(challengeOf(answer)).toContain('scope="orders:read orders:write"');
  });

  it('RFC 9470 3: a sign-in that does not suffice is 401 with acr_values and max_age', async () => {
    const answer = await call(server, '/payments/1', await tokenFor(server, { scope: 'pay' }));
    expect([answer.status, answer.body['error']]).toEqual([
      401,
      'insufficient_user_authentication',
    ]);
    expect(challengeOf(answer)).toContain('acr_values="mfa hwk", max_age="300"');
  });

  it('an API whose audience is elsewhere has no resource_metadata', async () => {
    put(server, { ...orders, audience: 'https://orders.example/api' });
    expect(challengeOf(await call(server, '/1'))).not.toContain('resource_metadata');
  });
});

describe('behaviour 19.5: the metadata', () => {
  const WELL_KNOWN = '/.well-known/oauth-protected-resource';

  it('RFC 9728 2: names the resource, its authorization server, its scopes and how tokens are sent', async () => {
    const { status, body, headers } = await ask(server.url, `${WELL_KNOWN}/api/orders`, {
      headers: { Origin: 'https://app.example' },
    });
    expect(status).toBe(200);
    expect(headers.get('Access-Control-Allow-Origin')).toBe('https://app.example');
    expect(body).toMatchObject({
      resource: audience(server),
      authorization_servers: [server.url],
      scopes_supported: ['pay', READ, 'orders:write'],
      bearer_methods_supported: ['header', 'body'],
      resource_name: 'orders',
    });
    expect(body).not.toHaveProperty('dpop_bound_access_tokens_required');
  });

  it('an API that only takes bound tokens says so', async () => {
    put(server, { name: 'orders', rules: [{ token_type: 'DPoP' }] });
    const { body } = await ask(server.url, `${WELL_KNOWN}/api/orders`);
    expect(body).toMatchObject({
      bearer_methods_supported: [],
      dpop_bound_access_tokens_required: true,
    });
  });

  it.each([
    ['another URL', { audience: 'https://orders.example/api' }],
    ['a path that is not its own', { path: '/api/v2/orders' }],
  ])('RFC 9728 3.3: there is none where the audience is %s', async (_name, members) => {
    put(server, { ...orders, ...members });
    for (const path of ['', '/api/orders', '/api/v2/orders']) {
      expect((await ask(server.url, WELL_KNOWN + path)).status, path).toBe(404);
    }
  });

  it('at the root, there is that of an API whose audience is the issuer', async () => {
    put(server, { ...orders, audience: server.url });
    const { status, body } = await ask(server.url, WELL_KNOWN);
    expect([status, body['resource']]).toEqual([200, server.url]);
    expect((await call(server, '/1')).headers.get('WWW-Authenticate')).toContain(
      `resource_metadata="${server.url}${WELL_KNOWN}"`,
    );
  });

  it('the path of an issuer comes after the well-known name (RFC 9728 3.1)', async () => {
    const issuer = 'https://id.example/tenant';
    server.configure({ issuer });
    const { status, body } = await ask(server.url, `${WELL_KNOWN}/tenant/api/orders`);
    const reached = await ask(server.url, '/tenant/api/orders/1');
    expect([status, body['resource']]).toEqual([200, `${issuer}/api/orders`]);
    expect(reached.headers.get('WWW-Authenticate')).toContain(
      `resource_metadata="https://id.example${WELL_KNOWN}/tenant/api/orders"`,
    );
  });
});

describe('behaviour 19.6: the response', () => {
  it('is the name of the API and the claims of the token, not to be kept', async () => {
    const { status, body, headers } = await call(server, '/1', await tokenFor(server));
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(body).toMatchObject({
      api: 'orders',
      claims: {
        iss: server.url,
        aud: audience(server),
        sub: 'ada',
        scope: READ,
        auth_time: NOW / 1000,
      },
    });
  });

  it('pages of any origin may call it, and read the challenge', async () => {
    const Origin = 'https://app.example';
    const preflight = await ask(server.url, '/api/orders/items', {
      method: 'OPTIONS',
      headers: { Origin, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD, POST, OPTIONS');
    const answer = await call(server, '/1', undefined, { headers: { Origin } });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('WWW-Authenticate');
  });

  it('a body over the limit is 413', async () => {
    put(server, { name: 'orders' });
    const body = 'x'.repeat(server.service.settings().max_body_bytes + 1);
    const answer = await call(server, '/1', await tokenFor(server, { scope: '' }), {
      method: 'POST',
      body,
    });
    expect(answer.status).toBe(413);
  });

  it('neither dialect nor shape change its errors', async () => {
    server.configure({ dialect: 'auth0' });
    const token = await tokenFor(server, { scope: '' });
    expect((await call(server, '/1', token)).body['error']).toBe('insufficient_scope');
  });

  it('fault rules apply to it by its path', async () => {
    const effect = { kind: 'answer', status: 503 };
    const fault = {
      id: 'down',
      when: 'instead',
      match: { path: '/api/orders/*' },
      times: 1,
      effect,
    };
    server.service.faults.replaceAll([faultSchema.parse(fault)]);
    const token = await tokenFor(server);
    expect((await call(server, '/1', token)).status).toBe(503);
    expect((await call(server, '/1', token)).status).toBe(200);
    server.service.faults.replaceAll([]);
  });

  it('its exchange names the endpoint, the client of the token and the cause', async () => {
    const answer = await call(server, '/items', await tokenFor(server), { method: 'POST' });
    expect(evaluationOf(server, answer)).toMatchObject({
      endpoint: 'api',
      client_id: 'demo-app',
      profile: 'documented',
      refusal: { reason: 'api_scope_missing' },
    });
  });
});

describe('behaviour 19.7: auth_time', () => {
  it('RFC 9470 6.1: only tokens for a protected API have it, and only with a user', async () => {
    const claims = async (order: Order) => {
      const [, payload = ''] = (await tokenFor(server, order)).split('.');
      return JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    };
    expect(await claims({})).toHaveProperty('auth_time', NOW / 1000);
    expect(await claims({ audience: server.url, scope: '' })).not.toHaveProperty('auth_time');
  });

  it('a token of a client alone does not satisfy max_age', async () => {
    put(interop, { name: 'orders', rules: [{ max_age: 60 }] });
    interop.changeClient({ grant_types: ['client_credentials'] });
    const config = await openidClient(interop.url, 'client_secret_post');
    const parameters = { resource: audience(interop) };
    const { access_token } = await openid.clientCredentialsGrant(config, parameters);
    const answer = await call(interop, '/1', access_token);
    expect(causeOf(interop, answer)).toBe('api_sign_in_unknown');
  });

  it('RFC 9470 6.2: introspection of such a token has it, too', async () => {
    const introspect = async (token: string) => {
      const sent = { token, client_id: 'demo-app', client_secret: 'demo-secret' };
      return (await present(server.url, '/oauth/introspect', sent)).body;
    };
    const plain = await introspect(await tokenFor(server));
    expect(plain).toMatchObject({ active: true, auth_time: NOW / 1000 });
    expect(plain).not.toHaveProperty('acr');
    server.changeUser('ada', { claims: { acr: 'mfa' } });
    const strong = await tokenFor(server);
    server.changeUser('ada', { claims: {} });
    expect(await introspect(strong)).toMatchObject({ active: true, acr: 'mfa' });
  });
});

describe('stock clients', () => {
  it('oauth4webapi finds the metadata, calls the API, and reads the challenge', async () => {
    const url = new URL(audience(server));
    const options = { [oauth.allowInsecureRequests]: true };
    const found = await oauth.resourceDiscoveryRequest(url, options);
    const resource = await oauth.processResourceDiscoveryResponse(url, found);
    expect(resource.authorization_servers).toEqual([server.url]);
    const token = await tokenFor(server);
    const response = await oauth.protectedResourceRequest(
      token,
      'GET',
      url,
      undefined,
      undefined,
      options,
    );
    expect(await response.json()).toMatchObject({ api: 'orders' });
    const refused = oauth.protectedResourceRequest(
      token,
      'POST',
      new URL(`${url.href}/items`),
      undefined,
      undefined,
      options,
    );
    await expect(refused).rejects.toMatchObject({
      cause: [
        {
          scheme: 'bearer',
          parameters: { error: 'insufficient_scope', scope: 'orders:read orders:write' },
        },
      ],
    });
  });

  it('openid-client calls it with DPoP, and repeats the request with the nonce that it demands', async () => {
    const { service, url } = interop;
    service.ports.clock.set(Math.floor(Date.now() / 1000) * 1000);
    const config = await openidClient(url, 'client_secret_post');
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'));
    const callback = new URL('http://localhost:3000/callback');
    const code = await interop.code({ scope: READ, audience: audience(interop) });
    callback.search = new URLSearchParams({ code, iss: url }).toString();
    const tokens = await openid.authorizationCodeGrant(config, callback, {}, {}, { DPoP });
    expect(tokens.token_type).toBe('dpop');
    interop.configure({ dpop: { require_nonce: true } });
    const before = interop.newest()?.number ?? 0;
    const response = await openid.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL(`${audience(interop)}/1`),
      'GET',
      undefined,
      undefined,
      { DPoP },
    );
    expect(response.status).toBe(200);
    expect((interop.newest()?.number ?? 0) - before).toBe(2);
  });
});
