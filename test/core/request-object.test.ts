// Request objects (RFC 9101, OpenID Connect Core 6): who may sign them, what they must say, and what counts beside them.

import { SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeDeviation } from '../../src/core/checks/deviations.ts';
import type { RefusalReason } from '../../src/core/checks/refusals/index.ts';
import type { FetchedDocument } from '../../src/core/model/ports.ts';
import type { DpopHeader } from '../../src/core/model/request.ts';
import type { AuthorizationRequest } from '../../src/core/authorization/request-parameters.ts';
import { PARAMETER_LIMITS } from '../../src/core/records/bounds.ts';
import type { Client } from '../../src/core/records/schemas.ts';
import { type ClientKey, clientKey, signAssertion } from '../support/assertion.ts';
import {
  answerOf,
  createAuthorizationBench,
  expectPage,
  expectRedirect,
  questionOf,
} from '../support/authorization.ts';
import {
  client,
  expectRefusal,
  ISSUER,
  ORDERS,
  REDIRECT_URI,
  type RequestParameters,
  START,
  type TestServiceOptions,
} from '../support/core.ts';
import { dpopHeader, proof, proofKey } from '../support/dpop.ts';

const SECRET = 's'.repeat(64);
const NOW = START / 1000;

let key: ClientKey;
let other: ClientKey;
beforeAll(async () => {
  [key, other] = await Promise.all([clientKey('k1'), clientKey('k1')]);
});

type Claims = Readonly<Record<string, unknown>>;

/** The claims of a valid request object; undefined leaves one out. */
const claimsOf = (claims: Claims = {}): Record<string, unknown> => ({
  iss: 'demo-app',
  aud: ISSUER,
  exp: NOW + 60,
  client_id: 'demo-app',
  response_type: 'code',
  redirect_uri: REDIRECT_URI,
  audience: ORDERS,
  scope: 'openid orders:read',
  state: 'xyz',
  ...claims,
});

const signed = (claims: Claims = {}, by: ClientKey = key, header: Record<string, string> = {}) =>
  signAssertion(by, claimsOf(claims), { typ: 'oauth-authz-req+jwt', ...header });

const withSecret = (secret: string, alg = 'HS256', claims: Claims = {}) =>
  new SignJWT(claimsOf(claims)).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));

const unsigned = (claims: Claims = {}) => new UnsecuredJWT(claimsOf(claims)).encode();

/** What is read from outside the object if the object cannot be read. */
const BESIDE = { redirect_uri: REDIRECT_URI, state: 'xyz' };

const asked = (
  request: string,
  beside: Readonly<Record<string, string>> = {},
  repeated: readonly string[] = [],
): AuthorizationRequest => ({
  parameters: new Map(Object.entries({ client_id: 'demo-app', request, ...beside })),
  repeated: new Set(repeated),
});

function createBench(members: Partial<Client> = {}, options: TestServiceOptions = {}) {
  const jwks = { keys: [key.jwk] };
  const bench = createAuthorizationBench({
    clients: [client({ client_secret: SECRET, jwks, ...members })],
    ...options,
    settings: { profile: 'interop', authorize: 'auto', ...options.settings },
  });
  const push = (parameters: RequestParameters, dpop: DpopHeader | null = null) =>
    bench.push({ client_secret: SECRET, ...parameters }, { dpop });
  return { ...bench, push };
}

describe('a request object by value', () => {
  test('behaviour 7.31, RFC 9101 6.3: its claims are the parameters of the request', async () => {
    const { send, codeOf } = createBench();
    const request = await signed({
      nonce: 'n',
      max_age: 600,
      claims: { id_token: { name: null } },
    });
    const result = await send(asked(request));
    const answer = answerOf(result);
    expect(answer.target).toMatchObject({ redirect_uri: REDIRECT_URI, state: 'xyz' });
    expect(await codeOf(answer)).toMatchObject({
      redirect_uri_given: true,
      requested_scope: 'openid orders:read',
      nonce: 'n',
      lineage: { audience: ORDERS },
    });
    expect(result.evaluation.checks).toContainEqual({
      id: 'request_object',
      passed: true,
      got: 'a JWT signed with ES256 by key k1',
    });
  });

  test('behaviour 7.31, RFC 9101 6.3: parameters beside it are ignored and noted, except those that OpenID Connect requires', async () => {
    const { send } = createBench();
    const beside = { scope: 'profile', response_type: 'token', state: 'evil', prompt: 'x' };
    const result = await send(asked(await signed(), { ...beside, secret: 'x' }));
    expect(answerOf(result).parameters['state']).toBe('xyz');
    const { deviations } = result.evaluation;
    expect(deviations.map(describeDeviation)).toEqual([
      expect.objectContaining({
        id: 'beside_request_object',
        text: 'The request object was used; parameters sent beside it were ignored: state, prompt, a parameter.',
      }),
    ]);
  });

  test('behaviour 7.31: a parameter that is only beside the object does not count', async () => {
    const { send } = createBench();
    const request = await signed({ response_type: undefined });
    expectRedirect(await send(asked(request, { response_type: 'code' })), 'response_type_missing');
  });

  test('behaviour 7.31: it is verified once, so the form may be submitted after it expired', async () => {
    const { send, decide, clock } = createBench({}, { settings: { authorize: 'consent' } });
    const { form } = questionOf(await send(asked(await signed())));
    clock.advance(120_000);
    const { parameters } = answerOf(await decide({ form }));
    expect(parameters['code']).toMatch(/^[\w-]{43}$/);
  });

  const bare = { iss: undefined, aud: undefined, exp: undefined };
  test.each<[string, () => Promise<string> | string, Partial<Client>?]>([
    ['it has neither iss, aud, exp nor jti', () => signed(bare)],
    ['the client_secret signs it with HS256', () => withSecret(SECRET), { jwks: null }],
    ['the client_secret signs it with HS512', () => withSecret(SECRET, 'HS512'), { jwks: null }],
    ['its client is registered for none', unsigned, { request_object_signing_alg: 'none' }],
  ])('behaviour 7.31: it is accepted, also twice, if %s', async (_, make, members) => {
    const { send } = createBench(members);
    const request = await make();
    for (const result of [await send(asked(request)), await send(asked(request))]) {
      expect(answerOf(result).refusal).toBeNull();
    }
  });
});

describe('a request object that is rejected', () => {
  const MALFORMED = 'request_object_claim_malformed';

  test.each<[string, RefusalReason, () => Promise<string> | string, Partial<Client>?]>([
    ['another key', 'request_object_signature_wrong', () => signed({}, other)],
    ['an unknown kid', 'request_object_key_unknown', () => signed({}, key, { kid: 'k9' })],
    ['another secret', 'request_object_secret_wrong', () => withSecret('t'.repeat(64))],
    [
      'a secret that is too short',
      'request_object_secret_short',
      () => withSecret('demo-secret'),
      { client_secret: 'demo-secret' },
    ],
    ['no signature', 'request_object_alg_refused', () => unsigned()],
    [
      'another algorithm than registered',
      'request_object_alg_refused',
      () => signed(),
      { request_object_signing_alg: 'RS256' },
    ],
    [
      'none, although a signature is required',
      'request_object_alg_refused',
      () => unsigned(),
      { request_object_signing_alg: 'none', require_signed_request_object: true },
    ],
    [
      'none with a signature',
      'request_object_signature_wrong',
      () => `${unsigned()}eA`,
      { request_object_signing_alg: 'none' },
    ],
    ['another issuer as aud', 'request_object_aud_differs', () => signed({ aud: `${ISSUER}/x` })],
    [
      'the token endpoint as aud',
      'request_object_aud_differs',
      () => signed({ aud: `${ISSUER}/oauth/token` }),
    ],
    ['aud of a wrong type', MALFORMED, () => signed({ aud: 1 })],
    ['another client as iss', 'request_object_iss_differs', () => signed({ iss: 'other' })],
    ['another client_id', 'request_object_client_differs', () => signed({ client_id: 'other' })],
    ['no client_id', 'request_object_claim_missing', () => signed({ client_id: undefined })],
    ['exp in the past', 'request_object_expired', () => signed({ exp: NOW })],
    ['exp as a string', MALFORMED, () => signed({ exp: '2030' })],
    ['nbf in the future', 'request_object_too_early', () => signed({ nbf: NOW + 61 })],
    ['iat in the future', 'request_object_too_early', () => signed({ iat: NOW + 61 })],
    ['another request object in it', 'request_object_nested', () => signed({ request: 'x' })],
    ['a request_uri in it', 'request_object_nested', () => signed({ request_uri: 'urn:x' })],
    ['a nonce that is an object', MALFORMED, () => signed({ nonce: {} })],
    ['a scope that is an array', MALFORMED, () => signed({ scope: ['openid'] })],
    ['resource with a number', MALFORMED, () => signed({ resource: [1] })],
  ])('behaviour 7.31: %s is sent to the app', async (_name, reason, make, members = {}) => {
    expectRedirect(await createBench(members).send(asked(await make())), reason);
  });

  test.each(['x', 'a.b.c', '..', 'e30.e30.', 'a.b.c.d.e'])(
    'behaviour 7.31: %s is no JWT; the redirect URI beside it is used',
    async (request) => {
      expectRedirect(await createBench().send(asked(request, BESIDE)), 'request_object_malformed');
    },
  );

  test('behaviour 7.31: it has at most 32,768 characters', async () => {
    const request = await signed({ nonce: 'n'.repeat(PARAMETER_LIMITS.request) });
    expectRedirect(await createBench().send(asked(request, BESIDE)), 'parameter_too_long');
  });

  test('behaviour 7.31: sent twice, none of them counts', async () => {
    const result = await createBench().send(asked(await signed(), BESIDE, ['request']));
    expectRedirect(result, 'authorization_parameter_repeated');
  });

  test('behaviour 7.31, RFC 9700 2.1: an unregistered redirect URI in it is rejected on a page', async () => {
    const request = await signed({ redirect_uri: 'https://evil.example/' });
    expectPage(await createBench().send(asked(request)), 'redirect_uri_unregistered');
  });

  test.each([
    ['the object has none', /one beside it is ignored/, () => signed({ redirect_uri: undefined })],
    ['the object is no JWT', /cannot be read/, () => 'x', { redirect_uri: '' }],
    ['it is behind a request_uri', /is not fetched/, signed, { request_uri: 'urn:x' }],
  ])('behaviour 3.12: why there is no redirect_uri: %s', async (_, why, make, beside = BESIDE) => {
    const { send } = createBench({ redirect_uris: [REDIRECT_URI, `${REDIRECT_URI}/2`] });
    expectPage(await send(asked(await make(), beside)), 'redirect_uri_missing', why);
  });

  test('behaviour 7.31: without client_id beside it, the client is unknown', async () => {
    const parameters = new Map([['request', await signed()]]);
    const result = await createBench().send({ parameters, repeated: new Set() });
    expectPage(result, 'authorization_client_missing');
  });

  test('behaviour 7.31, RFC 9101 10.5: plain parameters of a client that must sign are rejected', async () => {
    const { ask } = createBench({ require_signed_request_object: true });
    expectRedirect(await ask(), 'request_object_required');
  });

  test.each(['documented', 'strict'] as const)(
    'behaviour 7.31: %s does not accept request objects',
    async (profile) => {
      const { send } = createBench({}, { settings: { profile } });
      expectRedirect(await send(asked(await signed())), 'request_not_supported');
    },
  );

  test('behaviour 7.31: a request_uri beside it that was not pushed is not fetched', async () => {
    const beside = { ...BESIDE, request_uri: 'https://app.example/r' };
    const result = await createBench().send(asked(await signed(), beside));
    expectRedirect(result, 'request_uri_not_supported');
  });
});

describe('a request object that is pushed', () => {
  test('behaviour 7.31, RFC 9126 3: it is verified at the push and used after it expired', async () => {
    const { push, visit, clock } = createBench({ require_signed_request_object: true });
    const { answer } = await push({ request: await signed({ exp: NOW + 10 }), state: 'evil' });
    clock.advance(30_000);
    const { parameters } = answerOf(await visit(answer?.request_uri ?? ''));
    expect(parameters).toMatchObject({ state: 'xyz', iss: ISSUER });
  });

  test.each<[string, () => Promise<string>, RefusalReason]>([
    ['another key', () => signed({}, other), 'request_object_signature_wrong'],
    ['a request_uri', () => signed({ request_uri: 'x' }), 'request_object_nested'],
  ])('behaviour 7.31: %s is rejected at the push', async (_name, make, reason) => {
    const outcome = await createBench().push({ request: await make() });
    expect(expectRefusal(outcome, reason).code).toBe('invalid_request_object');
  });

  test('behaviour 7.31, RFC 9126 3: HS256 is verified at the push, with the client_secret', async () => {
    const { push, visit } = createBench({ jwks: null, require_signed_request_object: true });
    const { answer } = await push({ request: await withSecret(SECRET) });
    expect(answerOf(await visit(answer?.request_uri ?? '')).refusal).toBeNull();
    expectRefusal(
      await push({ request: await withSecret('t'.repeat(64)) }),
      'request_object_secret_wrong',
    );
  });

  test('behaviour 7.31, RFC 9449 10.1: the DPoP proof of the push binds the code, and must match dpop_jkt in the object', async () => {
    const [own, stranger] = await Promise.all([proofKey(), proofKey()]);
    const { push, visit, codeOf } = createBench();
    const proven = async () => {
      const claims = { htu: `${ISSUER}/oauth/par` };
      return dpopHeader(await proof(own, { claims }), { path: '/oauth/par' });
    };
    const { answer } = await push({ request: await signed() }, await proven());
    const code = await codeOf(answerOf(await visit(answer?.request_uri ?? '')));
    expect(code.jkt).toBe(own.jkt);
    const request = await signed({ dpop_jkt: stranger.jkt });
    expectRefusal(await push({ request }, await proven()), 'dpop_jkt_differs');
  });
});

describe('a request object of a client with a jwks_uri', () => {
  const members = { jwks: null, jwks_uri: 'http://localhost:5000/jwks' };
  const serving = (document: FetchedDocument) =>
    createBench(members, { fetchDocument: () => Promise.resolve(document) });

  test('behaviour 7.31: is verified with a key that is fetched', async () => {
    const { send } = serving({ value: { keys: [key.jwk] }, fresh_ms: 0 });
    expect(answerOf(await send(asked(await signed()))).refusal).toBeNull();
    expectRefusal(await send(asked(await signed({}, other))), 'request_object_signature_wrong');
  });

  test('behaviour 7.31: is rejected if the keys cannot be fetched', async () => {
    const { send, push } = serving({ problem: 'the document cannot be reached' });
    expectRefusal(await send(asked(await signed())), 'request_object_keys_unavailable');
    expectRefusal(await push({ request: await signed() }), 'request_object_keys_unavailable');
  });
});
