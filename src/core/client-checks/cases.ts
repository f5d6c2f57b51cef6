// The cases of a client check, in the order in which they are run: authorization responses, tokens, keys, transport.
// Those of one group first; a rotation of keys comes last, since its keys stay published.

import { at, type CaseDraft, casesOf, type ClientCase } from './case.ts';
import { ID_TOKEN_CASES } from './id-token-cases.ts';

const set = (member: string, value: unknown) => ({ member, do: 'set', value });
const remove = (member: string) => ({ member, do: 'remove' });
const append = (member: string, text: string) => ({ member, do: 'append', text });

const JSON_HEADERS: [string, string][] = [
  ['Content-Type', 'application/json'],
  ['Cache-Control', 'no-store'],
];
const RETRY_AFTER_S = 5;
const RETRY_AFTER: [string, string] = ['Retry-After', String(RETRY_AFTER_S)];

const failing = (status: number, error: string, ...more: [string, string][]) => ({
  kind: 'answer' as const,
  status,
  headers: [...JSON_HEADERS, ...more],
  body: JSON.stringify({ error, error_description: 'scripted by a client check' }),
});

const HTML = {
  kind: 'answer' as const,
  status: 200,
  headers: [['Content-Type', 'text/html; charset=utf-8']] as [string, string][],
  body: '<!doctype html>\n<title>Maintenance</title>\n<h1>Down for maintenance</h1>\n',
};

const DISCOVERY: readonly CaseDraft[] = [
  {
    id: 'discovery-issuer-mismatch',
    title: 'Metadata of another issuer',
    text: 'The issuer in the metadata is not the one that was asked.',
    section: 'OpenID Connect Discovery 4.3, RFC 8414 3.3',
    advice:
      'Compare issuer with the URL that the metadata was fetched for; use none of it if they differ.',
    rules: [at.metadata(set('issuer', 'https://other-issuer.invalid'))],
  },
  {
    id: 'discovery-unavailable',
    title: 'Metadata not available',
    text: 'The metadata is answered with 503.',
    section: 'RFC 9110 15.6.4',
    level: 'should',
    advice: 'Show an error instead of going on with guessed endpoints.',
    rules: [at.instead('/.well-known/o*', failing(503, 'temporarily_unavailable'))],
  },
];

const STATE = {
  topic: 'state',
  advice: 'Check state before anything else, and against the session of this browser.',
  unreached: 'The authorization request had no state.',
} as const;
const ISS_ADVICE =
  'Where the metadata announces iss, require it and compare it with the issuer, as exact strings.';

const RESPONSES: readonly CaseDraft[] = [
  {
    id: 'state-invalid',
    title: 'Response with another state',
    text: 'The state in the authorization response is not the one of the request.',
    section: 'RFC 6749 10.12',
    ...STATE,
    rules: [at.response(append('state', '-other'))],
  },
  {
    id: 'state-missing',
    title: 'Response without state',
    text: 'The request had a state; the authorization response has none.',
    section: 'RFC 6749 10.12',
    ...STATE,
    rules: [at.response(remove('state'))],
  },
  {
    id: 'iss-other',
    title: 'Response from another issuer',
    text: 'The iss in the authorization response names another issuer.',
    section: 'RFC 9207 2.4',
    advice: ISS_ADVICE,
    rules: [at.response(set('iss', 'https://other-issuer.invalid'))],
  },
  {
    id: 'iss-missing',
    title: 'Response without iss',
    text: 'The metadata announces iss; the authorization response has none.',
    section: 'RFC 9207 2.4',
    advice: ISS_ADVICE,
    rules: [at.response(remove('iss'))],
  },
  {
    id: 'iss-slash',
    title: 'Response whose issuer has one more slash',
    text: 'The iss in the authorization response ends with an additional slash.',
    section: 'RFC 9207 2.4',
    advice: 'Compare issuers as exact strings (RFC 3986 6.2.1): normalise nothing.',
    rules: [at.response(append('iss', '/'))],
  },
  {
    id: 'iss-not-announced',
    title: 'No iss, and none announced',
    text: 'Neither the metadata nor the authorization response mentions iss.',
    section: 'RFC 9207 2.4',
    expected: 'accept',
    advice: 'Require iss only where the metadata announces it.',
    rules: [
      at.response(remove('iss')),
      at.metadata(remove('authorization_response_iss_parameter_supported')),
    ],
  },
  {
    id: 'authorization-error',
    title: 'Error instead of a code',
    text: 'The authorization response has error=access_denied and no code.',
    section: 'RFC 6749 4.1.2.1',
    topic: 'error',
    advice: 'Show the error; do not treat a return to the redirect URI as a login.',
    rules: [at.response(remove('code'), set('error', 'access_denied'))],
  },
];

const token = (
  id: string,
  title: string,
  text: string,
  edit: object,
  more: Partial<CaseDraft>,
): CaseDraft => ({
  id,
  title,
  text,
  section: 'RFC 6749 5.1',
  advice: 'Validate the token response before you use any of it.',
  rules: [at.token({ kind: 'edit_json', edits: [edit] } as Parameters<typeof at.token>[0])],
  ...more,
});

const TOKEN_RESPONSES: readonly CaseDraft[] = [
  token(
    'access-token-missing',
    'No access token',
    'The token response has no access_token.',
    remove('access_token'),
    { advice: 'Require access_token and token_type.' },
  ),
  token(
    'token-type-missing',
    'No token_type',
    'The token response has no token_type.',
    remove('token_type'),
    { advice: 'Require access_token and token_type.' },
  ),
  token(
    'token-type-unknown',
    'Unknown token_type',
    'The token_type is one that no client knows.',
    set('token_type', 'unknown'),
    { section: 'RFC 6749 7.1', advice: 'Use an access token only if you know its type.' },
  ),
  token(
    'id-token-missing',
    'No ID token',
    'The scope has openid, and the token response has no id_token.',
    remove('id_token'),
    {
      section: 'OpenID Connect Core 3.1.3.3',
      advice: 'Require an ID token wherever your app requested openid.',
      unreached: 'The login received no ID token: it did not request the scope openid.',
    },
  ),
  token(
    'token-type-bearer-for-dpop',
    'Bearer token for a DPoP proof',
    'The request had a DPoP proof; the token_type is Bearer.',
    set('token_type', 'Bearer'),
    {
      section: 'RFC 9449 5',
      level: 'should',
      topic: 'dpop',
      advice: 'Where your app requires sender-constrained tokens, refuse token_type Bearer.',
      unreached: 'The token request had no DPoP proof.',
    },
  ),
  token(
    'expires-in-absent',
    'No expires_in',
    'The token response has no expires_in, which is only recommended.',
    remove('expires_in'),
    { expected: 'accept', advice: 'Use a default, or refresh after a 401.' },
  ),
  token(
    'scope-absent',
    'No scope',
    'The token response has no scope: it is the one that was requested.',
    remove('scope'),
    {
      expected: 'accept',
      advice: 'Without scope, the requested scope was granted.',
      unreached: 'The token response has no scope anyway.',
    },
  ),
  token(
    'token-type-case',
    'token_type in the other case',
    'The token_type is bEARER: its case does not matter.',
    { member: 'token_type', do: 'swap_case' },
    { expected: 'accept', advice: 'Compare token_type without regard to case.' },
  ),
];

const USERINFO: readonly CaseDraft[] = [
  {
    id: 'userinfo-sub-other',
    title: 'UserInfo of another user',
    text: 'The sub in the UserInfo response is not the one of the ID token.',
    section: 'OpenID Connect Core 5.3.2',
    advice: 'Compare sub with that of the ID token before you use any claim.',
    rules: [at.json('/userinfo', append('sub', '-other'))],
  },
  {
    id: 'userinfo-sub-missing',
    title: 'UserInfo without sub',
    text: 'The UserInfo response has no sub.',
    section: 'OpenID Connect Core 5.3.2',
    advice: 'Require sub, and compare it with that of the ID token.',
    rules: [at.json('/userinfo', remove('sub'))],
  },
];

const jwks = (
  id: string,
  title: string,
  text: string,
  rule: CaseDraft['rules'][number],
): CaseDraft => ({
  id,
  title,
  text,
  section: 'OpenID Connect Core 10.1.1',
  advice: 'Without a key that verifies the ID token, the login fails.',
  rules: [rule],
});

const KEYS: readonly CaseDraft[] = [
  jwks(
    'jwks-empty',
    'Empty JWK Set',
    'The JWK Set has no keys.',
    at.json('/.well-known/jwks.json', set('keys', [])),
  ),
  jwks(
    'jwks-unavailable',
    'JWK Set not available',
    'The JWK Set is answered with 503.',
    at.instead('/.well-known/jwks.json', failing(503, 'temporarily_unavailable')),
  ),
  jwks(
    'jwks-html',
    'HTML instead of the JWK Set',
    'The JWK Set is an HTML page with status 200.',
    at.instead('/.well-known/jwks.json', HTML),
  ),
];

const transport = (
  id: string,
  title: string,
  text: string,
  effect: Parameters<typeof at.token>[0],
  more: Partial<CaseDraft> = {},
): CaseDraft => ({
  id,
  title,
  text,
  section: 'RFC 6749 5.2',
  advice: 'Show an error that says what happened, and let the user try again.',
  rules: [at.tokenInstead(effect)],
  ...more,
});

const EARLY = {
  section: 'RFC 9110 10.2.3',
  advice: 'Wait for as long as Retry-After says before you send the request again.',
  progress: 'early_retry',
  by_traffic: true,
} as const;

const TRANSPORT: readonly CaseDraft[] = [
  transport(
    'token-500',
    'Token endpoint fails',
    'Every token request is answered with 500.',
    failing(500, 'server_error'),
  ),
  transport(
    'token-503',
    'Token endpoint unavailable',
    `Every token request is answered with 503 and Retry-After: ${RETRY_AFTER_S}.`,
    failing(503, 'temporarily_unavailable', RETRY_AFTER),
    EARLY,
  ),
  transport(
    'token-429',
    'Too many token requests',
    `Every token request is answered with 429 and Retry-After: ${RETRY_AFTER_S}.`,
    failing(429, 'too_many_requests', RETRY_AFTER),
    EARLY,
  ),
  transport(
    'token-html',
    'HTML instead of tokens',
    'Every token request is answered with an HTML page and status 200.',
    HTML,
  ),
  transport(
    'token-cut',
    'Token response cut off',
    'The connection is closed in the middle of the token response.',
    { kind: 'cut' },
    { rules: [at.token({ kind: 'cut' })] },
  ),
  transport(
    'token-slow',
    'Slow token response',
    'The token response comes two seconds late.',
    { kind: 'truth' },
    {
      expected: 'accept',
      advice: 'Wait for a token response for more than two seconds.',
      rules: [{ ...at.token({ kind: 'truth' }), delay_ms: 2000 }],
    },
  ),
];

const REFRESH: readonly CaseDraft[] = [
  {
    id: 'refresh-invalid-grant',
    title: 'Refresh token rejected',
    text: 'Every refresh is answered with 400 invalid_grant.',
    section: 'RFC 6749 5.2',
    advice: 'Forget the refresh token and send the user to sign in again, once.',
    progress: 'same_refresh_token',
    by_traffic: true,
    unreached: 'The login redeemed no refresh token.',
    rules: [at.tokenInstead(failing(400, 'invalid_grant'), 'refresh_token')],
  },
];

const ROTATION: readonly CaseDraft[] = [
  {
    id: 'signing-key-rotation',
    title: 'New signing key',
    text: 'The server signs with a new key, which is published.',
    section: 'OpenID Connect Core 10.1.1',
    expected: 'accept',
    rotates_key: true,
    advice: 'Fetch the JWK Set again for a kid that you do not know.',
    rules: [at.token({ kind: 'truth' })],
  },
];

export const CLIENT_CASES: readonly ClientCase[] = [
  ...casesOf('authorization_response', { topic: 'iss', progress: 'code' }, RESPONSES),
  ...ID_TOKEN_CASES.filter(({ group }) => group === 'id_token'),
  ...casesOf('token_response', { topic: 'token_response', progress: 'tokens' }, TOKEN_RESPONSES),
  ...casesOf(
    'userinfo',
    { topic: 'userinfo', unreached: 'The login did not ask for UserInfo.' },
    USERINFO,
  ),
  ...ID_TOKEN_CASES.filter(({ group }) => group === 'refresh'),
  ...casesOf('refresh', { topic: 'refresh', level: 'should' }, REFRESH),
  ...casesOf('transport', { topic: 'transport', level: 'should' }, TRANSPORT),
  ...casesOf(
    'keys',
    {
      topic: 'keys',
      level: 'should',
      progress: 'tokens',
      unreached: 'The login did not fetch the JWK Set.',
    },
    KEYS,
  ),
  ...casesOf(
    'discovery',
    {
      topic: 'discovery',
      progress: 'authorization',
      unreached: 'The login did not fetch the metadata.',
    },
    DISCOVERY,
  ),
  ...casesOf('keys', { topic: 'keys' }, ROTATION),
];
