// Every refusal of a token request, under each profile and dialect: first those before a credential is checked, then
// those of the grants.

import type { HttpStep, Session, Step } from '../document.ts';
import {
  basic,
  bearer,
  BILLING,
  CHALLENGE,
  clientCredentials,
  control,
  DEMO,
  DIALECTS,
  exchange,
  issueCode,
  mint,
  ORDERS,
  OTHER,
  pass,
  PROFILES,
  REDIRECT_URI,
  refresh,
  session,
  settings,
  tokenForm,
  tokenJson,
  TOKENS,
  VERIFIER,
} from './steps.ts';

const GRANT = 'authorization_code';

const raw = (name: string, headers: readonly string[], body?: string): HttpStep => ({
  name,
  http: 'POST /oauth/token',
  headers,
  ...(body === undefined ? {} : { body }),
});

const JSON_TYPE = ['Content-Type: application/json'];
const FORM_TYPE = ['Content-Type: application/x-www-form-urlencoded'];

const unreadable: readonly HttpStep[] = [
  raw('no content type', [], '{}'),
  raw('plain text', ['Content-Type: text/plain'], 'grant_type=refresh_token'),
  raw('another charset', ['Content-Type: application/json; charset=iso-8859-1'], '{}'),
  raw('compressed', [...JSON_TYPE, 'Content-Encoding: gzip'], '{}'),
  raw('no body', JSON_TYPE),
  raw('malformed JSON', JSON_TYPE, '{"grant_type":'),
  raw('a JSON array', JSON_TYPE, '[]'),
  raw('a value that is no string', JSON_TYPE, '{"grant_type":1}'),
  raw('a member twice', JSON_TYPE, '{"grant_type":"refresh_token","grant_\\u0074ype":"x"}'),
  raw('a field twice', FORM_TYPE, 'grant_type=refresh_token&client_id=a&client_id=b'),
  raw('a field twice that nobody knows', FORM_TYPE, 'grant_type=refresh_token&secret=a&secret=b'),
  raw('resource twice', FORM_TYPE, 'grant_type=refresh_token&resource=a&resource=b'),
  {
    ...raw('bytes that are not UTF-8', FORM_TYPE),
    body_base64: Buffer.from([97, 61, 255]).toString('base64'),
  },
  raw('escapes that are not UTF-8', FORM_TYPE, 'grant_type=%ff'),
  raw('half a surrogate pair', JSON_TYPE, '{"grant_type":"\\ud800"}'),
];

const code = {
  grant_type: GRANT,
  code: 'unknown-code',
  redirect_uri: REDIRECT_URI,
  audience: ORDERS,
};

const clients: readonly HttpStep[] = [
  tokenJson('no grant_type', DEMO),
  tokenJson('an empty grant_type', { ...DEMO, grant_type: '' }),
  tokenJson('another grant_type', { ...DEMO, grant_type: 'urn:example:grant' }),
  tokenJson('grant_type in capitals', { ...DEMO, grant_type: 'Refresh_Token' }),
  tokenForm('a form for a code', { ...DEMO, ...code }),
  tokenJson('JSON for a refresh', { ...DEMO, grant_type: 'refresh_token', refresh_token: 'x' }),
  {
    ...tokenJson('a secret in the query', { ...DEMO, ...code }),
    http: 'POST /oauth/token?client_secret=demo-secret&other=1',
  },
  tokenJson('Basic', code, { headers: [basic('demo-app', 'demo-secret')] }),
  tokenJson('Basic of a client registered for it', code, {
    headers: [basic('basic-app', 'basic-secret')],
  }),
  tokenJson('Basic with a wrong secret', code, { headers: [basic('basic-app', 'wrong')] }),
  tokenJson('Basic that cannot be decoded', code, { headers: ['Authorization: Basic ***'] }),
  tokenJson(
    'Basic beside a secret',
    { ...DEMO, ...code },
    { headers: [basic('demo-app', 'demo-secret')] },
  ),
  tokenJson(
    'Basic of another client_id',
    { ...code, client_id: 'other-app' },
    { headers: [basic('demo-app', 'demo-secret')] },
  ),
  tokenJson('a Bearer header beside the body', { ...DEMO, ...code }, { headers: [bearer('x')] }),
  tokenJson('body of a client registered for Basic', {
    ...code,
    client_id: 'basic-app',
    client_secret: 'basic-secret',
  }),
  tokenJson('no client_id', { ...code, client_secret: 'demo-secret' }),
  tokenJson('an empty client_id', { ...code, client_id: '', client_secret: 'demo-secret' }),
  tokenJson('an unknown client', { ...code, client_id: 'nobody', client_secret: 'x' }),
  tokenJson('no secret', { ...code, client_id: 'demo-app' }),
  tokenJson('an empty secret', { ...code, client_id: 'demo-app', client_secret: '' }),
  tokenJson('a wrong secret', { ...code, client_id: 'demo-app', client_secret: 'Demo-secret' }),
  tokenJson('a public client', { ...code, client_id: 'public-app' }),
  tokenJson('a public client with a secret', {
    ...code,
    client_id: 'public-app',
    client_secret: 'x',
  }),
  tokenJson('a client assertion', {
    ...code,
    client_assertion: 'x.y.z',
    client_assertion_type: 'urn:x',
  }),
  tokenForm('a grant that the client may not use', {
    grant_type: 'refresh_token',
    refresh_token: 'x',
    client_id: 'service-app',
    client_secret: 'service-secret',
  }),
  clientCredentials('a public client for itself', {
    client_id: 'public-app',
    client_secret: undefined,
  }),
  tokenJson('no code', { ...DEMO, ...code, code: undefined }),
  tokenJson('an empty code', { ...DEMO, ...code, code: '' }),
  tokenJson('no redirect_uri', { ...DEMO, ...code, redirect_uri: undefined }),
  tokenJson('no audience', { ...DEMO, ...code, audience: undefined }),
  tokenForm('no refresh_token', { ...DEMO, grant_type: 'refresh_token' }),
  tokenJson('parameters that are not read', { ...DEMO, ...code, resource: ORDERS, tenant: 'x' }),
];

const codes: readonly Step[] = [
  exchange('a code that nobody issued', { code: 'nothing' }),
  mint(),
  exchange('a refresh token as code', { code: '${refresh_token}' }),
  exchange('an access token as code', { code: '${access_token}' }),
  issueCode({ audience: ORDERS, scope: 'openid orders:read' }),
  exchange('a code of another client', OTHER),
  exchange('another redirect_uri', { redirect_uri: 'http://localhost:3000/callbacK' }),
  exchange('a verifier without challenge', { code_verifier: VERIFIER }),
  exchange('another audience than authorized', { audience: BILLING }),
  exchange('an unknown audience', { audience: 'https://nobody.example/' }),
  exchange('the code', {}, TOKENS),
  exchange('the code again'),
  refresh('a refresh of what the used code revoked'),
  issueCode(),
  exchange('audience and resource', { resource: BILLING }),
  issueCode({ scope: 'orders:write' }),
  exchange('an audience that does not know the scope', { audience: BILLING }),
  issueCode(),
  exchange('resource instead of audience', { audience: undefined, resource: ORDERS }),
  issueCode(),
  exchange('no audience', { audience: undefined }),
  issueCode({
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    scope: 'openid',
    nonce: 'n-1',
  }),
  exchange('no verifier'),
  exchange('an empty verifier', { code_verifier: '' }),
  exchange('a verifier that is too short', { code_verifier: 'short' }),
  exchange('a wrong verifier', { code_verifier: `${VERIFIER}x` }),
  exchange('the right verifier', { code_verifier: VERIFIER }),
  issueCode({ code_challenge: VERIFIER, code_challenge_method: 'plain' }),
  exchange('a wrong plain verifier', { code_verifier: `${VERIFIER}x` }),
  exchange('the right plain verifier', { code_verifier: VERIFIER }),
  issueCode({ code_expires_in: 5, access_token_expires_in: 90 }),
  pass(7),
  exchange('an expired code'),
  issueCode({ client_id: 'narrow-app' }),
  exchange('a client without the refresh grant', {
    client_id: 'narrow-app',
    client_secret: 'narrow-secret',
  }),
  issueCode({ client_id: 'other-app' }),
  control('PATCH /clients/other-app', { client_secret: null, token_endpoint_auth_method: 'none' }),
  exchange('a client made public since, without challenge', {
    client_id: 'other-app',
    client_secret: undefined,
  }),
];

const refreshes: readonly Step[] = [
  mint({ scope: 'openid orders:read' }),
  issueCode(),
  refresh('an unknown refresh token', { refresh_token: 'nothing' }),
  refresh('a code as refresh token', { refresh_token: '${code}' }),
  refresh('an access token as refresh token', { refresh_token: '${access_token}' }),
  refresh('of another client', OTHER),
  refresh('the refresh'),
  refresh('less scope', { scope: 'orders:read' }),
  refresh('more scope', { scope: 'openid orders:write' }),
  refresh('a scope that nobody knows', { scope: 'openid nobody:knows' }),
  refresh('scope that is malformed', { scope: 'openid  "x"' }),
  refresh('an empty scope', { scope: '' }),
  refresh('the audience named again', { audience: ORDERS }),
  refresh('another audience', { audience: BILLING }),
  refresh('another resource', { resource: BILLING }),
  clientCredentials('client credentials', { audience: ORDERS, scope: 'orders:read' }),
  clientCredentials('client credentials without audience'),
  clientCredentials('client credentials for an unknown audience', {
    audience: 'https://x.example',
  }),
  clientCredentials('client credentials for a scope that nobody knows', {
    audience: ORDERS,
    scope: 'nobody',
  }),
  clientCredentials('client credentials for a malformed scope', { audience: ORDERS, scope: '"' }),
];

/** Recorded under one profile and dialect only, because the results do not depend on them. */
const ends: readonly Step[] = [
  settings({ lifetimes: { refresh_token: 100 } }),
  mint(),
  pass(101),
  refresh('an expired refresh token'),
  mint(),
  tokenForm('revoked', { ...DEMO, token: '${refresh_token}' }),
];

export function tokenRequestSessions(): [string, Session][] {
  return PROFILES.flatMap((profile) =>
    DIALECTS.flatMap((dialect): [string, Session][] => {
      const name = `${profile}-${dialect}`;
      const of = `profile ${profile}, dialect ${dialect}`;
      // Body parsing does not depend on the dialect.
      const reading = dialect === 'rfc6749' ? unreadable : [];
      return [
        [
          `token-clients-${name}`,
          session(`Token requests and clients: ${of}`, { profile, dialect }, [
            ...reading,
            ...clients,
          ]),
        ],
        [`token-codes-${name}`, session(`Codes: ${of}`, { profile, dialect }, codes)],
        [
          `token-refreshes-${name}`,
          session(`Refreshes and clients for themselves: ${of}`, { profile, dialect }, [
            ...refreshes,
            ...(dialect === 'auth0' ? [] : ends),
          ]),
        ],
      ];
    }),
  );
}
