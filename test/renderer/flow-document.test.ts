// What a card of the Flow view sends: the scenario step of its walk, as the user edited it.

import { describe, expect, it } from 'vitest';
import type { Client, User } from '../../src/control/schemas.ts';
import {
  audienceOf,
  choose,
  calledBy,
  couldUse,
  fieldsPath,
  isPossible,
  mayUse,
  neededFrom,
  presentedBy,
  sentStep,
  signsWithKey,
  startingDocument,
  withCalled,
  withClient,
  requirementsOf,
  withGrant,
  withMember,
  withoutTyped,
  withPresented,
  type Choice,
  type WalkDocument,
} from '../../src/renderer/views/flow/flow-document.ts';
import type { WalkStepId } from '../../src/scenario/walks.ts';

const ISSUER = 'http://localhost:4000';
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const SCOPE = 'openid profile email';

const clientOf = (members: Partial<Client> = {}) =>
  ({
    client_id: 'app',
    client_secret: 'secret',
    default_audience: null,
    redirect_uris: ['http://localhost/cb'],
    grant_types: ['authorization_code'],
    ...members,
  }) as Client;

const choiceOf = (members: Partial<Choice> = {}): Choice => ({
  client: clientOf(),
  user: { sub: 'ada', has_password: false } as User,
  issuer: ISSUER,
  profile: 'documented',
  dpop: false,
  apis: [],
  requires: requirementsOf(members.client ?? clientOf(), null),
  ...members,
});

const typed = (document: WalkDocument, id: WalkStepId, path: readonly string[], value: unknown) =>
  withMember(document, id, path, value);

describe('the code step', () => {
  const start = startingDocument();

  it('is the authorization request with scope and audience, for the selected user', () => {
    expect(sentStep('code', start, choiceOf())).toEqual({
      authorize: {
        client: 'app',
        user: 'ada',
        parameters: { scope: SCOPE, audience: ISSUER },
      },
    });
  });

  it('names the client’s default audience, a chosen audience, or none', () => {
    const choice = choiceOf({ client: clientOf({ default_audience: 'https://api.example' }) });
    expect(audienceOf('code', start, choice)).toBe('https://api.example');
    const path = ['authorize', 'parameters', 'audience'];
    expect(audienceOf('code', typed(start, 'code', path, ISSUER), choice)).toBe(ISSUER);
    expect(audienceOf('code', typed(start, 'code', path, null), choice)).toBeNull();
  });

  it('RFC 9700 2.1.1: has a code challenge when PKCE is on, and always for a public client', () => {
    const pkce = (document: WalkDocument, choice: Choice) =>
      sentStep('code', document, choice).authorize?.pkce;
    expect(pkce(start, choiceOf())).toBeUndefined();
    expect(pkce(typed(start, 'code', ['authorize', 'pkce'], 'S256'), choiceOf())).toBe('S256');
    const open = clientOf({ client_secret: null });
    expect(pkce(start, choiceOf({ client: open }))).toBe('S256');
    const keyed = { ...open, token_endpoint_auth_method: 'private_key_jwt' } as const;
    expect(pkce(start, choiceOf({ client: keyed }))).toBeUndefined();
  });

  it('RFC 9126 5, RFC 9101 10.5: is pushed or signed whenever the client or the settings require it', () => {
    const code = (members: Partial<Client>) =>
      sentStep('code', start, choiceOf({ client: clientOf(members) })).authorize;
    expect(code({ require_pushed_authorization_requests: true })).toMatchObject({ push: true });
    expect(code({ require_signed_request_object: true })).toMatchObject({ request_object: {} });
    const settings = { require_pushed_authorization_requests: true };
    expect(requirementsOf(clientOf(), settings)).toMatchObject({ push: true, pkce: false });
    expect(requirementsOf(null, null)).toEqual({
      pkce: false,
      push: false,
      request_object: false,
    });
  });

  it('is pushed and bound to a key when those options are on', () => {
    const pushed = typed(start, 'code', ['authorize', 'push'], true);
    expect(sentStep('code', pushed, choiceOf({ dpop: true })).authorize).toMatchObject({
      push: true,
      dpop: true,
    });
  });

  it('is signed and asks for an ID token only at /authorize, not in the user’s own browser', () => {
    const asked = ['response_type', 'nonce'].reduce(
      (document, name) => typed(document, 'code', ['authorize', 'parameters', name], name),
      typed(start, 'code', ['authorize', 'request_object'], {}),
    );
    const sent = (way: WalkDocument['way']) =>
      sentStep('code', { ...asked, way }, choiceOf()).authorize;
    expect(sent('browser')).toMatchObject({
      request_object: {},
      parameters: { response_type: 'response_type', nonce: 'nonce' },
    });
    expect(sent('person')).toEqual(sentStep('code', start, choiceOf()).authorize);
  });
});

describe('the code step of a hybrid response', () => {
  const parametersOf = (
    parameters: Readonly<Record<string, unknown>>,
    way: WalkDocument['way'],
  ) => {
    const document = typed(startingDocument(), 'code', ['authorize', 'parameters'], parameters);
    return sentStep('code', { ...document, way }, choiceOf()).authorize?.parameters;
  };

  it('OpenID Connect Core 3.3.2.11: has a nonce only beside a response type, and no default one where it was cleared', () => {
    const audience = ISSUER;
    const hybrid = { response_type: 'code id_token' };
    expect(parametersOf({ nonce: 'n' }, 'browser')).toEqual({ audience });
    expect(parametersOf({ ...hybrid, nonce: 'n' }, 'browser')).toEqual({
      audience,
      nonce: 'n',
      ...hybrid,
    });
    expect(parametersOf(hybrid, 'browser')).toEqual({ audience, nonce: null, ...hybrid });
    expect(parametersOf({ ...hybrid, nonce: 'n' }, 'person')).toEqual({ audience });
  });
});

describe('the code step over the control API', () => {
  const PUBLIC = choiceOf({ client: clientOf({ client_secret: null }) });
  const NOBODY = choiceOf({ client: null });
  const parties = { client: 'app', user: 'ada', audience: ISSUER };

  it.each([
    ['the scope of the walk', undefined, choiceOf(), { ...parties, scope: SCOPE }],
    [
      'the members of the request',
      { parameters: { redirect_uri: 'http://localhost/cb', scope: 'openid' } },
      choiceOf(),
      { ...parties, redirect_uri: 'http://localhost/cb', scope: 'openid' },
    ],
    [
      'only members that are texts, since the control API decides the others',
      { parameters: { scope: null, redirect_uri: 5, state: 's' } },
      choiceOf(),
      parties,
    ],
    [
      'no audience, and the chosen challenge (RFC 7636 4.3)',
      { parameters: { audience: null }, pkce: 'S256' },
      choiceOf(),
      { ...parties, audience: null, pkce: 'S256' },
    ],
    ['S256 for a public client', {}, PUBLIC, { ...parties, pkce: 'S256' }],
    ['another method on demand', { pkce: 'plain' }, PUBLIC, { ...parties, pkce: 'plain' }],
    ['no client while none is known', {}, NOBODY, { user: 'ada', audience: ISSUER }],
  ] as const)('has %s', (_what, authorize, choice, issue_code) => {
    const start = { ...startingDocument(), way: 'control' } as const;
    const document =
      authorize === undefined ? start : typed(start, 'code', ['authorize'], authorize);
    expect(sentStep('code', document, choice)).toEqual({ issue_code });
  });
});

describe('the other steps', () => {
  it.each([
    ['client', {}],
    ['device', { authorize_device: { client: 'app', fields: { scope: SCOPE, audience: ISSUER } } }],
    ['decide', { approve_device: { user: 'ada' } }],
    ['poll', { token: { client: 'app', user: 'ada', grant: DEVICE } }],
    [
      'client_credentials',
      {
        token: {
          client: 'app',
          user: 'ada',
          grant: 'client_credentials',
          fields: { audience: ISSUER },
        },
      },
    ],
    [
      'subject',
      {
        issue_tokens: { client: 'app', user: 'ada', scope: SCOPE },
        save: { subject_token: 'body.access_token' },
      },
    ],
    [
      'swap',
      {
        token: {
          client: 'app',
          user: 'ada',
          grant: EXCHANGE,
          fields: { subject_token: '{{subject_token}}', audience: ISSUER },
        },
      },
    ],
    ['assertion', { sign_assertion: { client: 'app', user: 'ada' } }],
    [
      'bearer',
      {
        token: {
          client: 'app',
          user: 'ada',
          grant: BEARER,
          fields: { scope: SCOPE, audience: ISSUER },
        },
      },
    ],
    ['token', { request: { client: 'app', path: '/.well-known/jwks.json' } }],
    ['refresh', { token: { client: 'app', user: 'ada', grant: 'refresh_token' } }],
  ] as const)(
    '%s sends the request of its grant, and the audience where one is asked for',
    (id, step) => {
      expect(sentStep(id, startingDocument(), choiceOf())).toEqual(step);
    },
  );

  it('name neither client nor user while none is registered', () => {
    const nobody = choiceOf({ client: null, user: null });
    expect(sentStep('refresh', startingDocument(), nobody)).toEqual({
      token: { grant: 'refresh_token' },
    });
    expect(sentStep('password', startingDocument(), nobody).token?.fields).toEqual({
      scope: SCOPE,
      audience: ISSUER,
      password: 'any-password',
    });
  });

  it('have their request fields where the scenario has them', () => {
    expect(fieldsPath('code')).toEqual(['authorize', 'parameters']);
    expect(fieldsPath('device')).toEqual(['authorize_device', 'fields']);
    expect(fieldsPath('subject')).toEqual(['issue_tokens']);
  });
});

describe('a token request', () => {
  it('leaves members that were not entered to the runner', () => {
    expect(sentStep('exchange', startingDocument(), choiceOf())).toEqual({
      token: { client: 'app', user: 'ada', grant: 'authorization_code' },
    });
  });

  it('has a DPoP proof when tokens are bound to a key', () => {
    const { token } = sentStep('refresh', startingDocument(), choiceOf({ dpop: true }));
    expect(token?.dpop).toBe(true);
  });

  it('behaviour 7.21: sends any password for a user without a password, and only the typed password for others', () => {
    const document = startingDocument('password');
    const passwordFor = (has_password: boolean, walk = document) =>
      sentStep('password', walk, choiceOf({ user: { sub: 'ada', has_password } as User })).token
        ?.fields?.['password'];
    expect(passwordFor(false)).toBe('any-password');
    expect(passwordFor(true)).toBeUndefined();
    const path = ['token', 'fields', 'password'];
    expect(passwordFor(true, typed(document, 'password', path, 'pw'))).toBe('pw');
    expect(passwordFor(false, typed(document, 'password', path, 'pw'))).toBe('pw');
  });

  it('a member that is cleared is left to the runner again', () => {
    const path = ['token', 'fields', 'client_secret'];
    const wrong = typed(startingDocument(), 'exchange', path, 'wrong');
    expect(sentStep('exchange', wrong, choiceOf()).token?.fields).toEqual({
      client_secret: 'wrong',
    });
    const back = typed(wrong, 'exchange', path, undefined);
    expect(sentStep('exchange', back, choiceOf()).token?.fields).toEqual({});
  });
});

describe('the steps of a client that signs assertions', () => {
  const PUSH = ['authorize', 'push'];
  it.each(['client_secret_jwt', 'private_key_jwt'] as const)(
    'authenticate with %s, and name the key that is missing',
    (token_endpoint_auth_method) => {
      const choice = choiceOf({ client: clientOf({ token_endpoint_auth_method }) });
      const document = typed(startingDocument(), 'code', PUSH, true);
      const methods = (['code', 'exchange', 'refresh', 'device', 'api'] as const).map((id) => {
        const { authorize, token, authorize_device } = sentStep(id, document, choice);
        return (authorize ?? token ?? authorize_device)?.client_auth;
      });
      const method = token_endpoint_auth_method;
      expect(methods).toEqual([method, method, method, method, undefined]);
      const signs = method === 'private_key_jwt';
      expect(signsWithKey('exchange', document, choice)).toBe(signs);
      expect(signsWithKey('api', document, choice)).toBe(false);
    },
  );

  it('sign a request object with a key, unless the client is registered for its secret', () => {
    const signed = typed(startingDocument(), 'code', ['authorize', 'request_object'], {});
    const client = clientOf({ request_object_signing_alg: 'HS256' });
    expect(signsWithKey('code', startingDocument(), choiceOf())).toBe(false);
    expect(signsWithKey('code', signed, choiceOf())).toBe(true);
    expect(signsWithKey('code', signed, choiceOf({ client }))).toBe(false);
    const withKey = clientOf({ request_object_signing_alg: 'ES256' });
    expect(signsWithKey('code', signed, choiceOf({ client: withKey }))).toBe(true);
    expect(signsWithKey('code', { ...signed, way: 'person' }, choiceOf())).toBe(false);
    expect(signsWithKey('code', signed, choiceOf({ client: null }))).toBe(true);
  });

  it('sign an assertion for the user with a key', () => {
    expect(signsWithKey('assertion', startingDocument(), choiceOf())).toBe(true);
    expect(signsWithKey('bearer', startingDocument(), choiceOf())).toBe(false);
  });

  it('authenticate with an assertion at /authorize only where the request is pushed', () => {
    const client = clientOf({ token_endpoint_auth_method: 'private_key_jwt' });
    const { authorize } = sentStep('code', startingDocument(), choiceOf({ client }));
    expect(authorize).toEqual({
      client: 'app',
      user: 'ada',
      parameters: { scope: SCOPE, audience: ISSUER },
    });
  });

  it('keep another way to authenticate that was entered', () => {
    const client = clientOf({ token_endpoint_auth_method: 'private_key_jwt' });
    const path = ['token', 'client_auth'];
    const document = typed(startingDocument(), 'exchange', path, 'client_secret_basic');
    const { token } = sentStep('exchange', document, choiceOf({ client }));
    expect(token?.client_auth).toBe('client_secret_basic');
  });
});

describe('the API call', () => {
  const start = startingDocument();

  const audience = `${ISSUER}/api/orders`;
  const api = { name: 'orders', audience, path: '/api/orders/1', scope: '', plain: true };
  const forOrders = typed(start, 'code', ['authorize', 'parameters', 'audience'], audience);
  const swapped = typed(
    startingDocument(EXCHANGE),
    'swap',
    ['token', 'fields', 'audience'],
    audience,
  );

  it.each([
    ['userinfo for any other token', start, '/userinfo', false],
    ['the protected API that the token is for', forOrders, '/api/orders/1', false],
    ['the API of an exchanged token (RFC 8693 2.1), not its subject’s', swapped, api.path, false],
    ['a typed path', withCalled(forOrders, 'api/orders/2'), '/api/orders/2', true],
    ['a typed path without spaces', withCalled(start, ' /a/b '), '/a/b', true],
    ['that API again', withCalled(withCalled(forOrders, '/b'), undefined), '/api/orders/1', false],
    ['that API again', withCalled(withCalled(forOrders, '/b'), '  '), '/api/orders/1', false],
  ] as const)('goes to %s: %#', (_what, document, path, isTyped) => {
    const choice = choiceOf({ apis: [api] });
    expect(sentStep('api', document, choice).request?.path).toBe(path);
    expect(calledBy(document, choice)).toEqual({ path, typed: isTyped });
  });

  it('presents the newest token, or the typed token, in the header or in a form', () => {
    expect(presentedBy(start.steps.api)).toEqual({ typed: null, in_form: false });
    const inForm = withPresented(start, { typed: 'x', in_form: true });
    expect(sentStep('api', inForm, choiceOf())).toEqual({
      request: { client: 'app', path: '/userinfo', form: { access_token: 'x' } },
    });
    expect(presentedBy(inForm.steps.api)).toEqual({ typed: 'x', in_form: true });
    const newest = withPresented(inForm, { typed: null, in_form: true });
    expect(presentedBy(newest.steps.api)).toEqual({ typed: null, in_form: true });
    const inHeader = withPresented(newest, { typed: 'y', in_form: false });
    expect(presentedBy(inHeader.steps.api)).toEqual({ typed: 'y', in_form: false });
    expect(withPresented(inHeader, { typed: null, in_form: false })).toEqual(start);
  });

  it('presents no token where the user cleared it', () => {
    const none = withMember(start, 'api', ['request', 'headers'], undefined);
    expect(presentedBy(none.steps.api)).toEqual({ typed: '', in_form: false });
    expect(sentStep('api', none, choiceOf(), true)).toEqual({
      request: { client: 'app', path: '/userinfo' },
    });
  });

  it('RFC 9449 7.1: presents a bound token by its token type, with a proof', () => {
    const headersOf = (document: WalkDocument, isBound: boolean) =>
      sentStep('api', document, choiceOf(), isBound).request;
    expect(headersOf(start, true)).toMatchObject({
      dpop: true,
      headers: { Authorization: 'DPoP {{access_token}}' },
    });
    // For a typed token, only its claims show whether it is bound.
    const opaque = withPresented(start, { typed: 'opaque', in_form: false });
    expect(headersOf(opaque, true)).toMatchObject({ headers: { Authorization: 'Bearer opaque' } });
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const jwt = `${part({ alg: 'ES256' })}.${part({ cnf: { jkt: 'aB3' } })}.c2ln`;
    const bound = withPresented(start, { typed: jwt, in_form: false });
    expect(headersOf(bound, false)).toEqual({
      client: 'app',
      path: '/userinfo',
      headers: { Authorization: `DPoP ${jwt}` },
      dpop: true,
    });
    const asBearer = {
      client: 'app',
      path: '/userinfo',
      headers: { Authorization: 'Bearer {{access_token}}' },
    };
    expect(headersOf(start, false)).toEqual(asBearer);
    expect(sentStep('api', start, choiceOf()).request).toEqual(asBearer);
    const inForm = withPresented(start, { typed: null, in_form: true });
    expect(headersOf(inForm, true)).toEqual({
      client: 'app',
      path: '/userinfo',
      form: { access_token: '{{access_token}}' },
    });
  });
});

describe('a change of the grant or client', () => {
  it('keeps the user and a scope that was entered', () => {
    const path = ['authorize', 'parameters', 'scope'];
    const edited = typed({ ...startingDocument(), sub: 'ada' }, 'code', path, 'openid');
    const device = withGrant(edited, DEVICE);
    expect(device.sub).toBe('ada');
    expect(device.steps.device).toEqual({ authorize_device: { fields: { scope: 'openid' } } });
    expect(device.steps.code).toEqual(startingDocument().steps.code);
    const back = withGrant({ ...device, dpop: true, client_id: 'tv' }, 'authorization_code');
    expect(back).toEqual({ ...edited, dpop: true });
  });

  it('keeps that the scope was cleared, so that none is requested', () => {
    const path = ['authorize', 'parameters', 'scope'];
    const cleared = typed(startingDocument(), 'code', path, undefined);
    expect(withGrant(cleared, EXCHANGE).steps.subject).toEqual({
      issue_tokens: {},
      save: { subject_token: 'body.access_token' },
    });
  });

  it('uses the default scope of the grant when the scope was not edited', () => {
    const { steps } = withGrant(startingDocument(), 'client_credentials');
    expect(steps.client_credentials).toEqual(startingDocument().steps.client_credentials);
  });

  it('keeps how the code is requested, but not typed members, when the client changes', () => {
    let document = typed(startingDocument(), 'code', ['authorize', 'pkce'], 'S256');
    document = typed(document, 'exchange', ['token', 'fields', 'code'], 'of the former client');
    const now = withClient({ ...document, way: 'control' }, 'other');
    expect(now).toMatchObject({ client_id: 'other', way: 'control' });
    expect(now.steps.code.authorize?.pkce).toBe('S256');
    expect(now.steps.exchange).toEqual(startingDocument().steps.exchange);
  });

  it('keeps the grant, the user, DPoP, and that the request is pushed and signed, when the client changes', () => {
    let document = typed(startingDocument(), 'code', ['authorize', 'push'], true);
    document = typed(document, 'code', ['authorize', 'request_object'], {});
    const kept = { sub: 'ada', way: 'person', dpop: true } as const;
    expect(withClient({ ...document, ...kept }, 'other')).toEqual({
      ...document,
      ...kept,
      client_id: 'other',
    });
    expect(withClient(startingDocument(DEVICE), 'tv')).toEqual({
      ...startingDocument(DEVICE),
      client_id: 'tv',
    });
  });
});

describe('what a step needs', () => {
  const enteredCode = (code: string) =>
    typed(startingDocument(), 'exchange', ['token', 'fields', 'code'], code);
  const presenting = withPresented(startingDocument(), { typed: 'x', in_form: false });

  it.each([
    ['nothing, for a step that sends no credential', 'client', startingDocument(), null],
    ['the nearest earlier step', 'exchange', startingDocument(), ['code', 'code']],
    ['the nearest earlier step', 'api', startingDocument(), ['access_token', 'exchange']],
    ['the nearest earlier step', 'poll', startingDocument(DEVICE), ['device_code', 'device']],
    ['the nearest earlier step', 'swap', startingDocument(EXCHANGE), ['subject_token', 'subject']],
    ['the nearest earlier step', 'refresh', startingDocument(EXCHANGE), ['refresh_token', 'swap']],
    ['nothing, in a walk without such a step', 'exchange', startingDocument(DEVICE), null],
    ['nothing, where it was typed', 'exchange', enteredCode('typed'), null],
    ['nothing, where a token was typed', 'api', presenting, null],
    ['its step, for a typed variable', 'exchange', enteredCode('{{code}}'), ['code', 'code']],
  ] as const)('comes from %s: %s', (_what, id, document, need) => {
    const [credential, step] = need ?? [];
    expect(neededFrom(id, document)).toEqual(need === null ? null : { credential, step });
  });

  it('is needed again once the step that provides it has run, not after another one', () => {
    const document = enteredCode('typed');
    expect(neededFrom('exchange', withoutTyped(document, 'code'))).not.toBeNull();
    expect(withoutTyped(document, 'device').steps.exchange).toEqual(document.steps.exchange);
  });

  it.each([
    ['device', 'poll', ['token', 'fields', 'device_code']],
    ['subject', 'swap', ['token', 'fields', 'subject_token']],
    ['assertion', 'bearer', ['token', 'fields', 'assertion']],
  ] as const)('the credential of %s replaces one that was typed for %s', (id, later, path) => {
    const document = typed(startingDocument(), later, path, 'typed');
    const without = withoutTyped(document, id);
    expect(neededFrom(later, document)).toBeNull();
    expect(without.steps[later].token?.fields ?? {}).toEqual(
      startingDocument().steps[later].token?.fields ?? {},
    );
  });

  it('new tokens replace none that was typed: the steps that send tokens keep them', () => {
    const path = ['token', 'fields', 'refresh_token'];
    const document = withPresented(typed(startingDocument(), 'refresh', path, 'r'), {
      typed: 'x',
      in_form: false,
    });
    expect(withoutTyped(document, 'exchange')).toEqual(document);
    expect(withoutTyped(document, 'api')).toEqual(document);
    expect(neededFrom('refresh', document)).toBeNull();
  });
});

describe('a client', () => {
  it('behaviour 1.7: may not use grants that require a secret when it has none', () => {
    const open = clientOf({ client_secret: null, grant_types: [EXCHANGE, 'password'] });
    expect(couldUse(EXCHANGE)(open)).toBe(false);
    expect(mayUse(EXCHANGE)(open)).toBe(false);
    expect(mayUse('password')(open)).toBe(true);
    expect(mayUse('refresh_token')(open)).toBe(false);
    expect(couldUse(EXCHANGE)(clientOf())).toBe(true);
    expect(mayUse(EXCHANGE)(clientOf({ grant_types: [EXCHANGE] }))).toBe(true);
  });

  it('has no refresh step when it may not refresh; an unknown client rules out no step', () => {
    expect(isPossible('refresh', { client: clientOf() })).toBe(false);
    expect(isPossible('api', { client: clientOf() })).toBe(true);
    const refreshing = clientOf({ grant_types: ['refresh_token'] });
    expect(isPossible('refresh', { client: refreshing })).toBe(true);
    expect(isPossible('refresh', { client: null })).toBe(true);
  });
});

describe('the client and user of a walk', () => {
  const OTHERS = [
    clientOf({ client_id: 'newest', grant_types: ['authorization_code', 'password'] }),
    clientOf({ client_id: 'oldest', grant_types: ['password'], redirect_uris: ['http://x/cb'] }),
  ] as const;
  const known = (settings: object | null = null) =>
    ({
      clients: [...OTHERS],
      apis: [],
      users: [{ sub: 'bob' }, { sub: 'ada' }],
      settings,
      server: { issuer: ISSUER },
    }) as unknown as Parameters<typeof choose>[0];

  it('are the selected ones, else the oldest client that may use the grant and the oldest user', () => {
    const password = startingDocument('password');
    expect(choose(known(), password)).toMatchObject({
      client: { client_id: 'oldest' },
      user: { sub: 'ada' },
    });
    const picked = { ...password, client_id: 'newest', sub: 'bob' };
    expect(choose(known(), picked)).toMatchObject({
      client: { client_id: 'newest' },
      user: { sub: 'bob' },
    });
    expect(choose(known(), startingDocument(DEVICE)).client).toBeNull();
    expect(choose(known(), { ...password, client_id: 'gone' }).client?.client_id).toBe('oldest');
    expect(
      choose({ ...known(), clients: [] }, { ...password, client_id: 'gone' }).client,
    ).toBeNull();
  });

  it('RFC 6749 3.1.2: are the oldest client with the grant and a redirect URI, to which a code can be sent', () => {
    const none = clientOf({ client_id: 'without redirect URI', redirect_uris: [] });
    const clients = [...OTHERS, none];
    const { client } = choose({ ...known(), clients }, startingDocument());
    expect(client?.client_id).toBe('newest');
  });

  it('use the profile of the client, else that of the settings, else that of the start', () => {
    const document = startingDocument('password');
    expect(choose(known(), document)).toMatchObject({
      issuer: ISSUER,
      profile: 'documented',
      dpop: false,
    });
    const settings = { profile: 'strict' };
    expect(choose(known(settings), document)).toMatchObject(settings);
    const own = clientOf({ profile: 'interop', dpop_bound_access_tokens: true });
    const only = { ...known(settings), clients: [{ ...own, grant_types: ['password'] }] };
    expect(choose(only as typeof only & Parameters<typeof choose>[0], document)).toMatchObject({
      profile: 'interop',
      dpop: true,
    });
    expect(choose({ ...known(), server: null }, { ...document, dpop: true })).toMatchObject({
      issuer: '',
      dpop: true,
    });
  });
});
