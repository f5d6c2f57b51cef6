// docs/reference/tokens.md, behaviour 14: tokens signed for a test. Each mistake is checked with an independent
// verifier.

import type { JSONWebKeySet, JWTVerifyOptions } from 'jose';
import { createLocalJWKSet, decodeJwt, errors, exportSPKI, importJWK, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SignedToken } from '../../src/control/schemas.ts';
import { TOKEN_MISTAKE_NAMES, TOKEN_MISTAKES } from '../../src/core/records/token-mistakes.ts';
import type { TokenMistake } from '../../src/core/records/token-mistakes.ts';
import { TOKEN_EXCHANGE_GRANT, TOKEN_TYPES } from '../../src/oauth/token-request.ts';
import { introspect, userinfo } from '../support/form-calls.ts';
import type { Harness } from '../support/harness.ts';
import { call, CREDENTIALS, expectError, ORDERS, START, startHarness } from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';

const FOR_ORDERS = { client_id: 'demo-app', audience: ORDERS, scope: 'openid' };

const sign = ({ post }: Harness, members: object): Promise<SignedToken> =>
  post('/tokens/sign', members);

const jwksOf = async ({ url }: Harness): Promise<JSONWebKeySet> =>
  (await call(url(), 'GET', '/.well-known/jwks.json')).body as JSONWebKeySet;

/** Validates as a resource server of RFC 9068 does. */
async function verify(harness: Harness, token: string, more: JWTVerifyOptions = {}) {
  return jwtVerify(token, createLocalJWKSet(await jwksOf(harness)), {
    issuer: harness.engine.server().issuer,
    audience: ORDERS,
    typ: 'at+jwt',
    algorithms: ['ES256'],
    requiredClaims: ['exp'],
    currentDate: new Date(harness.machine.now),
    ...more,
  });
}

/** The code, and the claim or header member, of the verifier's error. */
async function rejection(
  harness: Harness,
  token: string,
  more?: JWTVerifyOptions,
): Promise<string> {
  try {
    await verify(harness, token, more);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    const { claim, reason } = error as Partial<errors.JWTClaimValidationFailed>;
    return [error.code, claim, reason].filter((part) => part !== undefined).join(' ');
  }
}

/** What the trace of an introspection says about the token. */
async function introspected(harness: Harness, token: string) {
  const answer = await introspect(harness, token);
  const items = await harness.list<{ cause: string | null }>('/exchanges');
  return { active: (answer.body as { active: boolean }).active, cause: items[0]?.cause };
}

const INVALID = 'ERR_JWT_CLAIM_VALIDATION_FAILED';
const NOT_VERIFIED = 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED';

const REJECTIONS: Readonly<Record<TokenMistake, string>> = {
  expired: 'ERR_JWT_EXPIRED exp check_failed',
  not_yet_valid: `${INVALID} nbf check_failed`,
  issued_in_future: 'accepted',
  no_exp: `${INVALID} exp missing`,
  exp_text: `${INVALID} exp invalid`,
  wrong_issuer: `${INVALID} iss check_failed`,
  wrong_audience: `${INVALID} aud check_failed`,
  no_audience: `${INVALID} aud missing`,
  wrong_typ: `${INVALID} typ check_failed`,
  no_typ: `${INVALID} typ check_failed`,
  unknown_kid: 'ERR_JWKS_NO_MATCHING_KEY',
  no_kid: 'accepted',
  unknown_critical: 'ERR_JOSE_NOT_SUPPORTED',
  unpublished_key: NOT_VERIFIED,
  key_in_header: NOT_VERIFIED,
  retired_key: 'ERR_JWKS_NO_MATCHING_KEY',
  alg_none: 'ERR_JOSE_ALG_NOT_ALLOWED',
  hs256_public_key: 'ERR_JOSE_ALG_NOT_ALLOWED',
  signature_altered: NOT_VERIFIED,
  signature_truncated: NOT_VERIFIED,
  payload_altered: NOT_VERIFIED,
};

const NOT_ISSUED = 'The token was built and signed for a test; it was never issued';
const KEY_UNKNOWN =
  'The token was signed with a key that this service does not have or that was retired';
const SIGNATURE_WRONG = 'The signature of the token is invalid';

const OTHER_ALG = 'its alg does not match the key';

const CAUSES: Readonly<Partial<Record<TokenMistake, string>>> = {
  expired: 'expired 1 h ago',
  wrong_issuer: 'iss is https://wrong-issuer.invalid, this issuer is http://localhost:4280',
  unknown_kid: KEY_UNKNOWN,
  no_kid: 'its header has no kid',
  retired_key: KEY_UNKNOWN,
  unknown_critical: 'its crit names a header member that this service does not understand',
  unpublished_key: SIGNATURE_WRONG,
  key_in_header: SIGNATURE_WRONG,
  alg_none: OTHER_ALG,
  hs256_public_key: OTHER_ALG,
  signature_altered: SIGNATURE_WRONG,
  signature_truncated: SIGNATURE_WRONG,
  payload_altered: SIGNATURE_WRONG,
};

const shared = shareHarness();

const withRetiredKey = shareHarness();
beforeAll(async () => {
  const harness = withRetiredKey();
  const [former] = (await jwksOf(harness)).keys;
  await harness.post('/keys', {});
  await harness.post(`/keys/${former?.kid ?? ''}/retire`);
});

describe('POST /tokens/sign', () => {
  it('behaviour 14.1: without a mistake, a resource server accepts it as an access token', async () => {
    const harness = shared();
    const signed = await sign(harness, FOR_ORDERS);
    const { payload, protectedHeader } = await verify(harness, signed.token);
    const [key] = (await jwksOf(harness)).keys;
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: key?.kid, typ: 'at+jwt' });
    expect(signed).toMatchObject({ header: protectedHeader, claims: payload });
    expect(signed).toMatchObject({ expected: 'accepted', mistakes: [] });
    const issued = await harness.post<{ access_token: string }>('/tokens', FOR_ORDERS);
    const { jti: _own, ...claims } = decodeJwt(issued.access_token);
    expect(payload).toEqual({ ...claims, jti: signed.claims['jti'] });
  });

  it('behaviour 14.1: given claims replace those of the client, and null removes a claim', async () => {
    const claims = { scope: null, roles: ['admin'], sub: 'eve', jti: 'mine' };
    const header = { typ: 'JWT', x: 1 };
    const signed = await sign(shared(), { ...FOR_ORDERS, claims, header });
    expect(signed.claims).toMatchObject({ roles: ['admin'], sub: 'eve', client_id: 'demo-app' });
    expect(signed.claims).not.toHaveProperty('scope');
    expect(signed.claims['jti']).toMatch(/^unissued\.[\w-]{22}$/);
    expect(signed.header).toMatchObject({ typ: 'JWT', x: 1, alg: 'ES256' });
  });

  it('behaviour 14.1: a token without a client has the given claims and a jti', async () => {
    const signed = await sign(shared(), { claims: { iss: 'https://a.test', nested: { a: null } } });
    expect(signed.claims).toEqual({
      iss: 'https://a.test',
      nested: { a: null },
      jti: expect.stringMatching(/^unissued\./) as string,
    });
  });

  it('behaviour 14.2: nothing is issued, and the service rejects it', async () => {
    const harness = await startHarness();
    const { token } = await sign(harness, FOR_ORDERS);
    expect(await harness.get('/tokens')).toMatchObject({ items: [] });
    expect(await introspected(harness, token)).toEqual({ active: false, cause: NOT_ISSUED });
    const refused = await userinfo(harness, token);
    expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
  });

  it('behaviour 14.2: a token with the jti of an issued token is not accepted', async () => {
    const harness = shared();
    const issued = await harness.post<{ access_token: string }>('/tokens', FOR_ORDERS);
    const { token } = await sign(harness, { claims: decodeJwt(issued.access_token) });
    expect(await introspected(harness, issued.access_token)).toMatchObject({ active: true });
    expect(await introspected(harness, token)).toEqual({ active: false, cause: NOT_ISSUED });
  });

  it('behaviour 14.2: token exchange rejects it as an id_token too', async () => {
    const harness = await startHarness();
    await harness.patch('/clients/demo-app', { grant_types: [TOKEN_EXCHANGE_GRANT] });
    const { issuer } = harness.engine.server();
    const claims = { iss: issuer, sub: 'ada', aud: 'demo-app', exp: START / 1000 + 60 };
    const { token } = await sign(harness, { claims, header: { typ: 'JWT' } });
    const answer = await harness.token({
      ...CREDENTIALS,
      grant_type: TOKEN_EXCHANGE_GRANT,
      subject_token: token,
      subject_token_type: TOKEN_TYPES.id_token,
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const items = await harness.list<{ cause: string }>('/exchanges');
    expect(items[0]?.cause).toContain('it was signed for a test and never issued');
  });

  it('behaviour 14.3: every tested rejection has a mistake', () => {
    expect(Object.keys(REJECTIONS).sort()).toEqual([...TOKEN_MISTAKE_NAMES].sort());
  });

  it.each(TOKEN_MISTAKE_NAMES)('behaviour 14.3: a verifier rejects exactly %s', async (mistake) => {
    const harness = withRetiredKey();
    const signed = await sign(harness, { ...FOR_ORDERS, wrong: [mistake] });
    expect(await rejection(harness, signed.token)).toBe(REJECTIONS[mistake]);
    const { text, rule } = TOKEN_MISTAKES[mistake];
    const { issuer } = harness.engine.server();
    const expected = REJECTIONS[mistake] === 'accepted' ? 'either' : 'rejected';
    expect(signed).toMatchObject({ expected, mistakes: [{ name: mistake, text, rule }] });
    expect(await introspected(harness, signed.token)).toEqual({
      active: false,
      cause: (CAUSES[mistake] ?? NOT_ISSUED).replace('http://localhost:4280', issuer),
    });
  });

  it('behaviour 14.3: a verifier with a maximum age rejects a token issued in the future', async () => {
    const harness = shared();
    const { token } = await sign(harness, { ...FOR_ORDERS, wrong: ['issued_in_future'] });
    const limited = { maxTokenAge: '1d' };
    expect(await rejection(harness, token, limited)).toBe(`${INVALID} iat check_failed`);
  });

  it('behaviour 14.3: a token without a kid is ambiguous with several keys', async () => {
    const harness = await startHarness();
    await harness.post('/keys', {});
    const { token } = await sign(harness, { ...FOR_ORDERS, wrong: ['no_kid'] });
    expect(await rejection(harness, token)).toBe('ERR_JWKS_MULTIPLE_MATCHING_KEYS');
  });

  it('behaviour 14.3: a verifier that uses the public key as a secret accepts the algorithm confusion', async () => {
    const harness = shared();
    const { token } = await sign(harness, { ...FOR_ORDERS, wrong: ['hs256_public_key'] });
    const [jwk] = (await jwksOf(harness)).keys;
    const key = await importJWK(jwk ?? {}, 'ES256', { extractable: true });
    const pem = `${await exportSPKI(key as Exclude<typeof key, Uint8Array>)}\n`;
    const { protectedHeader } = await jwtVerify(token, new TextEncoder().encode(pem), {
      currentDate: new Date(START),
    });
    expect(protectedHeader.alg).toBe('HS256');
  });

  it('behaviour 14.3: the times follow the sandbox clock', async () => {
    const harness = await startHarness();
    await harness.patch('/clock', { advance_seconds: 86_400 });
    const { claims } = await sign(harness, { ...FOR_ORDERS, wrong: ['expired'] });
    const now = START / 1000 + 86_400;
    expect(claims).toMatchObject({ exp: now - 3600, iat: now - 7200 });
  });

  it('behaviour 14.3: mistakes in different parts can be combined', async () => {
    const harness = shared();
    const wrong = ['expired', 'wrong_audience', 'no_typ', 'signature_altered'];
    const signed = await sign(harness, { ...FOR_ORDERS, wrong });
    expect(signed.header).not.toHaveProperty('typ');
    expect(signed.claims).toMatchObject({ aud: 'https://wrong-audience.invalid' });
    expect(signed.mistakes.map(({ name }) => name)).toEqual(wrong);
    expect(await rejection(harness, signed.token)).toBe(NOT_VERIFIED);
  });

  it.each([
    [{ exp: null }, 'no_exp', 'exp is missing.'],
    [{ exp: '1' }, 'exp_text', 'exp is not a number.'],
    [{ exp: 1 }, 'expired', 'exp is not in the future.'],
    [{ nbf: 99_999_999_999 }, 'not_yet_valid', 'nbf is in the future.'],
    [{ iss: 'https://other.test' }, 'wrong_issuer', expect.stringMatching(/^iss is not http/)],
    [{ aud: null }, 'no_audience', 'aud is missing.'],
  ])('behaviour 14.3: reports the mistake in the given claims %j', async (claims, name, text) => {
    const signed = await sign(shared(), { ...FOR_ORDERS, claims });
    const { rule } = TOKEN_MISTAKES[name as TokenMistake];
    expect(signed).toMatchObject({ expected: 'rejected', mistakes: [{ name, text, rule }] });
  });

  it.each([
    [['expired', 'no_exp'], 'wrong cannot have both expired and no_exp'],
    [['alg_none', 'signature_altered'], 'wrong cannot have both alg_none and signature_altered'],
    [['unknown_kid', 'retired_key'], 'wrong cannot have both unknown_kid and retired_key'],
    [['retired_key'], 'wrong cannot have retired_key: no key was retired since the start'],
  ])('behaviour 14.3: rejects %j', async (wrong, message) => {
    const answer = await shared().api('POST', '/tokens/sign', { ...FOR_ORDERS, wrong });
    expectError(answer, 422, 'invalid', 'wrong', message);
  });

  it.each(['hs256_public_key', 'key_in_header'])(
    'behaviour 14.3: rejects %s when the key has no public part',
    async (mistake) => {
      const harness = await startHarness();
      await harness.patch('/settings', { signing_alg: 'HS256' });
      const members = { ...FOR_ORDERS, wrong: [mistake] };
      const answer = await harness.api('POST', '/tokens/sign', members);
      const message = `wrong cannot have ${mistake}: HS256 has no public key`;
      expectError(answer, 422, 'invalid', 'wrong', message);
    },
  );

  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, 1]));
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

  it.each([
    ['client_id', { client_id: 'nobody' }, 'is not a registered client'],
    ['client_id', { sub: 'ada' }, 'is required with sub'],
    [
      'audience',
      { client_id: 'demo-app', audience: 'https://x.test' },
      'is not a registered audience',
    ],
    ['wrong[0]', { wrong: ['late'] }, `must be one of ${TOKEN_MISTAKE_NAMES.join(', ')}`],
    ['wrong[1]', { wrong: ['expired', 'expired'] }, 'repeats the mistake "expired"'],
    [
      'header.alg',
      { header: { alg: 'none' } },
      'is set by the key; use wrong to make a deliberate mistake',
    ],
    [
      'header.kid',
      { header: { kid: 'x' } },
      'is set by the key; use wrong to make a deliberate mistake',
    ],
    ['header', { header: many(51) }, 'must have at most 50 members'],
    ['header', { header: { x: 'x'.repeat(8192) } }, 'must be at most 8 KiB of JSON'],
    ['claims', { claims: many(501) }, 'must have at most 500 members'],
    ['claims', { claims: { x: 'é'.repeat(32_768) } }, 'must be at most 64 KiB of JSON'],
    ['claims.deep', { claims: { deep: deep(40) } }, 'must be JSON of at most 32 levels'],
    ['claims', { claims: [] }, 'must be a JSON object'],
  ])('behaviour 14.4: names %s and the rule', async (field, members, rule) => {
    const answer = await shared().api('POST', '/tokens/sign', members);
    expectError(answer, 422, 'invalid', field, `${field} ${rule}`);
  });
});
