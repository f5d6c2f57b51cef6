// `grantbench check` of more clients: what each accepts, pinned (docs/guides/check-your-app.md says why). It takes minutes,
// and some of the clients come from Debian: `npm run check:clients`.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificate } from '../../support/https.ts';
import { runCli } from '../../support/run-cli.ts';
import { GO_PATH, need, PYTHON } from '../support/runtimes.ts';
import { words } from '../../support/words.ts';

interface Found {
  readonly id: string;
  readonly level: string;
  readonly expected: string;
  readonly result: string;
  readonly fault: boolean;
}

const REDIRECT_URIS = ['/callback', '/auth/callback/grantbench'].map(
  (path) => `http://localhost:3000${path}`,
);
const CLIENT = { client_id: 'demo-app', client_secret: 'demo-secret', client_name: 'Demo' };
const WORKSPACE = {
  version: 1,
  settings: { profile: 'interop', throttle: { mode: 'off' } },
  clients: [{ ...CLIENT, redirect_uris: REDIRECT_URIS }],
  users: [{ sub: 'ada', name: 'Ada Example', email: 'ada@example.test' }],
};

let folder: string;
const file = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grantbench-client-checks-'));
  writeFileSync(file('workspace.json'), JSON.stringify(WORKSPACE));
  const { cert, key } = await makeCertificate();
  writeFileSync(file('cert.pem'), cert);
  writeFileSync(file('key.pem'), key);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What is a fault of the client, by level, and what its login does not reach. */
async function found(
  command: readonly string[],
  { https = false }: { readonly https?: boolean } = {},
) {
  const tls = https ? ['--https', '--cert', file('cert.pem'), '--key', file('key.pem')] : [];
  const env = https ? { NODE_EXTRA_CA_CERTS: file('cert.pem') } : {};
  const flags = ['--json', '--timeout', '60', '--workspace', file('workspace.json'), ...tls];
  const { stdout } = await runCli(['check', ...flags, '--', ...command], { env });
  const { cases } = JSON.parse(stdout) as { readonly cases: readonly Found[] };
  const ids = (wanted: (one: Found) => boolean) => cases.filter(wanted).map(({ id }) => id);
  return {
    must: ids(({ fault, level }) => fault && level === 'must'),
    should: ids(({ fault, level }) => fault && level === 'should'),
    // None of these apps receives logout tokens.
    left: ids(
      ({ id, result }) =>
        !['passed', 'refused', 'accepted'].includes(result) && !id.startsWith('logout-token-'),
    ),
  };
}

const node = (name: string) => [process.execPath, `test/clients/logins/${name}.mjs`];

/** RFC 9207, which only clients on oauth4webapi know. */
const ISS = ['iss-other', 'iss-missing', 'iss-slash'];
const REFRESHED = ['refresh-id-token-iss-other', 'refresh-id-token-sub-other'];
const SIGNATURES = ['id-token-signature-invalid', 'id-token-key-unknown', 'id-token-kid-unknown'];
const UNSEEN = 'authorization-error-iss-other';
const DPOP = ['dpop-nonce-required', 'dpop-nonce-always'];
const NEVER = ['token-type-bearer-for-dpop', 'scope-absent'];
const USERINFO = [
  'userinfo-sub-other',
  'userinfo-sub-missing',
  'userinfo-claim-unknown',
  'userinfo-claims-absent',
  'userinfo-token-rejected',
];
const JWKS = ['jwks-empty', 'jwks-unavailable', 'jwks-html'];
const REFRESH = [
  ...REFRESHED,
  'refresh-invalid-grant',
  'refresh-id-token-absent',
  'refresh-token-absent',
];
const METADATA = ['discovery-issuer-mismatch', 'discovery-unavailable', 'discovery-member-unknown'];
/** Only recommended, or up to the client (OpenID Connect Core 3.1.3.7 and 3.1.3.8). */
const OPTIONAL = ['id-token-azp-other', 'id-token-iat-old', 'id-token-at-hash-other'];
const LONG = 600_000;

// It validates with openid-client; refresh() of its context.js takes the new ID token without comparing it with the old one.
test('express-openid-connect', { timeout: LONG }, async () => {
  expect(await found(node('express-openid-connect'))).toEqual({
    must: ['refresh-id-token-sub-other'],
    should: ['iss-unexpected', ...OPTIONAL, ...SIGNATURES, 'userinfo-token-rejected'],
    left: [UNSEEN, ...NEVER, 'refresh-token-absent', ...DPOP, ...JWKS],
  });
});

// It validates with oauth4webapi, and takes the user from the ID token.
test('Auth.js', { timeout: LONG }, async () => {
  expect(await found(node('auth-js'))).toEqual({
    must: [],
    should: ['iss-unexpected', ...OPTIONAL, ...SIGNATURES],
    left: [UNSEEN, ...NEVER, ...USERINFO, ...REFRESH, ...DPOP, ...JWKS],
  });
});

// strategy.js decodes the payload of the ID token and compares its claims; it has no keys and no metadata.
test('passport-openidconnect', { timeout: LONG }, async () => {
  expect(await found(node('passport-openidconnect'))).toEqual({
    must: [
      ...ISS,
      ...words(
        'id-token-alg-none id-token-alg-hs256-public-key access-token-missing',
        'token-type-missing token-type-unknown userinfo-sub-other userinfo-sub-missing',
      ),
    ],
    should: [
      'id-token-iat-old',
      'id-token-at-hash-other',
      'id-token-alg-other',
      ...SIGNATURES,
      'userinfo-token-rejected',
    ],
    // After a response that is cut off, it waits for ever.
    left: [
      'iss-unexpected',
      UNSEEN,
      ...NEVER,
      ...REFRESH,
      ...DPOP,
      'token-cut',
      ...JWKS,
      ...METADATA,
    ],
  });
});

// ResponseHandler of msal-common decodes the ID token and compares its nonce, and nothing else.
test('msal-node', { timeout: LONG }, async () => {
  expect(await found(node('msal-node'), { https: true })).toEqual({
    must: [
      ...ISS,
      ...words(
        'id-token-iss-other id-token-iss-missing id-token-aud-other id-token-aud-missing',
        'id-token-aud-untrusted id-token-sub-missing id-token-iat-missing id-token-exp-past',
        'id-token-exp-missing id-token-alg-none id-token-alg-hs256-public-key',
        'access-token-missing token-type-missing token-type-unknown',
      ),
      ...REFRESHED,
    ],
    should: [...['iss-unexpected', ...OPTIONAL], ...['id-token-alg-other', ...SIGNATURES]],
    left: [UNSEEN, ...NEVER, ...USERINFO, 'refresh-token-absent', ...DPOP, ...JWKS],
  });
});

// parse_response_token of OAuth2Session takes what comes, and the metadata is fetched without it.
test('Authlib', { timeout: LONG }, async (context) => {
  need('python3-authlib', context);
  expect(await found([PYTHON, 'test/clients/logins/authlib_login.py'])).toEqual({
    must: [...ISS, 'token-type-missing', ...REFRESHED, 'discovery-issuer-mismatch'],
    should: ['iss-unexpected', 'id-token-iat-old', 'userinfo-token-rejected'],
    left: [UNSEEN, ...NEVER, 'refresh-token-absent', ...DPOP],
  });
});

// IDTokenVerifier.Verify compares iss, aud, exp and the signature; Token.Type of x/oauth2 takes no type for Bearer.
test('golang.org/x/oauth2 with go-oidc', { timeout: LONG }, async (context) => {
  need('golang-github-coreos-go-oidc-dev', context);
  mkdirSync(file('go'));
  execFileSync('go', ['build', '-o', file('go/login'), 'test/clients/logins/go-oidc/main.go'], {
    env: { ...process.env, GO111MODULE: 'off', GOPATH: GO_PATH },
  });
  expect(await found([file('go/login')])).toEqual({
    must: [
      ...ISS,
      'id-token-aud-untrusted',
      'id-token-sub-missing',
      'id-token-iat-missing',
      'token-type-missing',
      'token-type-unknown',
      ...REFRESHED,
    ],
    should: ['iss-unexpected', ...OPTIONAL, 'userinfo-token-rejected'],
    left: [UNSEEN, ...NEVER, 'refresh-token-absent', ...DPOP],
  });
});

// proto.c: of several audiences without azp it says "a SHOULD in the spec"; it compares the iss of a response where there is
// one. It takes the issuer from the metadata, and goes on without UserInfo whose sub is another.
test('mod_auth_openidc', { timeout: LONG }, async (context) => {
  need('libapache2-mod-auth-openidc', context);
  expect(await found(node('mod-auth-openidc'))).toEqual({
    must: [
      'iss-missing',
      'id-token-aud-untrusted',
      'userinfo-sub-other',
      'userinfo-sub-missing',
      'discovery-issuer-mismatch',
    ],
    should: ['iss-unexpected', 'id-token-alg-other'],
    left: [UNSEEN, ...NEVER, ...REFRESH, ...DPOP],
  });
});
