// DPoP at the token endpoint (RFC 9449): each check of 4.3, the credentials that are bound to the key, and nonces.

import { base64url, decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import type { RefusalReason } from '../../src/core/checks/refusals/index.ts';
import { DPOP_ALGS } from '../../src/core/dpop/proof.ts';
import type { DpopHeader } from '../../src/core/model/request.ts';
import type { RequestParameters, TestServiceOptions } from '../support/core.ts';
import {
  checkOf,
  client,
  createTestService,
  deviations,
  expectRefusal,
  ISSUER,
  PUBLIC,
  refreshRequest,
  START,
} from '../support/core.ts';
import type { ProofKey, ProofParts } from '../support/dpop.ts';
import { dpopHeader, proof, proofKey } from '../support/dpop.ts';

let key: ProofKey;
let other: ProofKey;
beforeAll(async () => {
  [key, other] = await Promise.all([proofKey(), proofKey()]);
});

const OWN: RequestParameters = { grant_type: 'client_credentials' };

function withClient(members: Parameters<typeof client>[0] = {}, options: TestServiceOptions = {}) {
  const made = createTestService({
    settings: { profile: 'interop' },
    clients: [
      client({
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
        ...members,
      }),
    ],
    ...options,
  });
  const sendRaw = (value: string | null, members: Partial<DpopHeader> = {}) =>
    made.evaluate(
      refreshRequest(OWN, { dpop: value === null ? null : dpopHeader(value, members) }),
    );
  return {
    ...made,
    sendRaw,
    send: async (parts: ProofParts = {}, by: ProofKey = key) => sendRaw(await proof(by, parts)),
  };
}

type Made = ReturnType<typeof withClient>;

const rejected = async (
  outcome: ReturnType<Made['send']>,
  reason: RefusalReason,
  detail?: string | RegExp,
) => expectRefusal(await outcome, reason, detail);

describe('a valid proof', () => {
  test('behaviour 10.6, RFC 9449 5, 6.1: binds the access token to its key, with the type DPoP', async () => {
    const made = withClient();
    const outcome = await made.send();
    const { token_type, access_token } = made.answered(outcome);
    expect(token_type).toBe('DPoP');
    expect(decodeJwt(access_token)).toMatchObject({ cnf: { jkt: key.jkt } });
    expect(deviations(outcome)).toEqual(['dpop_accepted']);
  });

  test('behaviour 10.2, RFC 9449 4.3: is validated in this order, after the client and before the credential', async () => {
    const made = withClient();
    const outcome = await made.send({ claims: { iat: START / 1000 - 5 } });
    const passed = describeChecks(outcome.evaluation, false)
      .filter(({ verdict }) => verdict === 'passed')
      .map(({ id, got, note }) => [id, got ?? note]);
    const names = passed.map(([id]) => id);
    expect(passed.slice(names.indexOf('parameters'), names.indexOf('throttle') + 1)).toEqual([
      ['parameters', null],
      ['dpop_proof', 'a JWT signed with ES256'],
      ['dpop_signature', `thumbprint ${key.jkt}`],
      ['dpop_target', `POST ${ISSUER}/oauth/token`],
      ['dpop_time', 'iat is 5 s ago'],
      ['dpop_unused', null],
      ['throttle', '1 of 30 in this window of 1 min'],
    ]);
  });

  test.each(['RS256', 'PS384', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])(
    'behaviour 10.2, RFC 9449 4.2, 4.3: may be signed with %s',
    async (alg) => {
      const made = withClient();
      made.answered(await made.send({}, await proofKey(alg)));
    },
  );

  test.each([
    ['HTTP://LOCALHOST:4280/oauth/token', 'in capitals'],
    ['http://localhost:4280/./oauth/%74oken', 'with dots and redundant escapes'],
    ['http://localhost:4280/oauth/token?a=b#c', 'with a query and a fragment, which are ignored'],
  ])('behaviour 10.3, RFC 9449 4.3: may write the request URI as htu %s (%s)', async (htu) => {
    const made = withClient();
    made.answered(await made.send({ claims: { htu } }));
  });

  test('behaviour 10.3, RFC 9449 4.3: may name the requested host or the issuer in htu', async () => {
    const settings = { profile: 'interop', issuer: 'https://id.example/tenant' } as const;
    const made = withClient({}, { settings });
    const by = async (htu: string, members: Partial<DpopHeader> = {}) =>
      made.sendRaw(await proof(key, { claims: { htu } }), {
        host: '127.0.0.1:4280',
        path: '/tenant/oauth/token',
        ...members,
      });
    const [ofIssuer, ofHost] = [
      'https://id.example/tenant/oauth/token',
      'http://127.0.0.1:4280/tenant/oauth/token',
    ];
    made.answered(await by(ofIssuer));
    made.answered(await by(ofHost));
    const insecure = 'http://id.example/tenant/oauth/token';
    await rejected(
      by(insecure),
      'dpop_htu_differs',
      `htu is ${insecure}, expected ${ofIssuer} or ${ofHost}`,
    );
    await rejected(by('https://id.example/oauth/token'), 'dpop_htu_differs');
    // Without a Host, the first segment of the path is no host.
    await rejected(by('http://tenant/oauth/token', { host: '' }), 'dpop_htu_differs');
    made.answered(await by('https://id.example/a%2Fb', { path: '/a%2fb' }));
  });

  test('behaviour 10.6, RFC 9449 5, 6.1: binds an opaque token too', async () => {
    const made = withClient({ access_token_format: 'opaque' });
    const { access_token } = made.answered(await made.send());
    expect(await made.stores.findOpaqueToken(access_token)).toMatchObject({ jkt: key.jkt });
  });
});

describe('behaviour 10.2, RFC 9449 4.3: an invalid proof', () => {
  test.each([
    ['typ', 'JWT', 'dpop_typ_wrong', 'typ is JWT, expected dpop+jwt'],
    ['typ', undefined, 'dpop_typ_wrong', 'typ is missing, expected dpop+jwt'],
    ['jwk', undefined, 'dpop_jwk_missing'],
    ['jwk', 'a key', 'dpop_jwk_missing'],
  ] as const)('RFC 9449 4.2: %s %j is rejected', async (name, value, reason, detail?) => {
    await rejected(withClient().send({ header: { [name]: value } }), reason, detail);
  });

  test.each(['none', 'HS256', undefined])('RFC 9449 4.3: alg %s is rejected', async (alg) => {
    const [, payload = ''] = (await proof(key)).split('.');
    const header = base64url.encode(JSON.stringify({ typ: 'dpop+jwt', alg, jwk: key.public_jwk }));
    const detail = `alg is ${alg ?? 'missing'}, supported: ${DPOP_ALGS.join(', ')}`;
    await rejected(withClient().sendRaw(`${header}.${payload}.c2ln`), 'dpop_alg_refused', detail);
  });

  test('RFC 7515 4.1.11: a header with crit is rejected, as no extension is understood', async () => {
    const [, payload = ''] = (await proof(key)).split('.');
    const members = { typ: 'dpop+jwt', alg: 'ES256', jwk: key.public_jwk, crit: ['exp'] };
    const header = base64url.encode(JSON.stringify(members));
    await rejected(withClient().sendRaw(`${header}.${payload}.c2ln`), 'dpop_malformed');
  });

  test('RFC 9449 4.3: a private key in jwk is rejected, and only its members are named', async () => {
    const proving = withClient().send({ header: { jwk: { ...key.private_jwk, k: 'AA' } } });
    const refusal = await rejected(proving, 'dpop_jwk_private');
    expect(refusal.facts).toEqual({ got: 'd, k' });
  });

  test.each(['jti', 'htm', 'htu', 'iat'])('RFC 9449 4.2: %s is required', async (name) => {
    const proving = withClient().send({ claims: { [name]: undefined } });
    const refusal = await rejected(proving, 'dpop_claim_missing');
    expect(refusal.description).toContain(name);
  });

  test.each([
    ['jti', 7],
    ['htm', ''],
    ['htu', ['x']],
    ['iat', 'now'],
  ])('RFC 9449 4.2: %s %j has the wrong type', async (name, value) => {
    await rejected(withClient().send({ claims: { [name]: value } }), 'dpop_claim_malformed');
  });

  test.each<[RefusalReason, string]>([
    ...['', 'x', 'a.b.c', '..', `${'e30.'.repeat(3)}e30`].map((text): [RefusalReason, string] => [
      'dpop_malformed',
      text,
    ]),
    // Two headers, as Node joins them.
    ['dpop_repeated', 'a.b.c, a.b.c'],
    ['dpop_malformed', 'a'.repeat(8192)],
    ['dpop_too_long', 'a'.repeat(8193)],
  ])('RFC 9449 4.3: a header is rejected for %s', async (reason, value) => {
    await rejected(withClient().sendRaw(value), reason);
  });

  test('RFC 9449 4.3: the key in the header must be one for the algorithm, and have signed it', async () => {
    const foreign = withClient().send({ header: { jwk: other.public_jwk } });
    await rejected(foreign, 'dpop_signature_wrong');
    const { public_jwk } = await proofKey('EdDSA');
    const unfit = withClient().send({ header: { jwk: public_jwk } });
    await rejected(unfit, 'dpop_key_unfit', 'it is not a key for ES256');
    const unreadable = withClient().send({ header: { jwk: { ...key.public_jwk, y: 'AA' } } });
    await rejected(unreadable, 'dpop_key_unreadable');
  });
});

describe('a proof for another request', () => {
  test.each(['GET', 'post'])(
    'behaviour 10.2, RFC 9449 4.3: htm %s is rejected for a POST',
    async (htm) => {
      const detail = `htm is ${htm}, expected POST`;
      await rejected(withClient().send({ claims: { htm } }), 'dpop_htm_differs', detail);
    },
  );

  test.each([
    `${ISSUER}/userinfo`,
    'https://localhost:4280/oauth/token',
    'http://localhost/oauth/token',
    'http://user@localhost:4280/oauth/token',
    'http://:password@localhost:4280/oauth/token',
    ' http://localhost:4280/oauth/token',
    'http://[',
    '/oauth/token',
    'ftp://localhost:4280/oauth/token',
  ])('behaviour 10.3, RFC 9449 4.3: htu %s is rejected', async (htu) => {
    await rejected(withClient().send({ claims: { htu } }), 'dpop_htu_differs');
  });
});

describe('the time of a proof', () => {
  const at = (seconds: number) => ({ claims: { iat: START / 1000 + seconds } });

  test('behaviour 10.4, RFC 9449 4.3, 11.1: iat may differ from the sandbox clock by at most the proof window', async () => {
    const made = withClient();
    made.answered(await made.send(at(-60)));
    made.answered(await made.send(at(60)));
    expect((await rejected(made.send(at(-61)), 'dpop_old')).facts.seconds).toBe(61);
    expect((await rejected(made.send(at(61)), 'dpop_ahead')).facts.seconds).toBe(61);
    made.configure({ profile: 'interop', dpop: { proof_seconds: 300 } });
    made.answered(await made.send(at(-300)));
  });

  test('behaviour 10.4, RFC 9449 11.1: a proof can be used once; the rejection says when and by which exchange it was used', async () => {
    const made = withClient();
    const jwt = await proof(key);
    made.answered(await made.sendRaw(jwt));
    const refusal = await rejected(
      made.sendRaw(jwt),
      'dpop_replayed',
      /^used at .* by exchange 1$/,
    );
    expect(refusal.facts).toMatchObject({ at: START, exchange: 1 });
  });

  test('behaviour 10.4, RFC 9449 11.1: a longer window does not make a used proof valid again', async () => {
    const made = withClient();
    const jwt = await proof(key);
    made.answered(await made.sendRaw(jwt));
    made.advance(100);
    made.configure({ profile: 'interop', dpop: { proof_seconds: 3600 } });
    await rejected(made.sendRaw(jwt), 'dpop_replayed');
    const ahead = await proof(key, { claims: { iat: START / 1000 + 100 + 3600 } });
    made.answered(await made.sendRaw(ahead));
    made.advance(7200);
    await rejected(made.sendRaw(ahead), 'dpop_replayed');
  });

  test('RFC 9449 4.2: two keys may use the same jti', async () => {
    const made = withClient();
    made.answered(await made.send({ claims: { jti: 'same' } }));
    made.answered(await made.send({ claims: { jti: 'same' } }, other));
  });

  test('a proof that is rejected for another reason does not count as used', async () => {
    const made = withClient();
    const jwt = await proof(key);
    await rejected(made.sendRaw(jwt, { method: 'GET' }), 'dpop_htm_differs');
    made.answered(await made.sendRaw(jwt));
  });

  test('behaviour 10.4, RFC 9449 11.1: exactly one of many simultaneous uses of a proof is accepted', async () => {
    const made = withClient();
    const jwt = await proof(key);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => made.sendRaw(jwt)));
    expect(outcomes.filter(({ answer }) => answer !== null)).toHaveLength(1);
  });
});

describe('nonces', () => {
  const withNonces = () =>
    withClient(
      {},
      { settings: { profile: 'interop', dpop: { require_nonce: true, nonce_seconds: 30 } } },
    );
  const wanted = async (
    outcome: ReturnType<Made['send']>,
    reason: RefusalReason,
    detail?: string,
  ) => {
    const { evaluation, refusal } = await outcome;
    expectRefusal({ refusal }, reason, detail);
    return evaluation.dpop?.nonce ?? '';
  };

  test('behaviour 10.5, RFC 9449 8: if a nonce is required, the rejection supplies one that is then accepted', async () => {
    const made = withNonces();
    const nonce = await wanted(made.send(), 'dpop_nonce_missing');
    expect(nonce).toMatch(/^[\w.-]+$/);
    const outcome = await made.send({ claims: { nonce } });
    made.answered(outcome);
    const note = 'issued 0 s ago';
    expect(checkOf(outcome, 'dpop_nonce')).toMatchObject({ verdict: 'passed', note });
  });

  test('behaviour 10.5, RFC 9449 8.2: every response to a proof supplies the current nonce', async () => {
    const made = withNonces();
    const first = await wanted(made.send(), 'dpop_nonce_missing');
    made.advance(10);
    const outcome = await made.send({ claims: { nonce: first } });
    made.answered(outcome);
    expect(outcome.evaluation.dpop?.nonce).not.toBe(first);
  });

  test('behaviour 10.5, RFC 9449 8: a nonce that has expired, or lies ahead after the clock was set back, is rejected', async () => {
    const made = withNonces();
    const nonce = await wanted(made.send(), 'dpop_nonce_missing');
    made.advance(29);
    made.answered(await made.send({ claims: { nonce } }));
    made.advance(1);
    const old = 'issued 30 s ago, valid for 30 s';
    await wanted(made.send({ claims: { nonce } }), 'dpop_nonce_expired', old);
    made.clock.set(START - 1000);
    const ahead = 'issued 1 s in the future';
    await wanted(made.send({ claims: { nonce } }), 'dpop_nonce_expired', ahead);
  });

  test.each(['', 'x', 7, ['x'], 'aaaaaa.AAAAAAAAAAAAAAAAAAAAAA', 'a'.repeat(4000)])(
    'behaviour 10.5, RFC 9449 8: %j is not a nonce of this service',
    async (nonce) => {
      const made = withNonces();
      await wanted(made.send({ claims: { nonce } }), 'dpop_nonce_unknown');
    },
  );

  test('behaviour 10.5, RFC 9449 8: a reset ends the nonces issued before', async () => {
    const made = withNonces();
    const nonce = await wanted(made.send(), 'dpop_nonce_missing');
    made.service.reset();
    await wanted(made.send({ claims: { nonce } }), 'dpop_nonce_unknown');
  });

  test('RFC 9449 4.3: if none is required, none is supplied, and a nonce in a proof is ignored', async () => {
    const made = withClient();
    const outcome = await made.send({ claims: { nonce: 'of another server' } });
    made.answered(outcome);
    expect(outcome.evaluation.dpop?.nonce).toBeNull();
  });
});

describe('the use of DPoP', () => {
  test.each(['documented', 'strict'] as const)(
    'behaviour 1, 10.1: %s ignores the proof, notes that, and issues a bearer token',
    async (profile) => {
      const made = withClient({}, { settings: { profile } });
      const outcome = await made.sendRaw('not even read');
      const { token_type, access_token } = made.answered(outcome);
      expect(token_type).toBe('Bearer');
      expect(decodeJwt(access_token)).not.toHaveProperty('cnf');
      expect(deviations(outcome)).toEqual(['dpop_ignored: A DPoP proof']);
    },
  );

  test('behaviour 1, 10.1: the client’s profile applies', async () => {
    const made = withClient({ profile: 'interop' }, { settings: {} });
    expect(made.answered(await made.send()).token_type).toBe('DPoP');
  });

  test('RFC 9449 5: without a proof the token is a bearer token', async () => {
    const made = withClient();
    expect(made.answered(await made.sendRaw(null)).token_type).toBe('Bearer');
  });

  test('behaviour 10.1, RFC 9449 5.2: a client with dpop_bound_access_tokens must send a proof', async () => {
    const made = withClient({ dpop_bound_access_tokens: true });
    await rejected(made.sendRaw(null), 'dpop_required');
    made.answered(await made.send());
  });

  test('behaviour 10.1, RFC 9449 5.2: a client with dpop_bound_access_tokens gets no bearer token under a profile without DPoP', async () => {
    const made = withClient({ dpop_bound_access_tokens: true }, { settings: {} });
    expectRefusal(await made.send(), 'dpop_not_supported');
  });
});

describe('codes and refresh tokens', () => {
  const VERIFIER = 'v'.repeat(43);
  const by = async (signer: ProofKey) => ({ dpop: dpopHeader(await proof(signer)) });

  test('behaviour 10.6, RFC 9449 10: a code with dpop_jkt is redeemed only with a proof of that key, and another key does not consume it', async () => {
    const made = withClient();
    const code = await made.issueCode({ dpop_jkt: key.jkt });
    const unproven = expectRefusal(await made.exchange(code.value), 'dpop_key_unproven');
    expect(unproven.description).toContain('the code is bound');
    const foreign = await made.exchange(code.value, {}, await by(other));
    const refusal = expectRefusal(foreign, 'code_of_other_key');
    expect(refusal.facts).toEqual({ expected: key.jkt, got: other.jkt });
    expect(code.state).toBe('issued');
    const outcome = await made.exchange(code.value, {}, await by(key));
    expect(made.answered(outcome).token_type).toBe('DPoP');
    expect(checkOf(outcome, 'dpop_key')).toMatchObject({ expected: key.jkt, got: key.jkt });
  });

  test('behaviour 10.6, RFC 9449 5: the refresh token of a public client requires the same key, even after rotation', async () => {
    const made = withClient(PUBLIC, {
      settings: { profile: 'interop', refresh_rotation: { enabled: true } },
    });
    const secretless = { client_secret: undefined };
    const code = await made.issueCode({ code_challenge: VERIFIER });
    const verified = { ...secretless, code_verifier: VERIFIER };
    const first = made.answered(await made.exchange(code.value, verified, await by(key)));
    const token = first.refresh_token ?? '';
    const unproven = expectRefusal(await made.refresh(token, secretless), 'dpop_key_unproven');
    expect(unproven.description).toContain('the refresh token is bound');
    const foreign = await made.refresh(token, secretless, await by(other));
    expectRefusal(foreign, 'refresh_token_of_other_key');
    const second = made.answered(await made.refresh(token, secretless, await by(key)));
    expect(second.token_type).toBe('DPoP');
    const stolen = await made.refresh(second.refresh_token ?? '', secretless, await by(other));
    expectRefusal(stolen, 'refresh_token_of_other_key');
  });

  test('behaviour 10.6, RFC 9449 5: the refresh token of a confidential client accepts any key, and binds each access token to its key', async () => {
    const made = withClient();
    const code = await made.issueCode();
    const { refresh_token = '' } = made.answered(
      await made.exchange(code.value, {}, await by(key)),
    );
    const second = made.answered(await made.refresh(refresh_token, {}, await by(other)));
    expect(decodeJwt(second.access_token)).toMatchObject({ cnf: { jkt: other.jkt } });
    expect(made.answered(await made.refresh(refresh_token)).token_type).toBe('Bearer');
  });
});
