// One deliberate mistake: what prevents it, which response it expects, and what is sent. Without a sandbox.

import { describe, expect, it } from 'vitest';
import type { Client, Refusal } from '../../src/control/schemas.ts';
import {
  API_PATH,
  expectedAnswer,
  merged,
  type Mistake,
  type Place,
} from '../../src/scenario/mistakes/mistake.ts';
import { makeMistake, obstacleTo, stepsOf } from '../../src/scenario/mistakes/run-mistakes.ts';
import type { Need, Requester } from '../../src/scenario/mistakes/needs.ts';
import { createRun } from '../../src/scenario/runner/create-run.ts';
import { admin, client } from '../support/core.ts';
import { exchangeOf } from '../support/exchanges.ts';
import { type Recorded, recordedSandbox } from '../support/recorded-sandbox.ts';

const PLACE: Place = {
  id: 'exchange',
  title: 'Exchange',
  grants: ['authorization_code'],
  prepare: [],
  step: { token: { grant: 'authorization_code' } },
  groups: [],
};

const mistake = (members: Partial<Mistake> = {}): Mistake => ({
  id: 'it',
  title: 'It',
  sends: 'it',
  section: '1',
  expects: 'code_unknown',
  ...members,
});

const SETTINGS = {
  authorize: 'consent',
  access_token_format: 'jwt',
  registration: { mode: 'open' },
} as unknown as Requester['settings'];

const requester = (members: Partial<Requester> = {}): Requester => ({
  client: client(),
  user: { sub: 'ada', has_password: true },
  proves: false,
  pushes: false,
  other_client: admin(),
  signing_client: null,
  other_audience: 'https://other.example',
  profile: 'interop',
  settings: SETTINGS,
  former_token: 'former',
  api: {
    name: 'Orders',
    path: '/api/orders',
    audience: 'https://orders.example',
    scope: 'read',
    plain: true,
  },
  ...members,
});

const jwks = { keys: [{ kty: 'OKP' as const, crv: 'Ed25519' as const, x: 'x', kid: 'k' }] };
const signing = (method: 'private_key_jwt' | 'client_secret_jwt', secret: string | null): Client =>
  client({
    client_id: 'signs',
    client_secret: secret,
    token_endpoint_auth_method: method,
    ...(secret === null && { jwks }),
  });

const PUBLIC = client({ client_secret: null, token_endpoint_auth_method: 'none' });
const WITH_KEY = signing('private_key_jwt', null);
const WITH_SECRET = signing('client_secret_jwt', 's'.repeat(32));
const NO_PAGE = { settings: { ...SETTINGS, authorize: 'auto' } } as const;
const DENYING = { settings: { ...SETTINGS, authorize: 'deny' } } as const;

describe('what prevents a mistake', () => {
  it.each<[Need, Partial<Requester>, string | null]>([
    ['other_client', {}, null],
    ['other_client', { other_client: null }, 'Needs a second client that may use the grant.'],
    ['secret', {}, null],
    ['secret', { client: PUBLIC }, 'This client has no secret.'],
    [
      'secret',
      { client: WITH_SECRET },
      'This client signs an assertion instead of sending its secret.',
    ],
    ['secret', { client: WITH_SECRET, profile: 'documented' }, null],
    ['client_id', {}, null],
    ['client_id', { client: WITH_KEY }, 'The assertion of this client also names the client.'],
    ['client_id', { client: WITH_KEY, profile: 'documented' }, null],
    ['client_assertion', { signing_client: WITH_KEY }, null],
    ['client_assertion', { signing_client: WITH_SECRET }, null],
    [
      'client_assertion',
      {},
      'Needs a client that is registered for private_key_jwt or client_secret_jwt.',
    ],
    [
      'client_assertion',
      { signing_client: WITH_KEY, profile: 'strict' },
      'Only the interop profile accepts client assertions.',
    ],
    ['client_assertion_key', { signing_client: WITH_KEY }, null],
    [
      'client_assertion_key',
      { signing_client: WITH_SECRET },
      'Needs a client that is registered for private_key_jwt.',
    ],
    ['client_assertion_secret', { signing_client: WITH_SECRET }, null],
    [
      'client_assertion_secret',
      { signing_client: WITH_KEY },
      'Needs a client that is registered for client_secret_jwt.',
    ],
    ['client_assertion_only', { signing_client: null }, null],
    ['client_assertion_only', { signing_client: WITH_KEY }, null],
    [
      'client_assertion_only',
      { signing_client: WITH_SECRET },
      'This client may send its secret instead.',
    ],
    ['registration', {}, null],
    [
      'registration',
      { settings: { ...SETTINGS, registration: { mode: 'token', token: 't' } } },
      'Needs open registration; the setting registration is token.',
    ],
    ['sign_in_page', {}, null],
    ['sign_in_page', NO_PAGE, 'Needs the sign-in page; the setting authorize is auto.'],
    ['approval', NO_PAGE, null],
    ['approval', DENYING, 'Needs an approval of the user; the setting authorize is deny.'],
    ['user_password', {}, null],
    [
      'user_password',
      { user: { sub: 'ada', has_password: false } },
      'This user has no password, so any password is accepted.',
    ],
    ['user_password', { user: null }, 'This user has no password, so any password is accepted.'],
    ['jwt_access_token', {}, null],
    [
      'jwt_access_token',
      { settings: { ...SETTINGS, access_token_format: 'opaque' } },
      'Needs a JWT; the access tokens of this client are opaque.',
    ],
    [
      'jwt_access_token',
      {
        client: client({ access_token_format: 'rfc9068' }),
        settings: { ...SETTINGS, access_token_format: 'opaque' },
      },
      null,
    ],
    ['direct_request', {}, null],
    ['direct_request', { pushes: true }, 'Needs an authorization request that is not pushed.'],
    ['refresh_token', { client: client({ grant_types: ['refresh_token'] }) }, null],
    [
      'refresh_token',
      { client: client({ grant_types: ['authorization_code'] }) },
      'This client may not use the grant refresh_token, so it has no refresh token.',
    ],
    ['id_token_response', { client: client({ grant_types: ['implicit'] }) }, null],
    ['id_token_response', {}, 'Needs a client with the grant implicit, in the interop profile.'],
    [
      'id_token_response',
      { client: client({ grant_types: ['implicit'] }), profile: 'strict' },
      'Needs a client with the grant implicit, in the interop profile.',
    ],
    ['request_object_key', {}, null],
    ['request_object_key', { client: client({ request_object_signing_alg: 'ES256' }) }, null],
    [
      'request_object_key',
      { client: client({ request_object_signing_alg: 'RS256' }) },
      'Needs a client whose keys are registered here and whose request objects are signed with ES256.',
    ],
    [
      'request_object_key',
      { client: client({ jwks_uri: 'http://localhost/jwks' }) },
      'Needs a client whose keys are registered here and whose request objects are signed with ES256.',
    ],
    ['required_proof', { proves: true }, null],
    ['required_proof', {}, 'Needs a client that must bind its tokens, in the interop profile.'],
    ['optional_proof', {}, null],
    [
      'optional_proof',
      { proves: true },
      'This client must always send a proof, even if its code is not bound to a key.',
    ],
    ['bound_refresh_token', { client: PUBLIC }, null],
    ...[{}, { client: WITH_KEY }, { client: PUBLIC, profile: 'strict' as const }].map(
      (members): [Need, Partial<Requester>, string] => [
        'bound_refresh_token',
        members,
        'Only the refresh token of a public client is bound to a key, in the interop profile.',
      ],
    ),
    ['former_token', {}, null],
    [
      'former_token',
      { former_token: null },
      'Needs an access token from before a reset of the sandbox.',
    ],
    ['protected_api', {}, null],
    [
      'protected_api',
      { api: null },
      'Needs a protected API whose first rule for GET requires only a scope.',
    ],
    ['interop', {}, null],
    ['interop', { profile: 'documented' }, 'Only the interop profile binds tokens to a key.'],
  ])('that needs %s, of %j: %j', (need, members, reason) => {
    expect(obstacleTo(PLACE, mistake({ needs: [need] }), requester(members))).toBe(reason);
  });

  it('is the first unmet need', () => {
    const needs = ['other_client', 'secret', 'sign_in_page'] as const;
    const unmet = requester({ ...NO_PAGE, client: PUBLIC });
    expect(obstacleTo(PLACE, mistake({ needs }), unmet)).toBe('This client has no secret.');
  });

  it('is a user who denies, if the request must be approved to be accepted', () => {
    const denying = requester(DENYING);
    const reason = 'Needs an approval of the user; the setting authorize is deny.';
    const accepted = mistake({ expects: { strict: 'code_unknown', otherwise: 'accepted' } });
    const authorizing = { ...PLACE, step: { authorize: {} } };
    expect(obstacleTo(authorizing, accepted, denying)).toBe(reason);
    expect(obstacleTo({ ...PLACE, prepare: [{ approve_device: {} }] }, accepted, denying)).toBe(
      reason,
    );
    const before = [{ authorize: {} }];
    expect(obstacleTo(PLACE, { ...accepted, before }, denying)).toBe(reason);
    expect(obstacleTo(PLACE, accepted, denying)).toBeNull();
    expect(obstacleTo(authorizing, accepted, { ...denying, profile: 'strict' })).toBeNull();
    expect(obstacleTo(authorizing, mistake(), denying)).toBeNull();
  });
});

describe('the expected response', () => {
  const at = (endpoint: string | null, grants: readonly string[] | null, error: string | null) => ({
    endpoint,
    grants,
    now: { status: error === null ? 405 : 400, error },
  });
  const refusals = (...places: ReturnType<typeof at>[]) =>
    [
      { id: 'other', places: [at(null, null, 'other')] },
      { id: 'code_unknown', places },
    ] as unknown as Refusal[];
  const answer = (
    places: readonly Refusal[],
    made: Mistake = mistake(),
    place: Place = PLACE,
    profile: Requester['profile'] = 'documented',
  ) => expectedAnswer(place, made, profile, places);

  it('has the status and the error of the refusal at the place', () => {
    expect(answer(refusals(at('token', ['authorization_code'], 'invalid_grant')))).toBe(
      '400 invalid_grant',
    );
    expect(answer(refusals(at(null, null, null)))).toBe('405');
    const several = refusals(at('authorize', null, 'a'), at('token', ['password'], 'b'));
    expect(answer(several)).toBeNull();
    expect(answer([])).toBeNull();
  });

  it('is that of the profile', () => {
    const made = mistake({ expects: { strict: 'code_unknown', otherwise: 'accepted' } });
    const known = refusals(at('token', null, 'invalid_grant'));
    expect(answer(known, made)).toBe('accepted');
    expect(answer(known, made, PLACE, 'strict')).toBe('400 invalid_grant');
  });

  it.each<[string, Partial<Mistake>, Partial<Place>]>([
    ['token', { change: { grant: 'password' } }, {}],
    ['authorize', {}, { step: { authorize: {} } }],
    ['par', { change: { push: true } }, { step: { authorize: {} } }],
    ['device_authorization', {}, { step: { authorize_device: {} } }],
    ['userinfo', {}, { step: { request: { path: '/userinfo?a=/b' } } }],
    ['register', { instead: { request: { path: '/register/app' } } }, {}],
    ['register', { instead: { request: { path: '/register' } } }, {}],
    ['api', { instead: { request: { path: `${API_PATH}/orders` } } }, {}],
  ])('is that of the endpoint %s', (endpoint, members, place) => {
    const known = refusals(at(endpoint, null, 'right'), at(null, null, 'wrong'));
    expect(answer(known, mistake(members), { ...PLACE, ...place })).toBe('400 right');
  });

  it('is that of the grant', () => {
    const known = refusals(at('token', ['password'], 'right'), at('token', null, 'wrong'));
    expect(answer(known, mistake({ change: { grant: 'password' } }))).toBe('400 right');
    expect(answer(known)).toBe('400 wrong');
  });
});

describe('the change of a mistake', () => {
  it('is merged into objects, and replaces everything else', () => {
    const step = { fields: { a: 1, b: [1] }, query: 'x' };
    expect(merged(step, { fields: { b: [2], c: null }, query: { y: 1 } })).toEqual({
      fields: { a: 1, b: [2], c: null },
      query: { y: 1 },
    });
    expect(merged([1], { a: 1 })).toEqual({ a: 1 });
    expect(merged({ a: 1 }, 'text')).toBe('text');
  });

  it('omits members that are null, and adds the proof of a client that must send one', () => {
    const proving = requester({ proves: true });
    const main = (change: Mistake['change']) =>
      stepsOf(PLACE, mistake({ ...(change && { change }) }), proving).main.token;
    const usual = { client: 'demo-app', user: 'ada', grant: 'authorization_code' };
    expect(main(undefined)).toEqual({ ...usual, dpop: true });
    expect(main({ dpop: { key: 'other' } })).toEqual({ ...usual, dpop: { key: 'other' } });
    expect(main({ dpop: null })).toEqual(usual);
    expect(main({ client: null, user: 'eve' })).toEqual({ ...usual, user: 'eve', dpop: true });
  });

  it('leaves out the approval of a device that the setting authorize decides', () => {
    const place = { ...PLACE, prepare: [{ authorize_device: {} }, { approve_device: {} }] };
    const named = { authorize_device: { client: 'demo-app' } };
    expect(stepsOf(place, mistake(), requester()).before).toEqual([
      named,
      { approve_device: { user: 'ada' } },
    ]);
    expect(stepsOf(place, mistake(), requester(NO_PAGE)).before).toEqual([named]);
  });

  it('signs for a client that authenticates with assertions, where it authenticates', () => {
    const signs = requester({ client: WITH_KEY, signing_client: null });
    const methodIn = (step: Place['step'], more: Partial<Requester> = {}) => {
      const { main } = stepsOf({ ...PLACE, step }, mistake(), { ...signs, ...more });
      return (main.token ?? main.authorize ?? main.authorize_device)?.client_auth;
    };
    const token = { grant: 'authorization_code' };
    expect(methodIn({ token })).toBe('private_key_jwt');
    expect(methodIn({ token: { ...token, client_auth: 'none' } })).toBe('none');
    expect(methodIn({ token: { ...token, client: 'unknown' } })).toBeUndefined();
    expect(methodIn({ token }, { profile: 'documented' })).toBeUndefined();
    expect(methodIn({ authorize_device: {} })).toBe('private_key_jwt');
    expect(methodIn({ authorize: {} })).toBeUndefined();
    expect(methodIn({ authorize: { push: true } })).toBe('private_key_jwt');
  });
});

describe('a mistake that is made', () => {
  const GET = { request: { path: '/userinfo' } };

  async function made(recorded: Recorded, members: Partial<Mistake> = {}, place = {}) {
    const { sandbox, sent, calls } = recordedSandbox(recorded);
    const run = createRun(sandbox);
    const at = { ...PLACE, step: GET, ...place };
    const result = await makeMistake(at, mistake(members), requester(), run);
    return { result, sent, calls };
  }

  const responding = (status: number, reason: string | null, notes: readonly string[] = []) => {
    const exchange = exchangeOf({
      number: 3,
      status,
      error: reason === null ? null : 'invalid_grant',
      why: (reason === null ? null : { reason }) as never,
      deviation_notes: notes.map((id) => ({ id })) as never,
    });
    return { responses: [{ status, text: '', exchange }] };
  };

  it('passes if the response has the expected cause', async () => {
    const { result } = await made(responding(400, 'code_unknown'));
    expect(result).toEqual({
      id: 'it',
      step: 'exchange',
      title: 'It',
      section: '1',
      expected: 'code_unknown',
      actual: { status: 400, error: 'invalid_grant', reason: 'code_unknown', exchange: 3 },
      passed: true,
      skipped: null,
    });
    expect((await made(responding(400, 'code_expired'))).result.passed).toBe(false);
    expect((await made(responding(200, null))).result.passed).toBe(false);
  });

  it.each([
    [200, null, true],
    [302, null, true],
    [199, null, false],
    [400, null, false],
    [200, 'code_unknown', false],
  ])('that must be accepted, and gets %j with the cause %j, passes: %j', async (...row) => {
    const [status, reason, passed] = row;
    const { result } = await made(responding(status, reason), { expects: 'accepted' });
    expect(result.passed).toBe(passed);
  });

  it.each(['credentials_twice', 'basic_client_id_alone', 'access_token_in_query'])(
    'that the imitated provider accepts, by its note %s, must be accepted',
    async (note) => {
      const { result } = await made(responding(200, null, ['other', note]));
      expect(result).toMatchObject({ expected: 'accepted', passed: true });
    },
  );

  it('saves what the steps before it save, and cleans up afterwards', async () => {
    const before = [{ ...GET, save: { saved: 'body.a' } }];
    const { sent } = await made(
      { responses: [{ text: '{"a":"/saved"}' }] },
      { before, change: { path: '{{saved}}' } },
      { after: { request: { path: '/after' } } },
    );
    expect(sent.map(({ path }) => path)).toEqual([
      '/tenant/userinfo',
      '/tenant/saved',
      '/tenant/after',
    ]);
  });

  it.each([
    [{ cut: 1 }, { body: '{"a":1' }],
    [{ around_body: ['[', ']'] as const }, { body: '[{"a":1}]' }],
    [{ without_body: true as const }, { body: '' }],
    [{ method: 'PUT' }, { method: 'PUT', body: '{"a":1}' }],
    [{ fields_in_query: 'as_well' as const }, { path: '/tenant/x?{"a":1}', body: '{"a":1}' }],
    [
      { fields_in_query: 'instead' as const, method: 'GET' },
      { method: 'GET', path: '/tenant/x?{"a":1}', headers: [['X-A', '1']] },
    ],
  ])('with the change %j of its request sends %j', async (request, expected) => {
    const step = { request: { path: '/x', json: { a: 1 }, headers: { 'x-a': '1' } } };
    const { sent } = await made({}, { request }, { step });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject(expected);
    expect(sent[0]?.body).toBe('body' in expected ? expected.body : undefined);
  });

  it('cannot change the request of a step that sends none or several', async () => {
    const change = { request: { method: 'PUT' } };
    await expect(made({}, change, { step: { clock: {} } })).rejects.toThrow(
      'The request of this step cannot be changed.',
    );
  });

  it('without a response is skipped', async () => {
    const { result } = await made({}, {}, { step: { clock: {} } });
    expect(result).toMatchObject({ passed: false, skipped: 'The step has no response.' });
  });
});
