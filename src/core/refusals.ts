// Every reason for which a request is refused: its error code, what the wire says (behaviour 3), and
// what only the trace tells. Wire sentences are ASCII without quotes or backslashes and never carry
// anything the client sent but the name of a parameter the protocol knows.

import type { ErrorCode, RefusalFacts } from './errors.ts';
import type { CheckId } from './trace.ts';

/** Every reason, in the order of judgement (behaviour 3). */
export type RefusalReason =
  | 'method_not_allowed'
  | 'not_found'
  | 'malformed_http'
  | 'headers_too_large'
  | 'body_stalled'
  | 'body_cut'
  | 'body_too_large'
  | 'content_type_missing'
  | 'content_type_unreadable'
  | 'charset_unsupported'
  | 'content_encoding_unsupported'
  | 'body_not_utf8'
  | 'body_missing'
  | 'json_malformed'
  | 'json_not_object'
  | 'value_not_string'
  | 'parameter_repeated'
  | 'grant_type_missing'
  | 'grant_type_unsupported'
  | 'content_type_not_documented'
  | 'query_credentials'
  | 'basic_not_allowed'
  | 'header_not_allowed'
  | 'two_client_authentications'
  | 'basic_malformed'
  | 'client_id_missing'
  | 'client_unknown'
  | 'client_secret_missing'
  | 'client_secret_wrong'
  | 'client_secret_unexpected'
  | 'grant_not_allowed'
  | 'parameter_missing'
  | 'parameter_empty'
  | 'throttled'
  | 'code_unknown'
  | 'code_is_other_credential'
  | 'code_of_other_client'
  | 'code_redeemed'
  | 'code_revoked'
  | 'code_expired'
  | 'refresh_token_unknown'
  | 'refresh_token_is_other_credential'
  | 'refresh_token_of_other_client'
  | 'refresh_token_rotated'
  | 'refresh_token_revoked'
  | 'refresh_token_expired'
  | 'redirect_uri_differs'
  | 'code_verifier_missing'
  | 'code_verifier_unexpected'
  | 'code_verifier_malformed'
  | 'code_verifier_wrong'
  | 'challenge_required'
  | 'audience_unknown'
  | 'audience_differs'
  | 'resource_differs'
  | 'scope_unknown'
  | 'scope_beyond_grant'
  | 'scope_malformed'
  | 'fault'
  | 'stopping';

type Words = string | ((facts: RefusalFacts) => string);

export interface Refusal {
  readonly check: CheckId;
  readonly error: ErrorCode;
  readonly description: Words;
  /** The cause in one sentence for people. */
  readonly summary: Words;
  /** What only the trace tells. */
  readonly detail?: (facts: RefusalFacts) => string;
  /** What to change. */
  readonly advice?: Words;
}

/** The first place where two texts differ, zero-based. */
export function differsAt(expected: string, got: string): number {
  let index = 0;
  while (index < expected.length && expected[index] === got[index]) index += 1;
  return index;
}

const clockTime = (at = 0) => new Date(at).toISOString().slice(11, 19);
const field = (facts: RefusalFacts) => facts.field ?? 'a parameter';
const by = (facts: RefusalFacts) =>
  facts.exchange === undefined ? '' : ` by exchange ${facts.exchange}`;
const differs = (name: string) => (facts: RefusalFacts) =>
  `${name} differs at character ${differsAt(facts.expected ?? '', facts.got ?? '') + 1}`;
const since = (facts: RefusalFacts) => `expired ${facts.seconds ?? 0} s ago`;
const owner = (facts: RefusalFacts) =>
  `issued to client ${facts.client ?? '?'}, presented by client ${facts.other_client ?? '?'}`;

const request = (check: CheckId, description: Words, summary: Words, advice?: Words): Refusal => ({
  check,
  error: 'invalid_request',
  description,
  summary,
  ...(advice === undefined ? {} : { advice }),
});

export const REFUSALS: Readonly<Record<RefusalReason, Refusal>> = {
  // 1-3: before the request is read
  method_not_allowed: {
    check: 'method',
    error: 'method_not_allowed',
    description: 'the method is not allowed here; see the Allow header',
    summary: 'This endpoint does not take that method.',
    detail: (facts) => `got ${facts.got ?? 'another method'}, allowed ${facts.expected ?? 'POST'}`,
    advice: (facts) => `Send ${facts.expected ?? 'POST'}.`,
  },
  not_found: {
    check: 'path',
    error: 'not_found',
    description: 'nothing is served at this path; see the metadata for the endpoints',
    summary: 'Nothing is served at this path.',
    advice: 'The token endpoint is POST /oauth/token; the metadata lists the others.',
  },
  malformed_http: request(
    'http',
    'the HTTP request is malformed (RFC 9112)',
    'What came over the connection is not well-formed HTTP.',
  ),
  headers_too_large: request(
    'http',
    'the request headers must not exceed 64 KiB',
    'The request headers exceed 64 KiB.',
  ),
  body_stalled: request(
    'body',
    'the request body must arrive in full; it stalled for 15 seconds',
    'The body stopped half way and nothing came for 15 s.',
    'Check Content-Length: it may promise more than is sent.',
  ),
  body_cut: request(
    'body',
    'the request body must arrive in full',
    'The client hung up before its body was complete.',
  ),
  body_too_large: request(
    'body',
    (facts) => `the request body must not exceed ${facts.expected ?? ''} bytes`,
    (facts) => `The body exceeds ${facts.expected ?? ''} bytes.`,
  ),
  content_type_missing: request(
    'content_type',
    'the Content-Type header must be application/json or application/x-www-form-urlencoded',
    'The request has no Content-Type.',
    'Send Content-Type: application/json or application/x-www-form-urlencoded.',
  ),
  content_type_unreadable: request(
    'content_type',
    'the Content-Type header must be application/json or application/x-www-form-urlencoded',
    'The Content-Type is neither JSON nor a form.',
    'Send Content-Type: application/json or application/x-www-form-urlencoded.',
  ),
  charset_unsupported: request(
    'content_type',
    'the charset of the Content-Type header must be UTF-8',
    'The body is announced in a charset other than UTF-8.',
    'Send UTF-8 and leave the charset parameter out.',
  ),
  content_encoding_unsupported: request(
    'content_type',
    'the Content-Encoding header must not be sent: an encoded body is not read',
    'The body is announced as compressed.',
    'Send the body as it is, without Content-Encoding.',
  ),
  body_not_utf8: request(
    'body',
    'the request body must be valid UTF-8',
    'The body holds bytes or escapes that are not UTF-8.',
  ),
  body_missing: request(
    'body',
    'the request body must not be empty',
    'The request came without a body.',
  ),
  json_malformed: request(
    'body',
    'the request body must be well-formed JSON (RFC 8259)',
    'The body is announced as JSON but cannot be parsed as JSON.',
  ),
  json_not_object: request(
    'body',
    'the request body must be a JSON object',
    'The body is JSON, but no object.',
  ),
  value_not_string: request(
    'body',
    (facts) => `${field(facts)} must be a string`,
    (facts) => `The value of ${field(facts)} is not a string.`,
    (facts) => `Send ${field(facts)} as a JSON string.`,
  ),
  parameter_repeated: request(
    'body',
    (facts) => `${field(facts)} must not be repeated (RFC 6749 3.2)`,
    (facts) => `The body has ${field(facts)} more than once.`,
    'Send each parameter once.',
  ),

  // 4-5
  grant_type_missing: request(
    'grant_type',
    'grant_type is required',
    'The request does not say which grant it makes.',
    'Send grant_type=authorization_code or grant_type=refresh_token.',
  ),
  grant_type_unsupported: {
    check: 'grant_type',
    error: 'unsupported_grant_type',
    description: 'grant_type must be exactly authorization_code or refresh_token',
    summary: 'The grant type is not one this service knows.',
    advice: 'Compare it letter by letter: it is case-sensitive and takes no spaces.',
  },
  content_type_not_documented: request(
    'grant_content_type',
    (facts) => `the Content-Type for this grant_type must be ${facts.expected ?? ''}`,
    'The strict profile takes only the documented body format for this grant.',
    (facts) => `Send the body as ${facts.expected ?? ''}.`,
  ),
  query_credentials: request(
    'query',
    'client credentials and tokens must not be sent in the query string (RFC 6749 2.3.1)',
    'Credentials came in the query string.',
    'Move them into the body: query strings end up in logs.',
  ),

  // 6: the client
  basic_not_allowed: {
    check: 'authorization_header',
    error: 'invalid_client',
    description:
      'client_id and client_secret must be sent in the body; HTTP Basic is not accepted here',
    summary: 'The client authenticates with HTTP Basic, which this service does not take.',
    advice:
      'Send client_id and client_secret in the body (client_secret_post in most client libraries).',
  },
  header_not_allowed: {
    check: 'authorization_header',
    error: 'invalid_client',
    description:
      'client_id and client_secret must be sent in the body; no Authorization header is accepted',
    summary: 'The strict profile takes no Authorization header at the token endpoint.',
    advice: 'Leave the Authorization header out.',
  },
  two_client_authentications: request(
    'authorization_header',
    'the client must not use more than one authentication method (RFC 6749 2.3)',
    'The client authenticates twice, with HTTP Basic and in the body.',
    'Keep one of the two.',
  ),
  basic_malformed: {
    check: 'authorization_header',
    error: 'invalid_client',
    description: 'the Authorization header must hold base64 of client_id:client_secret',
    summary: 'The HTTP Basic credentials cannot be decoded.',
    advice: 'Encode client_id:client_secret as base64 (RFC 7617).',
  },
  client_id_missing: request(
    'client_id',
    'client_id is required and must not be empty',
    'The request does not say which client it comes from.',
    'Send client_id in the body.',
  ),
  client_unknown: {
    check: 'client_id',
    error: 'invalid_client',
    description: 'client_id or client_secret is wrong',
    summary: 'No client is registered under this client_id.',
    advice: 'Compare client_id with the list of clients, or register it.',
  },
  client_secret_missing: {
    check: 'client_secret',
    error: 'invalid_client',
    description: 'client_secret is required and must not be empty',
    summary: 'The client_secret is missing or empty.',
    advice: 'Send client_secret in the body. An environment variable may not be set.',
  },
  client_secret_wrong: {
    check: 'client_secret',
    error: 'invalid_client',
    description: 'client_id or client_secret is wrong',
    summary: 'The client_secret is not that of the client.',
    advice: 'Copy the secret from the client once more; check for cut or added characters.',
  },
  client_secret_unexpected: request(
    'client_secret',
    'client_secret must not be sent by a client that has none',
    'The client is public and has no secret, yet one was sent.',
    'Leave client_secret out.',
  ),

  // 7-8
  grant_not_allowed: {
    check: 'grant_allowed',
    error: 'unauthorized_client',
    description: 'the client may not use this grant_type',
    summary: 'The client is not registered for this grant.',
    advice: "Add the grant to the client's grant types.",
  },
  parameter_missing: request(
    'parameters',
    (facts) => `${field(facts)} is required`,
    (facts) => `The required parameter ${field(facts)} is missing.`,
    (facts) => `Send ${field(facts)} in the body.`,
  ),
  parameter_empty: request(
    'parameters',
    (facts) => `${field(facts)} must not be empty`,
    (facts) => `The required parameter ${field(facts)} is empty.`,
    (facts) => `Give ${field(facts)} a value; a variable may not be set.`,
  ),

  // 9
  throttled: {
    check: 'throttle',
    error: 'too_many_requests',
    description: (facts) =>
      `too many requests with this token from this address; retry in ${facts.seconds ?? 1} s`,
    summary: 'The limit for this token from this address is used up.',
    detail: (facts) => `${facts.expected ?? ''}; the window turns over in ${facts.seconds ?? 1} s`,
    advice:
      'Ask for a new access token only when the old one has expired, and wait for Retry-After.',
  },

  // 10: the credential
  code_unknown: {
    check: 'credential_known',
    error: 'invalid_grant',
    description: 'the code is not valid',
    summary: 'This service never issued such a code, or forgot it long ago.',
    advice: 'Check that the code arrives whole and url-decoded once, and at the right server.',
  },
  code_is_other_credential: {
    check: 'credential_known',
    error: 'invalid_grant',
    description: 'the code is not valid',
    summary: 'What was sent as code is another kind of credential.',
    detail: (facts) => `it is ${facts.got ?? 'another credential'}`,
    advice: 'Send the code from the authorization response.',
  },
  code_of_other_client: {
    check: 'credential_client',
    error: 'invalid_grant',
    description: 'the code was not issued to this client',
    summary: 'The code was issued to another client.',
    detail: owner,
    advice: 'Use the client_id of the authorization request.',
  },
  code_redeemed: {
    check: 'credential_live',
    error: 'invalid_grant',
    description: 'the code is no longer valid: it can be used once',
    summary: 'The code was used before; all that came of it is revoked now.',
    detail: (facts) => `used at ${clockTime(facts.at)}${by(facts)}`,
    advice: 'Exchange each code once. A double submit or a retry often sends it twice.',
  },
  code_revoked: {
    check: 'credential_live',
    error: 'invalid_grant',
    description: 'the code is no longer valid: it was revoked',
    summary: 'The code was revoked.',
    detail: (facts) => `revoked at ${clockTime(facts.at)}${by(facts)}`,
    advice: 'Send the user through the authorization again.',
  },
  code_expired: {
    check: 'credential_live',
    error: 'invalid_grant',
    description: 'the code is no longer valid: it has expired',
    summary: 'The code has expired.',
    detail: since,
    advice: 'Exchange the code right after the redirect, or give codes a longer life.',
  },
  refresh_token_unknown: {
    check: 'credential_known',
    error: 'invalid_grant',
    description: 'the refresh_token is not valid',
    summary: 'This service never issued such a refresh token, or forgot it long ago.',
    advice:
      'The sandbox forgets tokens when it is reset or restarted: run the authorization again.',
  },
  refresh_token_is_other_credential: {
    check: 'credential_known',
    error: 'invalid_grant',
    description: 'the refresh_token is not valid',
    summary: 'What was sent as refresh_token is another kind of credential.',
    detail: (facts) => `it is ${facts.got ?? 'another credential'}`,
    advice: 'Send the refresh_token of the code exchange.',
  },
  refresh_token_of_other_client: {
    check: 'credential_client',
    error: 'invalid_grant',
    description: 'the refresh_token was not issued to this client',
    summary: 'The refresh token was issued to another client.',
    detail: owner,
    advice: 'Refresh with the client that exchanged the code.',
  },
  refresh_token_rotated: {
    check: 'credential_live',
    error: 'invalid_grant',
    description: 'the refresh_token is no longer valid: it was replaced',
    summary: 'The refresh token was replaced before; all that came of it is revoked now.',
    detail: (facts) => `replaced at ${clockTime(facts.at)}${by(facts)}`,
    advice: 'Keep the newest refresh_token of each answer, and refresh one at a time.',
  },
  refresh_token_revoked: {
    check: 'credential_live',
    error: 'invalid_grant',
    description: 'the refresh_token is no longer valid: it was revoked',
    summary: 'The refresh token was revoked.',
    detail: (facts) => `revoked at ${clockTime(facts.at)}${by(facts)}`,
    advice: 'Send the user through the authorization again.',
  },
  refresh_token_expired: {
    check: 'credential_live',
    error: 'invalid_grant',
    description: 'the refresh_token is no longer valid: it has expired',
    summary: 'The refresh token has expired.',
    detail: since,
    advice: 'Send the user through the authorization again.',
  },

  // 11
  redirect_uri_differs: {
    check: 'redirect_uri',
    error: 'invalid_grant',
    description:
      'redirect_uri must be identical to the one the code was issued for (RFC 6749 4.1.3)',
    summary: 'The redirect URI is not the one the code was issued for.',
    detail: differs('redirect_uri'),
    advice: 'Send exactly the value used at the authorization. The code is still unused.',
  },
  code_verifier_missing: {
    check: 'pkce',
    error: 'invalid_grant',
    description: 'code_verifier is required: the code was issued with a code_challenge',
    summary: 'The code was issued with a code_challenge, but no code_verifier came.',
    advice: 'Send the code_verifier that the challenge was made of (RFC 7636 4.5).',
  },
  code_verifier_unexpected: {
    check: 'pkce',
    error: 'invalid_grant',
    description: 'code_verifier must not be sent: the code was issued without a code_challenge',
    summary: 'A code_verifier came, but the code was issued without a code_challenge.',
    advice: 'Send code_challenge with the authorization, or leave code_verifier out.',
  },
  code_verifier_malformed: {
    check: 'pkce',
    error: 'invalid_grant',
    description: 'code_verifier must be 43 to 128 unreserved characters (RFC 7636 4.1)',
    summary: 'The code_verifier has a length or characters that RFC 7636 does not allow.',
    detail: (facts) => `it has ${facts.got ?? '?'} characters`,
  },
  code_verifier_wrong: {
    check: 'pkce',
    error: 'invalid_grant',
    description: 'code_verifier does not fit the code_challenge (RFC 7636 4.6)',
    summary: 'The code_verifier does not fit the code_challenge.',
    detail: (facts) => `challenge method ${facts.expected ?? ''}`,
    advice: 'Keep the verifier of the very authorization that this code came from.',
  },
  challenge_required: {
    check: 'pkce',
    error: 'invalid_grant',
    description: 'a client without secret must use a code_challenge (RFC 7636)',
    summary: 'A public client redeems a code that was issued without a code_challenge.',
    advice: 'Send code_challenge and code_challenge_method=S256 with the authorization.',
  },

  // 12
  audience_unknown: {
    check: 'audience',
    error: 'invalid_target',
    description: 'audience must be the address of a registered API (RFC 8707)',
    summary: 'No audience is registered under this address.',
    advice: 'Compare it with the list of audiences; the issuer itself is always one.',
  },
  audience_differs: {
    check: 'audience',
    error: 'invalid_target',
    description: 'audience must be the one of the authorization',
    summary: 'The audience is not the one the authorization was for.',
    detail: differs('audience'),
    advice: 'Name the same audience in both steps.',
  },
  resource_differs: {
    check: 'audience',
    error: 'invalid_target',
    description: 'audience and resource must agree (RFC 8707)',
    summary: 'The request names one API as audience and another as resource.',
    advice: 'Send one of the two, or the same value in both.',
  },
  scope_unknown: {
    check: 'scope',
    error: 'invalid_scope',
    description: 'scope must hold only scopes that the audience knows',
    summary: 'The audience does not know one of the scopes.',
    detail: (facts) => `${facts.got ?? 'a scope'} is not among those of ${facts.expected ?? ''}`,
    advice: 'Add the scope to the audience, or ask for fewer.',
  },
  scope_beyond_grant: {
    check: 'scope',
    error: 'invalid_scope',
    description: 'scope must not exceed what was granted (RFC 6749 6)',
    summary: 'The refresh asks for more scope than the authorization granted.',
    detail: (facts) => `${facts.got ?? 'a scope'} was not granted`,
    advice: 'Ask for at most the granted scope, or leave scope out.',
  },
  scope_malformed: {
    check: 'scope',
    error: 'invalid_scope',
    description: 'scope must be scope tokens separated by single spaces (RFC 6749 3.3)',
    summary: 'The scope parameter is not a list of scope tokens.',
  },

  fault: {
    check: 'service',
    error: 'server_error',
    description: 'the service met an unexpected condition',
    summary: 'The service itself failed; this is a fault of Grantbench.',
    advice: 'Please report it with the steps that led here.',
  },
  stopping: {
    check: 'service',
    error: 'temporarily_unavailable',
    description: 'the service is stopping',
    summary: 'The service was being stopped.',
  },
};
