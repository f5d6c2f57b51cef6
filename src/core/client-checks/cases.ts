// The cases of a client check, in the order in which they are run, group by group. The rotation of keys comes last, since
// its keys stay published.

import {
  append,
  type CaseDraft,
  casesOf,
  type ClientCase,
  edited,
  failing,
  remove,
  rule,
  set,
} from './case.ts';
import { ID_TOKEN_CASES, SEVERAL_KEYS } from './id-token-cases.ts';
import { LOGOUT_CASES } from './logout-cases.ts';
import { TOKEN_CASES } from './token-cases.ts';

const RETRY_AFTER_S = 5;
const RETRY_AFTER: [string, string] = ['Retry-After', String(RETRY_AFTER_S)];

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
    text: 'The issuer in the metadata differs from the requested one.',
    section: 'OpenID Connect Discovery 4.3, RFC 8414 3.3',
    advice:
      'Compare issuer with the URL that the metadata was fetched for; use none of it if they differ.',
    rules: [edited('metadata', set('issuer', 'https://other-issuer.invalid'))],
  },
  {
    id: 'discovery-unavailable',
    title: 'Metadata not available',
    text: 'The response to a metadata request is 503.',
    section: 'RFC 9110 15.6.4',
    level: 'should',
    advice: 'Show an error; do not continue with guessed endpoints.',
    rules: [rule('metadata', failing(503, 'temporarily_unavailable'))],
  },
  {
    id: 'discovery-member-unknown',
    title: 'Metadata with an unknown member',
    text: 'The metadata has an additional, unknown member.',
    section: 'RFC 8414 2',
    expected: 'accept',
    advice: 'Ignore metadata that you do not know.',
    rules: [edited('metadata', set('grantbench_unknown', 'value'))],
  },
];

const STATE = {
  topic: 'state',
  advice: 'Check state before anything else, and against the session of this browser.',
  unreached: 'No authorization request had a state.',
} as const;
const ISS_ADVICE =
  'Where the metadata announces iss, require it and compare it with the issuer, as exact strings.';

const FOREIGN_ERROR = 'scripted by a client check';

const RESPONSES: readonly CaseDraft[] = [
  {
    id: 'state-invalid',
    title: 'Response with another state',
    text: 'The state in the authorization response is not the one of the request.',
    section: 'RFC 6749 10.12',
    ...STATE,
    rules: [edited('response', append('state', '-other'))],
  },
  {
    id: 'state-missing',
    title: 'Response without state',
    text: 'The request had a state; the authorization response has none.',
    section: 'RFC 6749 10.12',
    ...STATE,
    rules: [edited('response', remove('state'))],
  },
  {
    id: 'iss-other',
    title: 'Response from another issuer',
    text: 'The iss in the authorization response names another issuer.',
    section: 'RFC 9207 2.4',
    advice: ISS_ADVICE,
    rules: [edited('response', set('iss', 'https://other-issuer.invalid'))],
  },
  {
    id: 'iss-missing',
    title: 'Response without iss',
    text: 'The metadata announces iss; the authorization response has none.',
    section: 'RFC 9207 2.4',
    advice: ISS_ADVICE,
    rules: [edited('response', remove('iss'))],
  },
  {
    id: 'iss-slash',
    title: 'Response whose issuer has one more slash',
    text: 'The iss in the authorization response ends with an additional slash.',
    section: 'RFC 9207 2.4',
    advice: 'Compare issuers as exact strings (RFC 3986 6.2.1), without normalising them.',
    rules: [edited('response', append('iss', '/'))],
  },
  {
    id: 'iss-not-announced',
    title: 'No iss, and none announced',
    text: 'Neither the metadata nor the authorization response mentions iss.',
    section: 'RFC 9207 2.4',
    expected: 'accept',
    advice: 'Require iss only where the metadata announces it.',
    rules: [
      edited('response', remove('iss')),
      edited('metadata', remove('authorization_response_iss_parameter_supported')),
    ],
  },
  {
    id: 'iss-unexpected',
    title: 'iss that is not announced',
    text: 'The authorization response has the right iss; the metadata does not announce it.',
    section: 'RFC 9207 2.4',
    level: 'should',
    unreached: 'The login did not fetch the metadata.',
    advice:
      'Discard a response with iss from a server that does not announce it, unless you know that the server sends it.',
    rules: [edited('metadata', remove('authorization_response_iss_parameter_supported'))],
  },
  {
    id: 'authorization-parameter-unknown',
    title: 'Response with an unknown parameter',
    text: 'The authorization response has an additional, unknown parameter.',
    section: 'RFC 6749 4.1.2',
    topic: 'error',
    expected: 'accept',
    advice: 'Ignore parameters that you do not know.',
    rules: [edited('response', set('grantbench_unknown', 'value'))],
  },
  {
    id: 'authorization-error-iss-other',
    title: 'Error from another issuer',
    text: 'The authorization response has error=access_denied, no code, and the iss of another issuer.',
    section: 'RFC 9207 2.4',
    advice: 'Compare iss before you look at error, and show nothing of the response if it differs.',
    look_for: FOREIGN_ERROR,
    rules: [
      edited(
        'response',
        remove('code'),
        set('error', 'access_denied'),
        set('error_description', FOREIGN_ERROR),
        set('iss', 'https://other-issuer.invalid'),
      ),
    ],
  },
  {
    id: 'authorization-error',
    title: 'Error instead of a code',
    text: 'The authorization response has error=access_denied and no code.',
    section: 'RFC 6749 4.1.2.1',
    topic: 'error',
    advice: 'Show the error; do not treat a return to the redirect URI as a login.',
    rules: [edited('response', remove('code'), set('error', 'access_denied'))],
  },
];

const NO_KEYS = {
  section: 'OpenID Connect Core 10.1.1',
  advice: 'Without a key that verifies the ID token, the login fails.',
} as const;

const KEYS: readonly CaseDraft[] = [
  {
    id: 'jwks-empty',
    title: 'Empty JWK Set',
    text: 'The JWK Set has no keys.',
    ...NO_KEYS,
    rules: [edited('jwks', set('keys', []))],
  },
  {
    id: 'jwks-unavailable',
    title: 'JWK Set not available',
    text: 'The response to a JWK Set request is 503.',
    ...NO_KEYS,
    rules: [rule('jwks', failing(503, 'temporarily_unavailable'))],
  },
  {
    id: 'jwks-html',
    title: 'HTML instead of the JWK Set',
    text: 'The JWK Set is an HTML page with status 200.',
    ...NO_KEYS,
    rules: [rule('jwks', HTML)],
  },
];

const FAILURE = {
  section: 'RFC 6749 5.2',
  advice: 'Show an error that says what happened, and let the user try again.',
} as const;

const EARLY = {
  section: 'RFC 9110 10.2.3',
  advice: 'Wait for as long as Retry-After says before you send the request again.',
  progress: 'early_retry',
  by_traffic: true,
} as const;

const TRANSPORT: readonly CaseDraft[] = [
  {
    id: 'token-500',
    title: 'Token endpoint fails',
    text: 'The response to every token request is 500.',
    ...FAILURE,
    rules: [rule('token', failing(500, 'server_error'))],
  },
  {
    id: 'token-503',
    title: 'Token endpoint unavailable',
    text: `The response to every token request is 503 with Retry-After: ${RETRY_AFTER_S}.`,
    ...EARLY,
    rules: [rule('token', failing(503, 'temporarily_unavailable', RETRY_AFTER))],
  },
  {
    id: 'token-429',
    title: 'Too many token requests',
    text: `The response to every token request is 429 with Retry-After: ${RETRY_AFTER_S}.`,
    ...EARLY,
    rules: [rule('token', failing(429, 'too_many_requests', RETRY_AFTER))],
  },
  {
    id: 'token-html',
    title: 'HTML instead of tokens',
    text: 'The response to every token request is an HTML page with status 200.',
    ...FAILURE,
    rules: [rule('token', HTML)],
  },
  {
    id: 'token-cut',
    title: 'Token response cut off',
    text: 'The connection is closed in the middle of the token response.',
    ...FAILURE,
    rules: [rule('token', { kind: 'cut' })],
  },
  {
    id: 'token-slow',
    title: 'Slow token response',
    text: 'The token response comes two seconds late.',
    section: 'RFC 6749 5.2',
    expected: 'accept',
    advice: 'Wait longer than two seconds for a token response.',
    rules: [{ ...rule('token', { kind: 'truth' }), delay_ms: 2000 }],
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
    rules: [rule('token', { kind: 'truth' })],
  },
];

export const CLIENT_CASES: readonly ClientCase[] = [
  ...casesOf('authorization_response', { topic: 'iss', progress: 'code' }, RESPONSES),
  ...ID_TOKEN_CASES,
  ...TOKEN_CASES,
  ...LOGOUT_CASES,
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
  ...casesOf('keys', { topic: 'keys' }, [...ROTATION, ...SEVERAL_KEYS]),
];
