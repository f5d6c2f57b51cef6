// private_key_jwt (RFC 7523, OpenID Connect Core 9): who may sign, with which key, and the claims of the assertion.

import { base64url, exportJWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeDeviation } from '../../src/core/checks/deviations.ts';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import type { FetchedDocument } from '../../src/core/model/ports.ts';
import type { RefusalReason } from '../../src/core/checks/refusals/index.ts';
import {
  CLIENT_KEY_BOUNDS,
  createClientKeys,
} from '../../src/core/client-authentication/client-keys.ts';
import { createUsedOnce } from '../../src/core/collections/used-once.ts';
import type { ClientKey } from '../support/assertion.ts';
import {
  assertionClaims,
  clientKey,
  JWT_BEARER,
  signAssertion,
  signingClient,
} from '../support/assertion.ts';
import type { RequestParameters, TestServiceOptions } from '../support/core.ts';
import {
  admin,
  basic,
  checkOf,
  client,
  createTestService,
  expectNotes,
  expectRefusal,
  ISSUER,
  REDIRECT_URI,
  refreshRequest,
  START,
} from '../support/core.ts';

let key: ClientKey;
let other: ClientKey;
beforeAll(async () => {
  [key, other] = await Promise.all([clientKey('k1'), clientKey('k2')]);
});

type Claims = Readonly<Record<string, unknown>>;

interface Proving {
  readonly by?: ClientKey;
  readonly header?: { readonly kid: string | undefined };
  /** Other parameters of the request. */
  readonly parameters?: RequestParameters;
}

function withSigner(members: Parameters<typeof client>[0] = {}, options: TestServiceOptions = {}) {
  const signer = client({
    ...signingClient(key),
    grant_types: ['client_credentials', 'authorization_code'],
    ...members,
  });
  const made = createTestService({
    settings: { profile: 'interop' },
    clients: [signer, admin()],
    ...options,
  });
  const send = (parameters: RequestParameters, authorization: string | null = null) =>
    made.evaluate(
      refreshRequest(
        { grant_type: 'client_credentials', client_secret: undefined, ...parameters },
        { authorization },
      ),
    );
  const present = (client_assertion: string, parameters?: RequestParameters) =>
    send({ client_assertion_type: JWT_BEARER, client_assertion, ...parameters });
  return {
    ...made,
    send,
    present,
    /** A request with an assertion of these claims. */
    prove: async (claims: Claims = {}, { by = key, header, parameters }: Proving = {}) => {
      const all = assertionClaims(ISSUER, made.clock.now(), claims);
      return present(await signAssertion(by, all, header as { kid: string }), parameters);
    },
  };
}

/** An assertion of the client at the start. */
const signed = (claims?: Claims) => signAssertion(key, assertionClaims(ISSUER, START, claims));

const unproven = async (
  outcome: ReturnType<ReturnType<typeof withSigner>['send']>,
  reason: RefusalReason,
  detail?: string | RegExp,
) => expectRefusal(await outcome, reason, detail);

describe('a client that authenticates with an assertion', () => {
  test('RFC 7523 2.2: is accepted, and a note says what would fail in strict', async () => {
    const outcome = await withSigner().prove();
    expectNotes(outcome, 'assertion_accepted');
    expect(outcome.evaluation.deviations.map(describeDeviation)).toMatchObject([
      { section: 'spec 5.1', strict: 'client_assertion_not_allowed' },
    ]);
    expect(checkOf(outcome, 'authorization_header')?.got).toBe('a client assertion');
    expect(checkOf(outcome, 'client_secret')).toMatchObject({
      got: 'an assertion signed with ES256 by key k1',
      note: 'expires in 1 min',
      verdict: 'passed',
    });
  });

  test('RFC 7521 4.2: may omit client_id, and its own profile still applies', async () => {
    const { prove, answered } = withSigner({ profile: 'interop' }, { settings: {} });
    const outcome = await prove({}, { parameters: { client_id: undefined } });
    answered(outcome);
    expect(outcome.evaluation).toMatchObject({ client_id: 'demo-app', profile: 'interop' });
  });

  test.each([
    ISSUER,
    `${ISSUER}/oauth/token`,
    `${ISSUER}/`,
    [ISSUER],
    ['https://x.example', `${ISSUER}/oauth/token`],
  ])('behaviour 7.12, RFC 7523 3: may name the service as %j in aud', async (aud) => {
    const { prove, answered } = withSigner();
    answered(await prove({ aud }));
  });

  test.each(['RS256', 'RS384', 'PS256', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])(
    'RFC 7518 3.1: may sign with %s',
    async (alg) => {
      const own = await clientKey('own', alg);
      const { prove, answered } = withSigner(signingClient(key, own));
      answered(await prove({}, { by: own }));
    },
  );

  test('RFC 7517 4.5: needs no kid in the key or in the header', async () => {
    const nameless = await clientKey(null);
    const { prove, answered } = withSigner(signingClient(key, other, nameless));
    answered(await prove({}, { by: nameless }));
    answered(await prove({}, { by: other, header: { kid: undefined } }));
    answered(await prove({}, { by: nameless, header: { kid: 'unheard-of' } }));
  });

  test('RFC 7523 3: exp lies up to an hour ahead, iat and nbf up to a minute', async () => {
    const { prove, answered } = withSigner();
    const now = START / 1000;
    answered(await prove({ exp: now + 1 }));
    answered(await prove({ exp: now + 3600, iat: now + 60, nbf: now + 60 }));
    answered(await prove({ iat: undefined, nbf: now - 86_400 }));
  });
});

describe('the rules of the assertion', () => {
  const now = START / 1000;

  test.each([
    [{ iss: 'admin' }, 'client_assertion_iss_differs', 'iss is admin, expected demo-app'],
    [{ sub: 'admin' }, 'client_assertion_sub_differs', 'sub is admin, expected demo-app'],
    [
      { aud: 'http://127.0.0.1:4280' },
      'client_assertion_aud_differs',
      `aud is http://127.0.0.1:4280, expected ${ISSUER} or ${ISSUER}/oauth/token`,
    ],
    [
      { aud: [`${ISSUER}//`, 'x'] },
      'client_assertion_aud_differs',
      `aud is ${ISSUER}//, x, expected ${ISSUER} or ${ISSUER}/oauth/token`,
    ],
    [{ aud: [] }, 'client_assertion_aud_differs', /^aud is , expected/],
    [{ exp: now }, 'client_assertion_expired', 'expired 0 s ago'],
    [{ exp: now - 7 }, 'client_assertion_expired', 'expired 7 s ago'],
    [{ exp: now + 3601 }, 'client_assertion_too_long', 'exp is 1 s later than allowed'],
    [{ exp: 1e300 }, 'client_assertion_too_long', /^exp is/],
    [{ nbf: now + 61 }, 'client_assertion_too_early', 'nbf is 1 min 1 s ahead'],
    [{ iat: now + 61 }, 'client_assertion_too_early', 'iat is 1 min 1 s ahead'],
  ] as const)('RFC 7523 3: %j is %s', async (claims, reason, detail) => {
    await unproven(withSigner().prove(claims), reason, detail);
  });

  test.each(['iss', 'sub', 'aud', 'exp', 'jti'])(
    'RFC 7523 3, OpenID Connect Core 9: an assertion without %s is rejected with the name of the claim',
    async (field) => {
      const proving = withSigner().prove({ [field]: undefined });
      const { description } = await unproven(proving, 'client_assertion_claim_missing');
      expect(description).toBe(`${field} of the client_assertion is required (RFC 7523 3)`);
    },
  );

  test.each([
    [{ iss: 7 }, 'iss must be a string'],
    [{ sub: '' }, 'sub must be a string'],
    [{ aud: 7 }, 'aud must be a string or an array of strings'],
    [{ aud: [ISSUER, 7] }, 'aud must be a string or an array of strings'],
    [{ aud: null }, 'aud must be a string or an array of strings'],
    [{ exp: `${START / 1000 + 60}` }, 'exp must be a number of seconds'],
    [{ iat: 'now' }, 'iat must be a number of seconds'],
    [{ nbf: null }, 'nbf must be a number of seconds'],
    [{ jti: 7 }, 'jti must be a string'],
    [{ jti: '' }, 'jti must be a string'],
  ])('RFC 7519 4.1: %j is rejected: %s', async (claims, detail) => {
    await unproven(withSigner().prove(claims), 'client_assertion_claim_malformed', detail);
  });

  test('behaviour 6: times are checked against the sandbox clock', async () => {
    const { prove, answered, advance, present } = withSigner();
    const assertion = await signed();
    advance(86_400);
    await unproven(present(assertion), 'client_assertion_expired');
    answered(await prove());
  });
});

describe('an assertion is used once', () => {
  test('OpenID Connect Core 9: a repeated jti is rejected, and the trace names its first use', async () => {
    const { present, answered, advance } = withSigner();
    const assertion = await signed();
    answered(await present(assertion));
    advance(30);
    const used = 'used at 2026-11-21T10:00:00Z by exchange 1';
    await unproven(present(assertion), 'client_assertion_replayed', used);
  });

  test('OpenID Connect Core 9: exactly one of many simultaneous requests is accepted', async () => {
    const { present } = withSigner();
    const assertion = await signed();
    const crowd = await Promise.all(Array.from({ length: 20 }, () => present(assertion)));
    expect(crowd.filter(({ answer }) => answer !== null)).toHaveLength(1);
  });

  test('OpenID Connect Core 9: authenticating uses it up, even when the request is rejected later', async () => {
    const { present } = withSigner({ grant_types: ['authorization_code'] });
    const assertion = await signed();
    await unproven(present(assertion), 'grant_not_allowed');
    await unproven(present(assertion), 'client_assertion_replayed');
  });

  test('OpenID Connect Core 9: an invalid assertion is not used up, and each client has its own jti values', async () => {
    const { prove, answered, service } = withSigner();
    await unproven(prove({ jti: 'a', aud: 'x' }), 'client_assertion_aud_differs');
    await unproven(
      prove({ jti: 'a' }, { by: other, header: { kid: 'k1' } }),
      'client_assertion_signature_wrong',
    );
    answered(await prove({ jti: 'a' }));
    service.registry.clients.put(
      client({ ...signingClient(other), client_id: 'second', grant_types: ['client_credentials'] }),
    );
    const claims = { jti: 'a', iss: 'second', sub: 'second' };
    answered(await prove(claims, { by: other, parameters: { client_id: 'second' } }));
  });

  test('control: a reset forgets used assertions', async () => {
    const { present, answered, service } = withSigner();
    const assertion = await signed();
    answered(await present(assertion));
    service.reset();
    answered(await present(assertion));
  });

  test('behaviour 3: the record of uses is bounded, and the oldest is removed first', () => {
    const used = createUsedOnce({ entries: 3, bytes: Infinity });
    const use = (name: string, at: number, until: number) =>
      used.use(name, { at, exchange: 1, until });
    expect(use('a', 0, 10)).toBeNull();
    expect(use('b', 0, 100)).toBeNull();
    expect(use('a', 5, 10)).toMatchObject({ at: 0 });
    expect(use('c', 10, 100)).toBeNull();
    expect(use('a', 10, 100)).toBeNull();
    expect(use('d', 10, 100)).toBeNull();
    expect(used.fill.size).toBe(3);
    expect(use('c', 11, 100)).not.toBeNull();
    expect(use('b', 11, 100)).toBeNull();
    expect([used.fill.size, use('b', 100, 200)]).toEqual([3, null]);
  });
});

describe('the signature', () => {
  test('RFC 7523 3: is rejected with an unregistered key, and the registered keys are named', async () => {
    const reason = 'client_assertion_key_unknown';
    const one = withSigner(signingClient(key));
    await unproven(one.prove({}, { by: other }), reason, 'signed by key k2, registered: k1');
    const two = withSigner(signingClient(key, await clientKey('k3')));
    await unproven(two.prove({}, { by: other }), reason, 'signed by key k2, registered: k1, k3');
  });

  test('RFC 7523 3: is rejected when it does not match the registered key', async () => {
    const { prove } = withSigner();
    const reason = 'client_assertion_signature_wrong';
    await unproven(prove({}, { by: other, header: { kid: 'k1' } }), reason);
    await unproven(prove({}, { by: other, header: { kid: undefined } }), reason);
  });

  test('RFC 7523 3: is rejected with an algorithm that no registered key has', async () => {
    const rsa = await clientKey('k1', 'RS256');
    const proving = withSigner().prove({}, { by: rsa });
    const detail = 'no registered key can be used with RS256';
    await unproven(proving, 'client_assertion_key_unfit', detail);
  });

  test.each([{ use: 'enc' }, { alg: 'ES384' }, { crv: 'P-384' }])(
    'RFC 7517 4: is rejected with a key for ES256 that states %j',
    async (members) => {
      const keys = [{ ...key.jwk, ...members }];
      await unproven(withSigner({ jwks: { keys } }).prove(), 'client_assertion_key_unfit');
    },
  );

  test.each([{ x: 'AAAA' }, { y: '!' }, { key_ops: ['sign'] }])(
    'RFC 7517 4: is rejected with a registered key that is unusable (%j), and the cause says so',
    async (members) => {
      const { prove } = withSigner({ jwks: { keys: [{ ...key.jwk, ...members }] } });
      await unproven(prove(), 'client_assertion_key_unreadable');
    },
  );

  test('RFC 8725 3.1, 3.2: is rejected with none, and with a shared secret or the public key as the HMAC secret', async () => {
    const secret = 's'.repeat(40);
    const { present } = withSigner({ client_secret: secret });
    const claims = assertionClaims(ISSUER, START);
    const encode = (value: unknown) => base64url.encode(JSON.stringify(value));
    const hmac = (shared: string) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
        .sign(new TextEncoder().encode(shared));
    const unsigned = `${encode({ alg: 'none' })}.${encode(claims)}.`;
    for (const assertion of [unsigned, await hmac(secret), await hmac(JSON.stringify(key.jwk))]) {
      await unproven(present(assertion), 'client_assertion_alg_refused');
    }
  });
});

describe('a malformed assertion', () => {
  test.each([
    'x',
    'a.b.c',
    '..',
    'e30.e30.',
    `${base64url.encode('{"alg":"ES256","crit":["b64"],"b64":true}')}.e30.`,
    `${base64url.encode('{"alg":7}')}.e30.`,
    `${base64url.encode('{"alg":"ES256","kid":7}')}.e30.`,
    `${base64url.encode('{"alg":"ES256"}')}.${base64url.encode('[]')}.AA`,
    `${base64url.encode('{"alg":"RSA-OAEP","enc":"A256GCM"}')}.a.b.c.d`,
  ])('RFC 7523 3: "%s" is not a signed JWT', async (assertion) => {
    await unproven(withSigner().present(assertion), 'client_assertion_malformed');
  });

  test('RFC 7521 4.2: without client_id, too, a text that is no JWT names no client, and is malformed', async () => {
    const outcome = await withSigner().present('x', { client_id: undefined });
    expectRefusal(outcome, 'client_assertion_malformed');
    expect(outcome.evaluation.client_id).toBeNull();
  });

  test('RFC 7521 4.2: assertion and type are required together', async () => {
    const { send } = withSigner();
    for (const [got, parameters] of [
      ['client_assertion', { client_assertion: 'x' }],
      ['client_assertion', { client_assertion: 'x', client_assertion_type: '' }],
      ['client_assertion_type', { client_assertion_type: JWT_BEARER }],
    ] as const) {
      const refusal = await unproven(send(parameters), 'client_assertion_incomplete');
      expect(refusal.facts.got).toBe(got);
    }
  });

  test('RFC 7521 4.2: another type is rejected', async () => {
    const { send } = withSigner();
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer';
    const outcome = send({ client_assertion: 'x', client_assertion_type });
    const refusal = await unproven(outcome, 'client_assertion_type_unsupported');
    expect(describeCause(refusal).advice).toContain(JWT_BEARER);
  });

  test('behaviour 3: a request with neither client_id nor sub is invalid_request, an unknown client invalid_client', async () => {
    const { prove } = withSigner();
    const without = { parameters: { client_id: undefined } };
    for (const sub of [undefined, '', 7]) {
      await unproven(prove({ sub }, without), 'client_id_missing');
    }
    await unproven(prove({ sub: 'stranger' }, without), 'client_unknown');
  });
});

describe('the registered method', () => {
  test('behaviour 1.8 (interop): an assertion is accepted only from a client registered for it', async () => {
    const { prove } = withSigner({
      token_endpoint_auth_method: 'client_secret_post',
      client_secret: 'demo-secret',
    });
    const detail = 'registered for client_secret_post';
    await unproven(prove(), 'client_assertion_unregistered', detail);
  });

  test('behaviour 1.8 (interop): a client registered for assertions is not a public client', async () => {
    const { send } = withSigner();
    await unproven(send({}), 'client_assertion_missing');
    await unproven(send({ client_secret: 'x' }), 'client_assertion_missing');
  });

  test('behaviour 1 (interop): a secret of the client is accepted too, and the mismatch is noted', async () => {
    const { send } = withSigner({ client_secret: 'demo-secret' });
    const outcome = await send({ client_secret: 'demo-secret' });
    expectNotes(outcome, 'auth_method_mismatch: client_secret_post');
  });

  test('behaviour 1.6 (interop): two methods at once are invalid_request', async () => {
    const { prove, send } = withSigner({ client_secret: 'demo-secret' });
    for (const outcome of [
      prove({}, { parameters: { client_secret: 'demo-secret' } }),
      send({ client_assertion: 'x' }, basic('demo-app', 'demo-secret')),
    ]) {
      await unproven(outcome, 'two_client_authentications');
    }
  });

  test.each(['documented', 'strict'] as const)(
    'spec 5.1, behaviour 1.8 (%s): an assertion is invalid_client, and the cause says what is required',
    async (profile) => {
      const { prove } = withSigner({}, { settings: { profile } });
      for (const parameters of [{}, { client_id: undefined }]) {
        const refusal = await unproven(prove({}, { parameters }), 'client_assertion_not_allowed');
        expect(refusal.description).toBe(
          'client_id and client_secret must be sent in the body; client_assertion is not accepted here',
        );
      }
    },
  );

  test.each(['documented', 'strict'] as const)(
    'behaviour 1 (%s): an assertion beside a secret is ignored and noted',
    async (profile) => {
      const { prove } = withSigner({ client_secret: 'demo-secret' }, { settings: { profile } });
      const outcome = await prove({}, { parameters: { client_secret: 'demo-secret' } });
      expectNotes(
        outcome,
        'auth_method_mismatch: client_secret_post',
        'unknown_parameters: client_assertion_type, client_assertion',
      );
    },
  );
});

test('behaviour 1 (interop): a code is exchanged with an assertion instead of the secret', async () => {
  const { issueCode, prove, answered } = withSigner();
  const { value: code } = await issueCode();
  const parameters = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code };
  answered(await prove({}, { parameters }));
});

describe('client_secret_jwt', () => {
  const SECRET = 's'.repeat(64);
  const hmac = (alg: string, secret = SECRET, claims: Claims = {}) =>
    new SignJWT(assertionClaims(ISSUER, START, claims))
      .setProtectedHeader({ alg })
      .sign(new TextEncoder().encode(secret));
  const withSecret = (secret = SECRET) => {
    const made = withSigner({
      token_endpoint_auth_method: 'client_secret_jwt',
      client_secret: secret,
      jwks: null,
    });
    const prove = async (token: Promise<string> | string) => made.present(await token);
    return { ...made, prove };
  };

  test.each(['HS256', 'HS384', 'HS512'])(
    'behaviour 1.8, OpenID Connect Core 9: an assertion with %s by the secret is accepted',
    async (alg) => {
      const outcome = await withSecret().prove(hmac(alg));
      expectNotes(outcome, 'assertion_accepted');
      expect(checkOf(outcome, 'client_secret')?.got).toBe(`an assertion signed with ${alg}`);
    },
  );

  test('behaviour 1.8: another secret is rejected, and so is a key of another kind', async () => {
    const { prove } = withSecret();
    await unproven(prove(hmac('HS256', 'x'.repeat(64))), 'client_assertion_secret_wrong');
    const refusal = await unproven(prove(signed()), 'client_assertion_alg_refused');
    expect(refusal.description).toBe('client_assertion must be signed with HS256, HS384 or HS512');
    expect(refusal.facts).toEqual({ expected: 'HS256, HS384, HS512', got: 'ES256' });
  });

  test('RFC 7518 3.2: a secret that is shorter than the hash is rejected', async () => {
    const secret = 's'.repeat(43);
    const { prove, answered } = withSecret(secret);
    answered(await prove(hmac('HS256', secret)));
    const detail = 'has 43 bytes, HS512 needs 64';
    await unproven(prove(hmac('HS512', secret)), 'client_assertion_secret_short', detail);
  });

  test('behaviour 1.8: the rules of the claims are those of private_key_jwt', async () => {
    const { prove, answered } = withSecret();
    const once = await hmac('HS256');
    answered(await prove(once));
    await unproven(prove(once), 'client_assertion_replayed');
    for (const [claims, reason] of [
      [{ iss: 'admin' }, 'client_assertion_iss_differs'],
      [{ exp: START / 1000 }, 'client_assertion_expired'],
      [{ jti: undefined }, 'client_assertion_claim_missing'],
    ] as const) {
      await unproven(prove(hmac('HS256', SECRET, claims)), reason);
    }
  });
});

describe('jwks_uri', () => {
  const URL = 'http://localhost:5000/jwks';
  const withUri = (first: FetchedDocument) => {
    const served: { document: FetchedDocument; times: number } = { document: first, times: 0 };
    const made = withSigner(
      { jwks: null, jwks_uri: URL },
      {
        fetchDocument: (url) => {
          expect(url).toBe(URL);
          served.times += 1;
          return Promise.resolve(served.document);
        },
      },
    );
    const later = (ms: number) => {
      made.machine.now += ms;
    };
    return {
      ...made,
      served,
      later,
      /** Authenticates that much later; returns how often the keys were fetched by then. */
      provenAfter: async (ms: number, proving?: Proving) => {
        later(ms);
        made.answered(await made.prove({}, proving));
        return served.times;
      },
    };
  };
  const setOf = (...keys: readonly ClientKey[]) => ({
    value: { keys: keys.map(({ jwk }) => jwk) },
    fresh_ms: 60_000,
  });
  const NAMELESS = { header: { kid: undefined } };

  test('behaviour 1.14: the keys are fetched once as long as they are fresh', async () => {
    const made = withUri(setOf(key));
    const outcomes = await Promise.all([made.prove(), made.prove()]);
    outcomes.forEach(made.answered);
    made.later(59_000);
    const outcome = await made.prove();
    made.answered(outcome);
    expect(made.served.times).toBe(1);
    expect(checkOf(outcome, 'client_secret')?.got).toBe(
      'an assertion signed with ES256 by key k1 of jwks_uri',
    );
    expect(await made.provenAfter(1000)).toBe(2);
  });

  test('behaviour 1.14: an unknown kid has them fetched again, once a second at most', async () => {
    const made = withUri(setOf(key));
    made.answered(await made.prove());
    made.served.document = setOf(other);
    made.later(999);
    await unproven(made.prove({}, { by: other }), 'client_assertion_key_unknown');
    made.later(1);
    made.answered(await made.prove({}, { by: other }));
    await unproven(made.prove(), 'client_assertion_key_unknown');
    expect(made.served.times).toBe(2);
  });

  test('behaviour 1.14: a failure is not kept, and only the trace says why', async () => {
    const detail = 'http://localhost:5000/jwks cannot be reached.';
    const made = withUri({ problem: detail });
    const refusal = await unproven(made.prove(), 'client_assertion_keys_unavailable', detail);
    expect(refusal.description).toBe('the keys of the client cannot be read from its jwks_uri');
    made.served.document = setOf(key);
    await made.provenAfter(1000);
  });

  test('behaviour 1.14: an unknown kid whose fetch fails leaves the keys that are still fresh in use', async () => {
    const made = withUri(setOf(key));
    await made.provenAfter(0);
    made.served.document = { problem: 'http://localhost:5000/jwks cannot be reached.' };
    made.later(1000);
    await unproven(made.prove({}, { by: other }), 'client_assertion_keys_unavailable');
    expect(await made.provenAfter(58_999)).toBe(2);
    made.later(1);
    await unproven(made.prove(), 'client_assertion_keys_unavailable');
  });

  test.each([
    [{}, 'the document has no keys (RFC 7517 5)'],
    [{ keys: 'x' }, 'the document has no keys (RFC 7517 5)'],
    [{ keys: Array.from({ length: 21 }, () => ({})) }, 'the document has more than 20 keys'],
  ])('behaviour 1.14: %j is no JWK Set', async (value, detail) => {
    const made = withUri({ value, fresh_ms: 0 });
    await unproven(made.prove(), 'client_assertion_keys_unavailable', detail);
  });

  test.each([
    { problem: 'http://localhost:5000/jwks cannot be reached.' },
    { value: {}, fresh_ms: 86_400_000 },
  ])('behaviour 1.14: a failure is fetched again once a second at most: %j', async (document) => {
    const made = withUri(document);
    const fails = () => unproven(made.prove({}, NAMELESS), 'client_assertion_keys_unavailable');
    await fails();
    made.later(999);
    await fails();
    expect(made.served.times).toBe(1);
    made.later(1);
    await fails();
    expect(made.served.times).toBe(2);
  });

  test('behaviour 1.14: keys are fresh by the clock of the machine, whatever the sandbox clock says', async () => {
    const { advance, provenAfter } = withUri(setOf(key));
    await provenAfter(0);
    advance(86_400);
    expect(await provenAfter(0)).toBe(1);
  });

  test('behaviour 1.14: a clock that was set back does not keep an unknown kid from being fetched', async () => {
    const made = withUri(setOf(key));
    await made.provenAfter(0);
    made.served.document = setOf(other);
    await made.provenAfter(-1);
    expect(await made.provenAfter(0, { by: other })).toBe(2);
  });

  test('behaviour 1.14: an assertion without a kid is checked with the keys as long as they are fresh', async () => {
    const { provenAfter } = withUri(setOf(key));
    expect(await provenAfter(0, NAMELESS)).toBe(1);
    expect(await provenAfter(59_999, NAMELESS)).toBe(1);
    expect(await provenAfter(1, NAMELESS)).toBe(2);
  });

  test('behaviour 1.14: the documents that were fetched first are removed when they exceed 1 MiB', async () => {
    const value = { keys: [{ kid: 'x'.repeat(50_000) }] };
    const urls: string[] = [];
    const keys = createClientKeys({
      clock: createTestService().clock,
      fetchDocument: (url) => {
        urls.push(url);
        return Promise.resolve({ value, fresh_ms: 60_000 });
      },
    });
    for (let n = 0; n < 50; n++) {
      const jwks_uri = `http://localhost/${'long/'.repeat(200)}${n}`;
      await keys.of(client({ jwks: null, jwks_uri }), undefined);
    }
    const weight = keys.fill.bytes / keys.fill.size;
    expect(weight).toBeGreaterThan(51_000);
    expect(keys.fill.size).toBe(Math.floor(CLIENT_KEY_BOUNDS.bytes / weight));
  });

  test('behaviour 1.14: keys that are not fresh are still fetched once a second at most', async () => {
    const { provenAfter } = withUri({ ...setOf(key), fresh_ms: 0 });
    expect(await provenAfter(0)).toBe(1);
    expect(await provenAfter(999)).toBe(1);
    expect(await provenAfter(1)).toBe(2);
  });

  test('behaviour 1.14: a set of 20 keys is used, without its private members and without what is no key', async () => {
    const own = await exportJWK(key.private_key);
    const others = Array.from({ length: 17 }, () => ({ kty: 'unknown' }));
    const keys = ['x', null, ...others, { ...own, kid: 'k1' }];
    const made = withUri({ value: { keys }, fresh_ms: 60_000 });
    made.answered(await made.prove());
  });

  test('behaviour 1.14: a set without keys verifies nothing, and the cause says that there are none', async () => {
    const made = withUri({ value: { keys: [] }, fresh_ms: 0 });
    const reason = 'client_assertion_key_unknown';
    await unproven(made.prove(), reason, 'signed by key k1, registered: none');
    await unproven(made.prove({}, NAMELESS), reason, 'signed by key none, registered: none');
  });

  test('behaviour 1.14: one key of several with the kid is enough not to fetch them again', async () => {
    const { provenAfter } = withUri(setOf(key, other));
    await provenAfter(0);
    expect(await provenAfter(1000)).toBe(1);
  });

  test('control: a reset forgets fetched keys', async () => {
    const { provenAfter, service } = withUri(setOf(key));
    await provenAfter(0);
    service.reset();
    expect(await provenAfter(0)).toBe(2);
  });

  test('behaviour 1.14: clients with the same jwks_uri share its keys', async () => {
    const made = withUri(setOf(key));
    made.answered(await made.prove());
    const first = made.service.registry.clients.get('demo-app');
    made.service.registry.clients.put(client({ ...first, client_id: 'second' }));
    const claims = { iss: 'second', sub: 'second' };
    made.answered(await made.prove(claims, { parameters: { client_id: 'second' } }));
    expect(made.served.times).toBe(1);
  });

  test('behaviour 1.14: a secret key in the set verifies nothing', async () => {
    const made = withUri({ value: { keys: [{ kty: 'oct', k: 'AAAA', kid: 'k1' }] }, fresh_ms: 0 });
    await unproven(made.prove(), 'client_assertion_key_unfit');
  });
});
