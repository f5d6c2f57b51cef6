// What a card of the Flow view sends: the scenario step of its walk, as a person has edited it.

import { describe, expect, it } from 'vitest';
import type { Client, User } from '../../src/control/schemas.ts';
import {
  audienceOf,
  choose,
  couldUse,
  isPossible,
  mayUse,
  neededFrom,
  presentedBy,
  sentStep,
  startingDocument,
  withClient,
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
  dialect: 'rfc6749',
  authorize: 'consent',
  dpop: false,
  ...members,
});

const typed = (document: WalkDocument, id: WalkStepId, path: readonly string[], value: unknown) =>
  withMember(document, id, path, value);

describe('the code step', () => {
  const start = startingDocument();

  it('is the authorization request with scope and audience, for whoever is picked', () => {
    expect(sentStep('code', start, choiceOf())).toEqual({
      authorize: {
        client: 'app',
        user: 'ada',
        parameters: { scope: SCOPE, audience: ISSUER },
      },
    });
  });

  it('names the default audience of the client, another one that was chosen, or none', () => {
    const choice = choiceOf({ client: clientOf({ default_audience: 'https://api.example' }) });
    expect(audienceOf('code', start, choice)).toBe('https://api.example');
    const path = ['authorize', 'parameters', 'audience'];
    expect(audienceOf('code', typed(start, 'code', path, ISSUER), choice)).toBe(ISSUER);
    expect(audienceOf('code', typed(start, 'code', path, null), choice)).toBeNull();
  });

  it('RFC 9700 2.1.1: has a challenge where one is wanted, and always for a public client', () => {
    const pkce = (document: WalkDocument, choice: Choice) =>
      sentStep('code', document, choice).authorize?.pkce;
    expect(pkce(start, choiceOf())).toBeUndefined();
    expect(pkce(typed(start, 'code', ['authorize', 'pkce'], 'S256'), choiceOf())).toBe('S256');
    expect(pkce(start, choiceOf({ client: clientOf({ client_secret: null }) }))).toBe('S256');
  });

  it('is pushed and bound to a key where that is wanted', () => {
    const pushed = typed(start, 'code', ['authorize', 'push'], true);
    expect(sentStep('code', pushed, choiceOf({ dpop: true })).authorize).toMatchObject({
      push: true,
      dpop: true,
    });
  });

  it('issued directly, is a step over control with the same members', () => {
    const path = ['authorize', 'parameters', 'redirect_uri'];
    const document = {
      ...typed(start, 'code', path, 'http://localhost/cb'),
      way: 'control',
    } as const;
    expect(sentStep('code', document, choiceOf())).toEqual({
      issue_code: {
        ...{ client: 'app', user: 'ada', redirect_uri: 'http://localhost/cb' },
        ...{ scope: SCOPE, audience: ISSUER },
      },
    });
    const bare = typed({ ...startingDocument(), way: 'control' }, 'code', ['authorize'], {
      parameters: { audience: null },
      pkce: 'S256',
    });
    expect(sentStep('code', bare, choiceOf())).toEqual({
      issue_code: { client: 'app', user: 'ada', audience: null, pkce: 'S256' },
    });
  });
});

describe('a token request', () => {
  it('leaves to the runner what nobody entered', () => {
    expect(sentStep('exchange', startingDocument(), choiceOf())).toEqual({
      token: { client: 'app', user: 'ada', grant: 'authorization_code' },
    });
  });

  it('has a proof where token requests prove a key', () => {
    const { token } = sentStep('refresh', startingDocument(), choiceOf({ dpop: true }));
    expect(token?.dpop).toBe(true);
  });

  it('behaviour 7.21: sends any password for a user who has none, and only what was typed for another', () => {
    const document = startingDocument('password');
    const passwordFor = (has_password: boolean, walk = document) =>
      sentStep('password', walk, choiceOf({ user: { sub: 'ada', has_password } as User })).token
        ?.fields?.['password'];
    expect(passwordFor(false)).toBe('any-password');
    expect(passwordFor(true)).toBeUndefined();
    const path = ['token', 'fields', 'password'];
    expect(passwordFor(true, typed(document, 'password', path, 'pw'))).toBe('pw');
  });

  it('a member that is taken back is left to the runner again', () => {
    const path = ['token', 'fields', 'client_secret'];
    const wrong = typed(startingDocument(), 'exchange', path, 'wrong');
    expect(sentStep('exchange', wrong, choiceOf()).token?.fields).toEqual({
      client_secret: 'wrong',
    });
    const back = typed(wrong, 'exchange', path, undefined);
    expect(sentStep('exchange', back, choiceOf()).token?.fields).toEqual({});
  });
});

describe('the call of the API', () => {
  const start = startingDocument();

  it('presents the newest token, or the one that was typed, in the header or in a form', () => {
    expect(presentedBy(start.steps.api)).toEqual({ typed: null, in_form: false });
    const inForm = withPresented(start, { typed: 'x', in_form: true });
    expect(sentStep('api', inForm, choiceOf())).toEqual({
      request: { client: 'app', path: '/userinfo', form: { access_token: 'x' } },
    });
    expect(presentedBy(inForm.steps.api)).toEqual({ typed: 'x', in_form: true });
  });

  it('RFC 9449 7.1: presents a bound token as what it was issued, with a proof', () => {
    const headersOf = (document: WalkDocument, isBound: boolean) =>
      sentStep('api', document, choiceOf(), isBound).request;
    expect(headersOf(start, true)).toMatchObject({
      dpop: true,
      headers: { Authorization: 'DPoP {{access_token}}' },
    });
    // Of a token that was typed, only its claims can say so.
    const opaque = withPresented(start, { typed: 'opaque', in_form: false });
    expect(headersOf(opaque, true)).toMatchObject({ headers: { Authorization: 'Bearer opaque' } });
  });
});

describe('another grant or client', () => {
  it('keeps the user and a scope that was entered', () => {
    const path = ['authorize', 'parameters', 'scope'];
    const edited = typed({ ...startingDocument(), sub: 'ada' }, 'code', path, 'openid');
    const device = withGrant(edited, DEVICE);
    expect(device.sub).toBe('ada');
    expect(device.steps.device).toEqual({ authorize_device: { fields: { scope: 'openid' } } });
  });

  it('begins with what the grant begins with where the scope was not touched', () => {
    const { steps } = withGrant(startingDocument(), 'client_credentials');
    expect(steps.client_credentials).toEqual(startingDocument().steps.client_credentials);
  });

  it('of a client, keeps how the code is asked for, and nothing that was typed', () => {
    let document = typed(startingDocument(), 'code', ['authorize', 'pkce'], 'S256');
    document = typed(document, 'exchange', ['token', 'fields', 'code'], 'of the former client');
    const now = withClient({ ...document, way: 'control' }, 'other');
    expect(now).toMatchObject({ client_id: 'other', way: 'control' });
    expect(now.steps.code.authorize?.pkce).toBe('S256');
    expect(now.steps.exchange).toEqual(startingDocument().steps.exchange);
  });
});

describe('what a step needs', () => {
  it('is the credential that the nearest earlier step of the walk provides', () => {
    const at = (id: WalkStepId, document = startingDocument()) => neededFrom(id, document);
    expect(at('client')).toBeNull();
    expect(at('exchange')).toEqual({ credential: 'code', step: 'code' });
    expect(at('api')).toEqual({ credential: 'access_token', step: 'exchange' });
    expect(at('poll', startingDocument(DEVICE))).toEqual({
      credential: 'device_code',
      step: 'device',
    });
  });

  it('is nothing where it was typed, until the step that provides it has run', () => {
    const path = ['token', 'fields', 'code'];
    const document = typed(startingDocument(), 'exchange', path, 'typed');
    expect(neededFrom('exchange', document)).toBeNull();
    expect(neededFrom('exchange', withoutTyped(document, 'code'))).not.toBeNull();
    expect(withoutTyped(document, 'device').steps.exchange).toEqual(document.steps.exchange);
    const presented = withPresented(startingDocument(), { typed: 'x', in_form: false });
    expect(neededFrom('api', presented)).toBeNull();
  });
});

describe('a client', () => {
  const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

  it('behaviour 1.7: without a secret may not use the grants that need one', () => {
    const open = clientOf({ client_secret: null, grant_types: [EXCHANGE, 'password'] });
    expect(couldUse(EXCHANGE)(open)).toBe(false);
    expect(mayUse(EXCHANGE)(open)).toBe(false);
    expect(mayUse('password')(open)).toBe(true);
    expect(mayUse('refresh_token')(open)).toBe(false);
  });

  it('that may not refresh has nothing to refresh; while none is known, nothing is ruled out', () => {
    expect(isPossible('refresh', { client: clientOf() })).toBe(false);
    expect(isPossible('api', { client: clientOf() })).toBe(true);
    expect(isPossible('refresh', { client: null })).toBe(true);
  });
});

describe('whom a walk is for', () => {
  const OTHERS = [
    clientOf({ client_id: 'newest', grant_types: ['authorization_code', 'password'] }),
    clientOf({ client_id: 'oldest', grant_types: ['password'], redirect_uris: ['http://x/cb'] }),
  ] as const;
  const known = (settings: object | null = null) =>
    ({
      clients: [...OTHERS],
      users: [{ sub: 'bob' }, { sub: 'ada' }],
      settings,
      server: { issuer: ISSUER },
    }) as unknown as Parameters<typeof choose>[0];

  it('is who was picked, else the oldest client that may use the grant and the oldest user', () => {
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
  });

  it('has the rules of the client, else those of the settings, else those of the start', () => {
    const document = startingDocument('password');
    expect(choose(known(), document)).toMatchObject({
      ...{ issuer: ISSUER, profile: 'documented', dialect: 'rfc6749', authorize: 'consent' },
      dpop: false,
    });
    const settings = { profile: 'strict', dialect: 'auth0', authorize: 'auto' };
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
