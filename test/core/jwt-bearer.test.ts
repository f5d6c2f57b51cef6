// The JWT bearer grant (RFC 7523 2.1): which client may assert a user, with which key, and the claims of the assertion.

import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import { PROFILES } from '../../src/core/records/schemas.ts';
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
  BILLING,
  checkOf,
  client,
  createTestService,
  deviations,
  expectRefusal,
  ISSUER,
  ORDERS,
  refreshRequest,
  START,
  verdictsOf,
} from '../support/core.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const now = START / 1000;

let key: ClientKey;
let other: ClientKey;
beforeAll(async () => {
  [key, other] = await Promise.all([clientKey('k1'), clientKey('k2')]);
});

const backend = (members: Parameters<typeof client>[0] = {}) =>
  client({ jwks: { keys: [key.jwk] }, grant_types: [GRANT, 'client_credentials'], ...members });

type Claims = Readonly<Record<string, unknown>>;

/** The demo client asserts ada by default. */
function withBackend(options: TestServiceOptions = {}) {
  const made = createTestService({ clients: [backend()], ...options });
  const sign = (claims: Claims = {}, by = key, header: Record<string, string> = {}) =>
    signAssertion(by, assertionClaims(ISSUER, made.clock.now(), { sub: 'ada', ...claims }), header);
  const send = (assertion: string | undefined, parameters: RequestParameters = {}) =>
    made.evaluate(refreshRequest({ grant_type: GRANT, assertion, ...parameters }));
  const ask = async (claims: Claims = {}, parameters: RequestParameters = {}) =>
    send(await sign(claims), parameters);
  return { ...made, sign, send, ask };
}

describe('what is issued', () => {
  test.each(PROFILES)(
    'behaviour 7.20, RFC 7523 2.1 (%s): is an access token for the subject of the assertion, without a refresh token',
    async (profile) => {
      const { ask, answered } = withBackend({ settings: { profile } });
      const outcome = await ask({}, { audience: ORDERS, scope: 'orders:read' });
      const answer = answered(outcome);
      expect(answer).toEqual({
        access_token: expect.any(String) as string,
        token_type: 'Bearer',
        expires_in: 86_400,
      });
      const claims = { sub: 'ada', client_id: 'demo-app', aud: ORDERS, scope: 'orders:read' };
      expect(decodeJwt(answer.access_token)).toMatchObject(claims);
      expect(deviations(outcome)).toEqual([]);
      expect(verdictsOf(outcome).filter((check) => !check.endsWith(' passed'))).toEqual([]);
      expect(checkOf(outcome, 'credential_client')?.got).toBe('signed with ES256 by key k1');
      expect(checkOf(outcome, 'credential_live')?.note).toBe('expires in 1 min');
      expect(checkOf(outcome, 'user')?.got).toBe('ada');
    },
  );

  test("behaviour 7.20: has the client's default audience, else the issuer, when none is requested", async () => {
    const { ask, answered, service } = withBackend();
    expect(decodeJwt(answered(await ask()).access_token).aud).toBe(ISSUER);
    service.registry.clients.put(backend({ default_audience: BILLING }));
    expect(decodeJwt(answered(await ask()).access_token).aud).toBe(BILLING);
    const named = answered(await ask({}, { resource: ORDERS }));
    expect(decodeJwt(named.access_token).aud).toBe(ORDERS);
  });

  test('RFC 6749 3.3, RFC 7523 2.1: a scope that the audience does not define is invalid_scope, and does not use up the assertion', async () => {
    const { sign, send, answered } = withBackend();
    const assertion = await sign();
    expectRefusal(await send(assertion, { scope: 'nothing:known' }), 'scope_unknown');
    expectRefusal(await send(assertion, { audience: 'https://x.example/' }), 'audience_unknown');
    answered(await send(assertion));
  });

  test('behaviour 5.12: a token for the same purpose that is still valid is noted', async () => {
    const { ask, answered } = withBackend();
    answered(await ask());
    const again = await ask();
    answered(again);
    expect(again.evaluation.advisories).toMatchObject([
      { kind: 'over_fetch', seconds_left: 86_400 },
    ]);
  });
});

describe('the rules of the assertion', () => {
  test.each([
    [{ iss: 'admin' }, 'assertion_iss_differs', 'iss is admin, expected demo-app'],
    [{ iss: 7 }, 'assertion_iss_differs', 'iss is 7, expected demo-app'],
    [{ iss: undefined }, 'assertion_iss_differs', 'iss is missing, expected demo-app'],
    [
      { aud: 'https://x.example' },
      'assertion_aud_differs',
      `aud is https://x.example, expected ${ISSUER} or ${ISSUER}/oauth/token`,
    ],
    [{ exp: now - 7 }, 'assertion_expired', 'expired 7 s ago'],
    [{ exp: now + 3601 }, 'assertion_too_long', 'exp is 1 s later than allowed'],
    [{ nbf: now + 61 }, 'assertion_too_early', 'nbf is 1 min 1 s ahead'],
    [{ iat: now + 61 }, 'assertion_too_early', 'iat is 1 min 1 s ahead'],
    [{ sub: 7 }, 'assertion_claim_malformed', 'sub must be a string'],
    [{ exp: 'soon' }, 'assertion_claim_malformed', 'exp must be a number of seconds'],
    [{ aud: 7 }, 'assertion_claim_malformed', 'aud must be a string or an array of strings'],
    [{ jti: '' }, 'assertion_claim_malformed', 'jti must be a string'],
    [{ sub: 'nobody' }, 'assertion_user_unknown', 'sub is nobody'],
  ] as const)('behaviour 7.20, RFC 7523 3, 3.1: %j is %s', async (claims, reason, why) => {
    expectRefusal(await withBackend().ask(claims), reason, why);
  });

  test.each(['sub', 'aud', 'exp'])(
    'RFC 7523 3: an assertion without %s is invalid_grant, and the claim is named',
    async (field) => {
      const outcome = await withBackend().ask({ [field]: undefined });
      const { description } = expectRefusal(outcome, 'assertion_claim_missing');
      expect(description).toBe(`${field} of the assertion is required (RFC 7523 3)`);
    },
  );

  test.each([ISSUER, `${ISSUER}/oauth/token`, [ISSUER, 'https://x.example']])(
    'RFC 7523 3: aud may be %j, and nbf, iat and jti are optional',
    async (aud) => {
      const { ask, answered } = withBackend();
      answered(await ask({ aud, iat: undefined, jti: undefined }));
    },
  );

  test('RFC 7523 3: an assertion not signed by a registered key is invalid_grant', async () => {
    const { sign, send, service } = withBackend();
    expectRefusal(await send(await sign({}, other)), 'assertion_key_unknown');
    const posed = await sign({}, other, { kid: 'k1' });
    expectRefusal(await send(posed), 'assertion_signature_wrong');
    const edwards = await clientKey('k1', 'EdDSA');
    expectRefusal(await send(await sign({}, edwards)), 'assertion_key_unfit');
    const [, claims] = (await sign()).split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    expectRefusal(await send(`${header}.${claims ?? ''}.`), 'assertion_alg_refused');
    service.registry.clients.put(backend({ jwks: null }));
    const detail = 'signed by key k1, registered: none';
    const refusal = expectRefusal(await send(await sign()), 'assertion_key_unknown', detail);
    expect(describeCause(refusal).summary).toBe('The client has no registered keys.');
  });

  test.each(['x', 'a.b', 'a.b.c', 'e30.e30.e30', 'a.b.c.d.e'])(
    'RFC 7523 2.1: %s is not a signed JWT, so invalid_grant',
    async (assertion) => {
      expectRefusal(await withBackend().send(assertion), 'assertion_malformed');
    },
  );
});

describe('RFC 7523 3: an assertion with a jti is used once', () => {
  test('behaviour 7.20, RFC 7523 3: a repeated jti is rejected, and the trace names its first use', async () => {
    const { sign, send, answered, advance } = withBackend();
    const assertion = await sign();
    answered(await send(assertion));
    advance(30);
    const used = 'used at 2026-11-21T10:00:00Z by exchange 1';
    expectRefusal(await send(assertion), 'assertion_replayed', used);
  });

  test('RFC 7523 3: exactly one of many simultaneous requests is accepted', async () => {
    const { sign, send } = withBackend({ settings: { throttle: { mode: 'off' } } });
    const assertion = await sign();
    const crowd = await Promise.all(Array.from({ length: 20 }, () => send(assertion)));
    expect(crowd.filter(({ answer }) => answer !== null)).toHaveLength(1);
  });

  test('behaviour 6, RFC 7521 4.1: without a jti it may be used again until it expires by the sandbox clock', async () => {
    const { sign, send, answered, advance } = withBackend();
    const assertion = await sign({ jti: undefined });
    answered(await send(assertion));
    advance(59);
    const again = await send(assertion);
    answered(again);
    expect(checkOf(again, 'consume')?.note).toBe('no jti: it can be used again until it expires');
    advance(1);
    expectRefusal(await send(assertion), 'assertion_expired');
  });
});

describe('the request', () => {
  test('RFC 7523 2.1: the assertion is required', async () => {
    const { send } = withBackend();
    expectRefusal(await send(undefined), 'parameter_missing');
    expectRefusal(await send(''), 'parameter_empty');
  });

  test('RFC 7523 2.2: the client may authenticate with another assertion', async () => {
    const signer = backend(signingClient(key));
    const { ask, answered } = withBackend({ settings: { profile: 'interop' }, clients: [signer] });
    const client_assertion = await signAssertion(key, assertionClaims(ISSUER, START));
    const by = { client_secret: undefined, client_assertion_type: JWT_BEARER, client_assertion };
    answered(await ask({}, by));
  });

  test('behaviour 7.20: requests are counted by client and address before the assertion is checked', async () => {
    const { send, service } = withBackend({ settings: { throttle: { limit: 1 } } });
    expectRefusal(await send('guess'), 'assertion_malformed');
    expectRefusal(await send('another guess'), 'throttled');
    expect(service.throttle.list().map(({ kind }) => kind)).toEqual(['client']);
  });
});
