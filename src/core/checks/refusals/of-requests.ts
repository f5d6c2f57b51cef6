// Checks 1 to 8: the request cannot be read, or its client may not make it.

import { GRANT_TYPES } from '../../records/enumerations.ts';
import type { CheckId, Refusal, RefusalFacts, Words } from './refusal.ts';

const field = (facts: RefusalFacts) => facts.field ?? 'a parameter';

const request = (check: CheckId, description: Words, summary: Words, advice?: Words): Refusal => ({
  check,
  error: 'invalid_request',
  description,
  summary,
  ...(advice === undefined ? {} : { advice }),
});

export const REQUEST_REFUSALS = {
  // 1-3: before the request is read
  method_not_allowed: {
    check: 'method',
    error: 'method_not_allowed',
    description: 'the method is not allowed here; see the Allow header',
    summary: 'This endpoint does not support this method.',
    detail: (facts) => `got ${facts.got ?? 'another method'}, allowed ${facts.expected ?? 'POST'}`,
    advice: (facts) => `Send ${facts.expected ?? 'POST'}.`,
  },
  not_found: {
    check: 'path',
    error: 'not_found',
    description: 'there is no endpoint at this path; see the metadata for the endpoints',
    summary: 'There is no endpoint at this path.',
    advice: 'The token endpoint is POST /oauth/token. The metadata lists the others.',
  },
  malformed_http: request(
    'http',
    'the HTTP request is malformed (RFC 9112)',
    'The request is not well-formed HTTP.',
  ),
  tls_required: request(
    'http',
    'this port speaks HTTPS only; use https in the URL',
    'The request was sent as plain HTTP to an HTTPS port.',
    'Use https:// in every URL that the client uses, as in the issuer.',
  ),
  tls_unexpected: request(
    'http',
    'this port speaks HTTP without TLS; use http in the URL',
    'The client started a TLS connection, but this port speaks plain HTTP.',
    'Use http:// in every URL that the client uses, or start Grantbench with --https.',
  ),
  headers_too_large: request(
    'http',
    'the request headers must not exceed 64 KiB',
    'The request headers exceed 64 KiB.',
  ),
  request_slow: request(
    'http',
    'the request must arrive in full: its headers within 15 seconds, all of it within 2 minutes',
    'The request did not arrive in full in time.',
    'Check that the client ends its headers with an empty line and sends the whole body at once.',
  ),
  expectation_unknown: request(
    'http',
    'the Expect header must be 100-continue or left out (RFC 9110 10.1.1)',
    'The Expect header asks for something that this service does not support.',
    'Omit the Expect header.',
  ),
  body_stalled: request(
    'body',
    'the request body must arrive in full; it stalled for 15 seconds',
    'The body is incomplete, and no more of it arrived for 15 s.',
    'Check Content-Length: it may be larger than the body.',
  ),
  body_cut: request(
    'body',
    'the request body must arrive in full',
    'The client closed the connection before the body was complete.',
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
    'The Content-Type header declares a charset other than UTF-8.',
    'Send UTF-8 and omit the charset parameter.',
  ),
  content_encoding_unsupported: request(
    'content_type',
    'the Content-Encoding header must not be sent: encoded bodies are not supported',
    'The Content-Encoding header declares a compressed body.',
    'Send the body uncompressed, without Content-Encoding.',
  ),
  body_not_utf8: request(
    'body',
    'the request body must be valid UTF-8',
    'The body contains bytes or percent-escapes that are not valid UTF-8.',
  ),
  body_missing: request('body', 'the request body must not be empty', 'The request has no body.'),
  json_malformed: request(
    'body',
    'the request body must be well-formed JSON (RFC 8259)',
    'The Content-Type is JSON, but the body cannot be parsed as JSON.',
  ),
  json_not_object: request(
    'body',
    'the request body must be a JSON object',
    'The body is JSON, but not an object.',
  ),
  value_not_string: request(
    'body',
    (facts) => `${field(facts)} must be a string`,
    (facts) => `The value of ${field(facts)} is not a string.`,
    (facts) => `Send ${field(facts)} as a JSON string.`,
  ),
  parameter_repeated: request(
    'body',
    (facts) =>
      facts.field === 'resource'
        ? 'resource must not be repeated here: a token is for one API (RFC 8707 2)'
        : `${field(facts)} must not be repeated (RFC 6749 3.2)`,
    (facts) => `The body has ${field(facts)} more than once.`,
    (facts) =>
      facts.field === 'resource'
        ? 'Request a separate token for each API.'
        : 'Send each parameter once.',
  ),

  // 4-5
  grant_type_missing: request(
    'grant_type',
    'grant_type is required',
    'The request has no grant_type.',
    `Send grant_type with one of ${GRANT_TYPES.join(', ')}.`,
  ),
  grant_type_unsupported: {
    check: 'grant_type',
    error: 'unsupported_grant_type',
    description: `grant_type must be exactly one of ${GRANT_TYPES.join(', ')}`,
    summary: 'The grant_type is not supported.',
    advice: 'Check the spelling: it is case-sensitive and must not contain spaces.',
  },
  content_type_not_documented: request(
    'grant_content_type',
    (facts) => `the Content-Type for this ${field(facts)} must be ${facts.expected ?? ''}`,
    'The strict profile accepts only the documented body format.',
    (facts) => `Send the body as ${facts.expected ?? ''}.`,
  ),
  query_credentials: request(
    'query',
    'client credentials and tokens must not be sent in the query string (RFC 6749 2.3.1)',
    'Credentials were sent in the query string.',
    'Move them into the body: query strings end up in logs.',
  ),

  // 6: the client
  basic_not_allowed: {
    check: 'authorization_header',
    error: 'invalid_client',
    description:
      'client_id and client_secret must be sent in the body; HTTP Basic is not accepted here',
    summary: 'The client authenticates with HTTP Basic, which this service does not accept.',
    advice:
      'Send client_id and client_secret in the body (client_secret_post in most client libraries).',
  },
  header_not_allowed: {
    check: 'authorization_header',
    error: 'invalid_client',
    description:
      'client_id and client_secret must be sent in the body; no Authorization header is accepted',
    summary: 'The strict profile does not accept an Authorization header at the token endpoint.',
    advice: 'Omit the Authorization header.',
  },
  two_client_authentications: request(
    'authorization_header',
    'the client must not use more than one authentication method (RFC 6749 2.3)',
    'The client uses two authentication methods at once.',
    'Use only one of HTTP Basic, client_secret in the body, and client_assertion.',
  ),
  basic_malformed: {
    check: 'authorization_header',
    error: 'invalid_client',
    description: 'the Authorization header must contain base64 of client_id:client_secret',
    summary: 'The HTTP Basic credentials cannot be decoded.',
    advice: 'Encode client_id:client_secret as base64 (RFC 7617).',
  },
  client_id_missing: request(
    'client_id',
    'client_id is required and must not be empty',
    'The request does not identify the client.',
    'Send client_id in the body.',
  ),
  client_unknown: {
    check: 'client_id',
    error: 'invalid_client',
    description: 'client_id or client_secret is wrong',
    summary: 'No client is registered under this client_id.',
    advice: 'Compare client_id with the list of clients, or register the client.',
  },
  client_secret_missing: {
    check: 'client_secret',
    error: 'invalid_client',
    description: 'client_secret is required and must not be empty',
    summary: 'The client_secret is missing or empty.',
    advice: 'Send client_secret in the body. An environment variable may be unset.',
  },
  client_secret_wrong: {
    check: 'client_secret',
    error: 'invalid_client',
    description: 'client_id or client_secret is wrong',
    summary: 'The client_secret is wrong.',
    advice: 'Copy the secret of the client again, and check for missing or extra characters.',
  },
  client_secret_unexpected: request(
    'client_secret',
    'client_secret must not be sent by a client that has none',
    'The client is public and has no secret, but one was sent.',
    'Omit client_secret.',
  ),

  // 7-8
  grant_not_allowed: {
    check: 'grant_allowed',
    error: 'unauthorized_client',
    description: 'the client may not use this grant_type',
    summary: 'The client is not registered for this grant.',
    advice: "Add the grant to the client's grant types.",
  },
  grant_not_for_public_client: {
    check: 'grant_allowed',
    error: 'unauthorized_client',
    description: 'a client without a secret or key may not use this grant_type (RFC 6749 4.4)',
    summary: 'A public client cannot authenticate, so it cannot use client_credentials.',
    advice: 'Give the client a secret, or keys to sign assertions with.',
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
    (facts) => `Set a value for ${field(facts)}. An environment variable may be unset.`,
  ),
  parameter_too_long: request(
    'parameters',
    (facts) => `${field(facts)} must not be longer than ${facts.expected ?? ''} characters`,
    (facts) => `The parameter ${field(facts)} is longer than allowed.`,
    (facts) => `Send at most ${facts.expected ?? ''} characters as ${field(facts)}.`,
  ),
} satisfies Record<string, Refusal>;
