// Every case of a client check changes the wire as described, and nothing else compared to a normal login. The table
// is written by hand; time is frozen, and random values, keys and signatures are replaced by names.

import { createHmac } from 'node:crypto';
import {
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  exportSPKI,
  importJWK,
  type JSONWebKeySet,
} from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Grantbench, startGrantbench } from '../../src/index.ts';
import { signIn } from '../support/logins/sign-in.mjs';

const REDIRECT_URI = 'http://localhost:3000/callback';
const VERIFIER = 'a-code-verifier-that-is-long-enough-for-rfc-7636';

let bench: Grantbench;
/** What a normal login receives. */
let good: Awaited<ReturnType<typeof login>>;
beforeAll(async () => {
  bench = await startGrantbench();
  await bench.control.settings.update({
    profile: 'interop',
    throttle: { mode: 'off' },
    refresh_rotation: { enabled: true },
  });
  await bench.freeze();
  good = await login();
});
afterAll(() => bench.close());

interface Answered {
  readonly status: number | 'cut';
  readonly type: string | null;
  readonly body: unknown;
}

async function ask(url: string | URL, init: RequestInit = {}): Promise<Answered> {
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    const type = response.headers.get('content-type');
    return {
      status: response.status,
      type,
      body: type === 'application/json' ? JSON.parse(text) : text,
    };
  } catch {
    return { status: 'cut', type: null, body: null };
  }
}

type Members = Record<string, unknown>;

/** The token response, if it is valid. */
interface Tokens {
  readonly access_token?: string;
  readonly refresh_token?: string;
}

/** The signer of the ID token. */
async function signatureOf(token: string, jwks: JSONWebKeySet): Promise<string> {
  const [head, payload, signature = ''] = token.split('.');
  if (signature === '') return 'none';
  const mac = (secret: string) =>
    createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url') === signature;
  if (mac(bench.client.client_secret)) return 'hs256 with the client_secret';
  const [key] = jwks.keys;
  const imported = await importJWK({ ...key }, String(key?.alg), { extractable: true });
  if (mac(`${await exportSPKI(imported as CryptoKey)}\n`)) return 'hs256 with the public key';
  return compactVerify(token, imported).then(
    () => 'the published key',
    () => 'another key',
  );
}

async function tokensOf({ body, ...answered }: Answered, jwks: JSONWebKeySet, now: number) {
  if (typeof body !== 'object' || body === null) return { ...answered, body };
  const { access_token, refresh_token, id_token, ...others } = body as Members;
  const opaque = (value: unknown) => (value === undefined ? undefined : 'a token');
  const claims = typeof id_token === 'string' ? decodeJwt(id_token) : null;
  const at_hash =
    !claims?.['at_hash'] || claims['at_hash'] === 'AAAAAAAAAAAAAAAAAAAAAA'
      ? claims?.['at_hash']
      : 'of the access token';
  const relative = (time: unknown) => (typeof time === 'number' ? time - now : time);
  const { iat, exp, auth_time, sid } = claims ?? {};
  const read =
    typeof id_token !== 'string'
      ? undefined
      : {
          header: decodeProtectedHeader(id_token),
          claims: {
            ...claims,
            at_hash,
            iat: relative(iat),
            exp: relative(exp),
            auth_time: relative(auth_time),
            // Each sign-in has a session of its own.
            sid: typeof sid,
          },
          signed_with: await signatureOf(id_token, jwks),
        };
  const tokens = { access_token: opaque(access_token), refresh_token: opaque(refresh_token) };
  return { ...answered, body: { ...others, ...tokens, id_token: read } };
}

/** A whole login by a client that validates nothing. @returns what it received, normalized */
async function login() {
  const { issuer, client } = bench;
  const now = Math.floor(Date.parse((await bench.control.clock.get()).now) / 1000);
  const url = new URL(`${issuer}/authorize`);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile offline_access',
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: VERIFIER,
    code_challenge_method: 'plain',
  }).toString();
  const metadata = await ask(`${issuer}/.well-known/openid-configuration`);
  const as_metadata = await ask(`${issuer}/.well-known/oauth-authorization-server`);
  const back = await signIn(url);
  const exchange = (await bench.control.exchanges.list({ limit: 1 })).items[0]?.number ?? 0;
  const sent = await bench.control.exchanges.get({ number: exchange, secrets: true });
  expect(sent.path.split('?')[0]).toBe('/authorize');
  const post = (body: Record<string, string>) =>
    ask(`${issuer}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: client.client_id,
        client_secret: client.client_secret,
        ...body,
      }),
    });
  // A case may remove the code; the issued one is redeemed anyway.
  const code =
    back.searchParams.get('code') ?? (await bench.issueCode({ client_id: client.client_id })).code;
  const tokens = await post({
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
  });
  const { access_token, refresh_token } = Object(tokens.body) as Tokens;
  const known = access_token ?? (await bench.issueTokens({ scope: 'openid profile' })).access_token;
  const jwks = await ask(`${issuer}/.well-known/jwks.json`);
  const userinfo = await ask(`${issuer}/userinfo`, {
    headers: { authorization: `Bearer ${known}` },
  });
  const refreshed =
    refresh_token === undefined ? null : await post({ grant_type: 'refresh_token', refresh_token });
  const published = await bench.control.keys.list();
  const keys = {
    keys: published.items.flatMap(({ public_jwk }) => (public_jwk === null ? [] : [public_jwk])),
  };
  const parameters = Object.fromEntries(back.searchParams);
  return {
    metadata,
    as_metadata,
    response: { ...parameters, ...('code' in parameters ? { code: 'a code' } : {}) },
    tokens: await tokensOf(tokens, keys, now),
    jwks,
    userinfo,
    refreshed: refreshed && (await tokensOf(refreshed, keys, now)),
  };
}

/** Every path where two values differ, with the second value there; undefined where it has none. */
function differences(good: unknown, bad: unknown, path = ''): Members {
  if (JSON.stringify(good) === JSON.stringify(bad)) return {};
  const isPlain = (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isPlain(good) || !isPlain(bad)) return { [path]: bad };
  const names = new Set([...Object.keys(good as Members), ...Object.keys(bad as Members)]);
  return Object.assign(
    {},
    ...[...names].map((name) =>
      differences(
        (good as Members)[name],
        (bad as Members)[name],
        path === '' ? name : `${path}.${name}`,
      ),
    ),
  ) as Members;
}

const OTHER = 'https://other-issuer.invalid';
const STRANGER = 'https://stranger.invalid';
const GONE = undefined;
const claim = (name: string, value: unknown) => ({
  [`tokens.body.id_token.claims.${name}`]: value,
  [`refreshed.body.id_token.claims.${name}`]: value,
});
const idToken = (name: string, value: unknown) => ({
  [`tokens.body.id_token.${name}`]: value,
  [`refreshed.body.id_token.${name}`]: value,
});
const member = (name: string, value: unknown) => ({
  [`tokens.body.${name}`]: value,
  [`refreshed.body.${name}`]: value,
});

const NOT_ANNOUNCED = {
  'metadata.body.authorization_response_iss_parameter_supported': GONE,
  'as_metadata.body.authorization_response_iss_parameter_supported': GONE,
};

const CASES: Readonly<Record<string, Members>> = {
  'state-invalid': { 'response.state': 'a-state-other' },
  'state-missing': { 'response.state': GONE },
  'iss-other': { 'response.iss': OTHER },
  'iss-missing': { 'response.iss': GONE },
  'iss-not-announced': { 'response.iss': GONE, ...NOT_ANNOUNCED },
  'iss-unexpected': NOT_ANNOUNCED,
  'authorization-parameter-unknown': { 'response.grantbench_unknown': 'value' },
  'id-token-iss-other': claim('iss', OTHER),
  'id-token-iss-missing': claim('iss', GONE),
  'id-token-aud-other': claim('aud', STRANGER),
  'id-token-aud-missing': claim('aud', GONE),
  'id-token-aud-untrusted': claim('aud', ['demo-app', STRANGER]),
  'id-token-azp-other': claim('azp', STRANGER),
  'id-token-sub-missing': claim('sub', GONE),
  'id-token-iat-missing': claim('iat', GONE),
  'id-token-exp-past': claim('exp', -360),
  'id-token-exp-missing': claim('exp', GONE),
  'id-token-iat-old': claim('iat', -604_800),
  'id-token-nonce-other': { 'tokens.body.id_token.claims.nonce': 'a-nonce-other' },
  'id-token-nonce-missing': { 'tokens.body.id_token.claims.nonce': GONE },
  'id-token-at-hash-other': claim('at_hash', 'AAAAAAAAAAAAAAAAAAAAAA'),
  'id-token-claim-unknown': claim('grantbench_unknown', 'value'),
  'id-token-aud-list': claim('aud', ['demo-app']),
  'id-token-at-hash-missing': claim('at_hash', GONE),
  'id-token-alg-none': { ...idToken('header.alg', 'none'), ...idToken('signed_with', 'none') },
  'id-token-alg-hs256-public-key': {
    ...idToken('header.alg', 'HS256'),
    ...idToken('signed_with', 'hs256 with the public key'),
  },
  'id-token-alg-other': {
    ...idToken('header.alg', 'HS256'),
    ...idToken('header.kid', GONE),
    ...idToken('signed_with', 'hs256 with the client_secret'),
  },
  'id-token-signature-invalid': idToken('signed_with', 'another key'),
  'id-token-key-unknown': idToken('signed_with', 'another key'),
  'id-token-kid-unknown': idToken('header.kid', 'unknown'),
  'access-token-missing': member('access_token', GONE),
  'token-type-missing': member('token_type', GONE),
  'token-type-unknown': member('token_type', 'unknown'),
  'id-token-missing': member('id_token', GONE),
  'token-member-unknown': member('grantbench_unknown', 'value'),
  'expires-in-absent': member('expires_in', GONE),
  'token-type-case': member('token_type', 'bEARER'),
  'userinfo-sub-other': { 'userinfo.body.sub': 'ada-other' },
  'userinfo-sub-missing': { 'userinfo.body.sub': GONE },
  'userinfo-claim-unknown': { 'userinfo.body.grantbench_unknown': 'value' },
  'userinfo-claims-absent': { 'userinfo.body.name': GONE },
  'refresh-id-token-absent': { 'refreshed.body.id_token': GONE },
  'refresh-token-absent': { 'refreshed.body.refresh_token': GONE },
  'refresh-id-token-iss-other': { 'refreshed.body.id_token.claims.iss': OTHER },
  'refresh-id-token-sub-other': { 'refreshed.body.id_token.claims.sub': 'ada-other' },
  'token-slow': {},
  'jwks-empty': { 'jwks.body.keys': [] },
  'discovery-member-unknown': {
    'metadata.body.grantbench_unknown': 'value',
    'as_metadata.body.grantbench_unknown': 'value',
  },
  'discovery-issuer-mismatch': { 'metadata.body.issuer': OTHER, 'as_metadata.body.issuer': OTHER },
};

/** The differing parts of the login for cases that replace the whole response. */
const ANSWERS: Readonly<
  Record<string, readonly (readonly [part: string, status: number | 'cut', type: string | null])[]>
> = {
  'token-500': [['tokens', 500, 'application/json']],
  'token-503': [['tokens', 503, 'application/json']],
  'token-429': [['tokens', 429, 'application/json']],
  'token-html': [['tokens', 200, 'text/html; charset=utf-8']],
  'token-cut': [['tokens', 'cut', null]],
  'dpop-nonce-required': [['tokens', 400, 'application/json']],
  'dpop-nonce-always': [['tokens', 400, 'application/json']],
  'userinfo-token-rejected': [['userinfo', 401, 'application/json']],
  'refresh-invalid-grant': [['refreshed', 400, 'application/json']],
  'jwks-unavailable': [['jwks', 503, 'application/json']],
  'jwks-html': [['jwks', 200, 'text/html; charset=utf-8']],
  'discovery-unavailable': [
    ['metadata', 503, 'application/json'],
    ['as_metadata', 503, 'application/json'],
  ],
};

async function loginUnder(id: string) {
  await bench.control.clientChecks.start({ case: id });
  const received = await login();
  await bench.control.clientChecks.stop();
  return received;
}

describe('behaviour 8.7: a case changes only the described part of the wire', () => {
  test.each(Object.entries(CASES))('%s', async (id, changed) => {
    // Without a refresh token in the response, nothing is refreshed.
    const bad = await loginUnder(id);
    expect(differences(good, bad)).toStrictEqual(
      bad.refreshed === null ? { ...changed, refreshed: null } : changed,
    );
  });

  test('iss-slash', async () => {
    const { response } = await loginUnder('iss-slash');
    expect(response).toEqual({ ...good.response, iss: `${bench.issuer}/` });
  });

  test('authorization-error', async () => {
    const { metadata, response, jwks } = await loginUnder('authorization-error');
    const { code: _code, ...others } = good.response as Members;
    expect({ metadata, response, jwks }).toEqual({
      metadata: good.metadata,
      response: { ...others, error: 'access_denied' },
      jwks: good.jwks,
    });
  });

  test('authorization-error-iss-other: the error, and nothing of ours', async () => {
    const { response } = await loginUnder('authorization-error-iss-other');
    const { code: _code, ...others } = good.response as Members;
    expect(response).toEqual({
      ...others,
      error: 'access_denied',
      error_description: 'scripted by a client check',
      iss: OTHER,
    });
  });

  test('id-token-kid-absent-single-key: neither the ID token nor the key has a kid', async () => {
    const changed = differences(good, await loginUnder('id-token-kid-absent-single-key'));
    expect(Object.keys(changed).sort()).toEqual([
      'jwks.body.keys',
      'refreshed.body.id_token.header.kid',
      'tokens.body.id_token.header.kid',
    ]);
    expect((changed['jwks.body.keys'] as Members[]).map((key) => 'kid' in key)).toEqual([false]);
  });

  test.each(Object.entries(ANSWERS))('%s', async (id, parts) => {
    const bad: Members = await loginUnder(id);
    for (const [part, status, type] of parts) expect(bad[part]).toMatchObject({ status, type });
    const touched = new Set(Object.keys(differences(good, bad)).map((path) => path.split('.')[0]));
    const follows =
      parts[0]?.[0] === 'tokens' ? ['tokens', 'refreshed'] : parts.map(([part]) => part);
    expect([...touched].filter((part) => !follows.includes(String(part)))).toEqual([]);
  });

  test('signing-key-rotation: a new key signs, and both are published', async () => {
    const { jwks, tokens } = await loginUnder('signing-key-rotation');
    const kids = (answered: Answered) =>
      (answered.body as JSONWebKeySet).keys.map(({ kid }) => kid);
    expect(kids(jwks)).toHaveLength(kids(good.jwks).length + 1);
    expect(tokens.body).toMatchObject({ id_token: { signed_with: 'the published key' } });
  });

  test('id-token-kid-absent-several-keys: a new key signs, and the ID token names none', async () => {
    const { jwks, tokens } = await loginUnder('id-token-kid-absent-several-keys');
    expect((jwks.body as JSONWebKeySet).keys.length).toBeGreaterThan(1);
    expect(tokens.body).toMatchObject({ id_token: { signed_with: 'the published key' } });
    expect(Object((tokens.body as Members)['id_token'])).not.toHaveProperty('header.kid');
  });

  test('the tables contain every case', async () => {
    const { items: all } = await bench.control.clientChecks.cases();
    // Those of the logout token are in test/control/logout.test.ts.
    const items = all.filter(({ group }) => group !== 'logout');
    const tested = [
      ...Object.keys(CASES),
      ...Object.keys(ANSWERS),
      ...[
        'iss-slash',
        'authorization-error',
        'authorization-error-iss-other',
        'id-token-kid-absent-single-key',
        'id-token-kid-absent-several-keys',
        'signing-key-rotation',
      ],
      // These need a DPoP proof or a differing scope.
      'token-type-bearer-for-dpop',
      'scope-absent',
    ];
    expect(items.map(({ id }) => id).sort()).toEqual(tested.sort());
  });
});
