// Behaviour 7, RFC 6749 4.1.1: what an authorization request may contain, in which order it is validated, and whether a
// rejection is sent to the client or shown on a page.

import { describe, expect, test } from 'vitest';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import { RESPONSE_MODES } from '../../src/core/authorization/response.ts';
import type { RefusalReason } from '../../src/core/checks/refusals/index.ts';
import {
  answerOf,
  authorizationRequest,
  createAuthorizationBench,
  expectPage,
  expectRedirect,
} from '../support/authorization.ts';
import {
  BILLING,
  client,
  createTestService,
  expectRefusal,
  ISSUER,
  ORDERS,
  PUBLIC,
  REDIRECT_URI,
  type RequestParameters,
  sha256,
  START,
  type TestServiceOptions,
} from '../support/core.ts';
import { words } from '../support/words.ts';

const auto = ({ settings, ...members }: TestServiceOptions = {}) => {
  const bench = createAuthorizationBench({
    ...members,
    settings: { authorize: 'auto', ...settings },
  });
  return {
    ...bench,
    /** The record of the code that a request is granted, and the evaluation of the request. */
    granted: async (parameters?: RequestParameters) => {
      const result = await bench.ask(parameters);
      return { code: await bench.codeOf(answerOf(result)), evaluation: result.evaluation };
    },
  };
};

const AUTHORIZE_CHECKS = words(
  'client_id redirect_uri parameters response_mode request_object response_type',
  'grant_allowed pkce audience scope prompt id_token_hint user consent',
);

const CHALLENGE = sha256('v'.repeat(43));
const S256 = (code_challenge: string) => ({ code_challenge, code_challenge_method: 'S256' });

describe('a request that is granted', () => {
  test('behaviour 7.2, RFC 6749 4.1.2, RFC 9207: the response has a code, the unchanged state and the issuer', async () => {
    const { target, parameters, session } = answerOf(await auto().ask());
    expect(target).toEqual({
      redirect_uri: REDIRECT_URI,
      response_mode: 'query',
      signed: null,
      state: 'xyz',
    });
    expect(parameters).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: 'xyz',
      iss: ISSUER,
    });
    expect(session).toBeNull();
  });

  test('behaviour 4: the code records the whole request and the exchange that issued it', async () => {
    const asked = { nonce: 'n-0S6', ...S256(CHALLENGE) };
    const { code, evaluation } = await auto().granted(asked);
    expect(code).toMatchObject({
      state: 'issued',
      redirect_uri: REDIRECT_URI,
      redirect_uri_given: true,
      requested_scope: 'openid orders:read',
      ...asked,
      expires_at: START + 600_000,
      issued_by: evaluation.exchange,
      lineage: {
        registration: { client_id: 'demo-app' },
        user_sub: 'ada',
        audience: ORDERS,
        auth_time: START,
        scope: 'openid orders:read',
      },
    });
    expect(evaluation.lineage?.user_sub).toBe('ada');
  });

  test('behaviour 3: the trace has every check as passed, in the order of evaluation', async () => {
    const words = describeChecks((await auto().ask()).evaluation, false);
    expect(words.map(({ id }) => id)).toEqual(['method', 'body', ...AUTHORIZE_CHECKS]);
    expect(words.slice(1).every(({ verdict }) => verdict === 'passed')).toBe(true);
  });

  test('RFC 6749 4.1.3: without redirect_uri the only registered URI is used, and the exchange may omit it too', async () => {
    const { ask, exchange, answered } = auto({ settings: { profile: 'interop' } });
    const { target, parameters } = answerOf(await ask({ redirect_uri: undefined }));
    expect(target.redirect_uri).toBe(REDIRECT_URI);
    const left_out = { redirect_uri: undefined, audience: undefined };
    answered(await exchange(parameters['code'] ?? '', left_out));
    const given = answerOf(await ask()).parameters['code'] ?? '';
    expectRefusal(await exchange(given, left_out), 'parameter_missing');
  });

  test('RFC 6749 3.1: a parameter without a value counts as absent', async () => {
    const { ask } = auto();
    const empty = { state: '', nonce: '', prompt: '', max_age: '', response_mode: '', request: '' };
    expect(answerOf(await ask(empty)).parameters).toEqual({
      code: expect.any(String) as string,
      iss: ISSUER,
    });
  });

  test('behaviour 2: without audience the exchange decides it, and scopes of any audience are accepted', async () => {
    const scope = 'orders:read billing:read';
    const { code } = await auto().granted({ audience: undefined, scope });
    expect(code.lineage).toMatchObject({ audience: null, scope });
  });

  test('behaviour 1.12: extra blanks in the scope are accepted and noted; strict rejects them', async () => {
    const scope = ' openid  orders:read ';
    const { granted, exchange } = auto();
    const { code, evaluation } = await granted({ scope });
    expect(code.lineage.scope).toBe('openid orders:read');
    expect(evaluation.deviations).toEqual([{ id: 'scope_blanks' }]);
    expect((await exchange(code.value)).answer).not.toHaveProperty('scope');
    const strict = auto({ settings: { profile: 'strict' } });
    expectRedirect(await strict.ask({ scope }), 'scope_malformed');
  });

  test('behaviour 1 (interop): resource is read as audience, and an unknown scope is dropped and noted', async () => {
    const { granted, ask } = auto({ settings: { profile: 'interop' } });
    const asked = { audience: undefined, resource: ORDERS, scope: 'openid nope' };
    const { code, evaluation } = await granted(asked);
    expect(code.lineage).toMatchObject({ audience: ORDERS, scope: 'openid' });
    expect(evaluation.deviations).toEqual([{ id: 'unknown_scope_dropped', about: 'nope' }]);
    expectRedirect(await ask({ resource: BILLING }), 'resource_differs');
  });

  test.each(['documented', 'strict', 'interop'] as const)(
    'behaviour 1.4, RFC 8707 2 (%s): a repeated resource is invalid_target, not a repeated parameter',
    async (profile) => {
      const { send } = auto({ settings: { profile } });
      const twice = await send(authorizationRequest({ resource: ORDERS }, ['resource']));
      expectRedirect(twice, 'resource_repeated');
      expect(twice.refusal?.description).toBe(
        'resource must be sent once: a token is for one API here (RFC 8707 2)',
      );
    },
  );

  test('behaviour 1: ignored parameters are noted, with names only if the protocol defines them', async () => {
    const { ask } = auto();
    const more = { ui_locales: 'de', display: 'page', resource: ORDERS, s3cr3t: 'x' };
    const { evaluation } = await ask(more);
    expect(evaluation.deviations).toEqual([
      { id: 'unknown_parameters', about: 'ui_locales, display, resource, a parameter' },
    ]);
    const interop = auto({ settings: { profile: 'interop' } });
    expect((await interop.ask(more)).evaluation.deviations).toEqual([
      { id: 'unknown_parameters', about: 'ui_locales, display' },
    ]);
  });

  test('behaviour 1: the client’s profile applies', async () => {
    const { ask } = auto({ clients: [client({ profile: 'interop' })] });
    const { evaluation } = await ask({ scope: 'nope' });
    expect(evaluation.profile).toBe('interop');
  });

  test.each(['plain', undefined])(
    'RFC 7636 4.3: with method %s the challenge is plain',
    async (m) => {
      const asked = { code_challenge: 'v'.repeat(43), code_challenge_method: m };
      expect((await auto().granted(asked)).code.code_challenge_method).toBe('plain');
    },
  );
});

const SEVERAL = [REDIRECT_URI, 'http://localhost:3000/other'];

const ON_A_PAGE: readonly [string, RequestParameters, RefusalReason][] = [
  ['no client_id', { client_id: undefined }, 'authorization_client_missing'],
  ['an empty client_id', { client_id: '' }, 'authorization_client_missing'],
  ['an unknown client', { client_id: 'nobody' }, 'authorization_client_unknown'],
  ['no redirect_uri with several registered', { redirect_uri: undefined }, 'redirect_uri_missing'],
  ['a relative redirect_uri', { redirect_uri: '/callback' }, 'redirect_uri_relative'],
  ['a host and port first', { redirect_uri: 'localhost:3000/callback' }, 'redirect_uri_relative'],
  ['a text that is not a URI', { redirect_uri: 'http://' }, 'redirect_uri_relative'],
  ['a javascript: redirect_uri', { redirect_uri: 'javascript:alert(1)' }, 'redirect_uri_unsafe'],
  ['a data: redirect_uri in capitals', { redirect_uri: 'DATA:text/html,x' }, 'redirect_uri_unsafe'],
  ['a fragment', { redirect_uri: `${REDIRECT_URI}#x` }, 'redirect_uri_fragment'],
  ['an additional slash', { redirect_uri: `${REDIRECT_URI}/` }, 'redirect_uri_unregistered'],
  ['another case', { redirect_uri: REDIRECT_URI.toUpperCase() }, 'redirect_uri_unregistered'],
  ['an additional query', { redirect_uri: `${REDIRECT_URI}?x=1` }, 'redirect_uri_unregistered'],
];

describe('behaviour 7.3: a request that is rejected on a page', () => {
  test.each(ON_A_PAGE)(
    'RFC 6749 4.1.2.1: %s (%j) causes no redirect, whatever else is wrong',
    async (_, parameters, reason) => {
      const { ask, stores, clock } = auto({ clients: [client({ redirect_uris: SEVERAL })] });
      expectPage(await ask({ ...parameters, response_type: 'token' }), reason);
      expect(stores.liveCount(clock.now())).toBe(0);
    },
  );

  test.each(['client_id', 'redirect_uri'])(
    'RFC 6749 3.1: a repeated %s causes no redirect',
    async (name) => {
      expectPage(await auto().send(authorizationRequest({}, [name])), 'target_parameter_repeated');
    },
  );

  test('a client without redirect URIs gets no redirect', async () => {
    const { ask } = auto({ clients: [client({ redirect_uris: [] })] });
    for (const redirect_uri of [undefined, REDIRECT_URI]) {
      expectPage(await ask({ redirect_uri }), 'redirect_uri_none_registered');
    }
  });

  test('behaviour 3: the cause says where redirect_uri differs from the nearest registered one', async () => {
    const { ask } = auto({ clients: [client({ redirect_uris: [...SEVERAL].reverse() })] });
    const { refusal } = await ask({ redirect_uri: `${REDIRECT_URI}/` });
    expect(refusal?.facts.expected).toBe(REDIRECT_URI);
    expect(refusal && describeCause(refusal)).toMatchObject({
      detail: 'redirect_uri differs at character 31 from the nearest registered one',
      differs_at: 30,
    });
  });
});

interface ByRedirect {
  readonly parameters: RequestParameters;
  readonly reason: RefusalReason;
}

const rejected = (reason: RefusalReason, ...all: readonly RequestParameters[]): ByRedirect[] =>
  all.map((parameters) => ({ parameters, reason }));

const each = (name: string, ...values: readonly string[]) =>
  values.map((value): RequestParameters => ({ [name]: value }));

const BY_REDIRECT: readonly ByRedirect[] = [
  ...rejected(
    'response_mode_unsupported',
    ...each('response_mode', 'Fragment', 'Query', 'webmessage'),
  ),
  ...rejected(
    'message_mode_not_silent',
    ...each('response_mode', 'web_message', 'okta_post_message'),
    { response_mode: 'web_message', prompt: 'login' },
    { response_mode: 'web_message', prompt: 'none login' },
  ),
  ...(['request', 'request_uri', 'registration'] as const).flatMap((name) =>
    rejected(`${name}_not_supported`, { [name]: 'x' }),
  ),
  ...rejected('response_type_missing', { response_type: undefined }),
  ...rejected(
    'response_type_unsupported',
    ...each('response_type', 'token', 'code token', 'id_token', 'Code', 'none'),
  ),
  ...rejected(
    'challenge_method_unsupported',
    ...each('code_challenge_method', 's256', 'S512', 'none'),
  ),
  ...rejected('challenge_method_alone', { code_challenge_method: 'S256' }),
  ...rejected(
    'challenge_malformed',
    S256(CHALLENGE.slice(1)),
    S256(`${CHALLENGE}=`),
    S256(`${CHALLENGE.slice(1)}+`),
    ...each('code_challenge', 'v'.repeat(42), 'v'.repeat(129), `${'v'.repeat(42)}+`),
  ),
  ...rejected('audience_unknown', { audience: 'https://x.example/' }),
  ...rejected('scope_malformed', ...each('scope', 'a\\b', 'a"b', '\t')),
  ...rejected('scope_unknown', { scope: 'billing:read' }),
  ...rejected('prompt_unknown', ...each('prompt', 'create', 'login  consent', 'None')),
  ...rejected('prompt_none_with_others', ...each('prompt', 'none login', 'consent none')),
  ...rejected(
    'max_age_malformed',
    ...each('max_age', '-1', '1.5', 'an hour', '1e3', '1'.repeat(13)),
  ),
  ...rejected('id_token_hint_malformed', { id_token_hint: 'nonsense' }),
];

describe('a request that is rejected by redirect', () => {
  test.each(BY_REDIRECT)(
    'RFC 6749 4.1.2.1: $parameters is returned as $reason, with state and issuer',
    async ({ parameters, reason }) => {
      const { ask, stores, clock } = auto();
      const result = await ask(parameters);
      expectRedirect(result, reason);
      expect(stores.liveCount(clock.now())).toBe(0);
      const checks = describeChecks(result.evaluation, false).filter(({ id }) =>
        AUTHORIZE_CHECKS.includes(id),
      );
      const at = checks.findIndex(({ id }) => id === result.refusal?.check);
      expect(checks.map(({ verdict }) => verdict)).toEqual(
        checks.map((_check, index) =>
          index < at ? 'passed' : index === at ? 'failed' : 'not_reached',
        ),
      );
    },
  );

  test('RFC 6749 3.1: a repeated parameter is rejected by name, and a repeated state is not returned', async () => {
    const { send } = auto();
    const nonce = await send(authorizationRequest({}, ['nonce']));
    expectRedirect(nonce, 'authorization_parameter_repeated');
    expect(nonce.refusal?.description).toBe('nonce must not be repeated (RFC 6749 3.1)');
    const state = await send(authorizationRequest({}, ['state']));
    expect(answerOf(state).parameters).not.toHaveProperty('state');
    const stranger = await send(authorizationRequest({}, ['hunter2']));
    expect(stranger.refusal?.description).toMatch(/^a parameter must not/);
  });

  test('RFC 6749 4.1.2.1: a client that may not use the grant is unauthorized_client', async () => {
    const { ask } = auto({ clients: [client({ grant_types: ['refresh_token'] })] });
    expectRedirect(await ask(), 'grant_not_allowed');
  });

  test('RFC 9700 2.1.1: a public client must use PKCE, a client that signs assertions need not', async () => {
    const open = auto({ clients: [client(PUBLIC)] });
    expectRedirect(await open.ask(), 'challenge_missing');
    answerOf(await open.ask(S256(CHALLENGE)));
    const signing = client({
      client_secret: null,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] },
    });
    answerOf(await auto({ clients: [signing] }).ask());
  });

  test.each(RESPONSE_MODES)(
    'behaviour 7.2: a rejection is sent by %s when the request asks for it',
    async (mode) => {
      const { ask } = auto();
      const rejected = await ask({ response_mode: mode, response_type: 'codes', prompt: 'none' });
      const { response_mode, signed } = answerOf(rejected).target;
      expect(response_mode).toBe(mode === 'jwt' ? 'query' : mode.replace('.jwt', ''));
      expect(signed).toEqual(mode.endsWith('jwt') ? { client_id: 'demo-app', alg: 'RS256' } : null);
    },
  );

  test.each([
    'com.example.app:/callback',
    'http://[::1]:3000/callback',
    'https://*.example/callback',
    'https://a.example;sandbox/callback',
    "https://a.example,'unsafe-inline'/callback",
  ])(
    'behaviour 7.17: %s has no origin that a policy can name, so that nothing is posted',
    async (uri) => {
      const { ask } = auto({ clients: [client({ redirect_uris: [uri] })] });
      const asked = { redirect_uri: uri, response_mode: 'web_message', prompt: 'none' };
      const { target, refusal } = answerOf(await ask(asked));
      expect(refusal?.reason).toBe('message_mode_without_origin');
      expect(target).toMatchObject({ response_mode: 'query', redirect_uri: uri });
    },
  );

  test('behaviour 7.4: authorize deny denies every valid request', async () => {
    const { ask } = createAuthorizationBench({ settings: { authorize: 'deny' } });
    expectRedirect(await ask(), 'authorization_denied_by_setting');
    expectRedirect(await ask({ scope: 'nope' }), 'scope_unknown');
  });
});

describe('behaviour 7.4: the user that authorize auto picks', () => {
  const users = createTestService().service.registry.users.list();
  const bob = { sub: 'bob', name: 'Bob', email: 'Bob@Example.test', password: null, claims: {} };

  test.each([
    [undefined, 'ada'],
    ['bob', 'bob'],
    ['bob@example.TEST', 'bob'],
  ])('behaviour 7: with login_hint %s the user is %s', async (login_hint, sub) => {
    const { ask } = auto({ users: [...users, bob] });
    const { evaluation } = await ask({ login_hint, prompt: 'none' });
    expect(evaluation.lineage?.user_sub).toBe(sub);
  });

  test('OpenID Connect Core 3.1.2.6: a hint without a matching user is login_required', async () => {
    expectRedirect(await auto().ask({ login_hint: 'eve' }), 'sign_in_hint_unknown');
  });

  test('no request can be authorized without users', async () => {
    expectRedirect(await auto({ users: [] }).ask(), 'sign_in_without_users');
  });
});
