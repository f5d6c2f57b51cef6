// Checks 1 to 5: requests that cannot be read.

import { GRANT_TYPES } from '../../records/enumerations.ts';
import { field, refusing, type Refusal } from './refusal.ts';

const invalid = refusing('invalid_request');

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
  preflight_method: {
    check: 'method',
    error: 'method_not_allowed',
    description: 'the method is not allowed here; see the Access-Control-Allow-Methods header',
    summary:
      'The preflight of a browser asked for a method that is not allowed, so the browser will not send the request.',
    detail: (facts) => `got ${facts.got ?? 'another method'}, allowed ${facts.expected ?? 'POST'}`,
    advice: (facts) => `Send ${facts.expected ?? 'POST'} from the page.`,
  },
  preflight_closed: {
    check: 'method',
    error: 'method_not_allowed',
    description: 'pages of other origins cannot call this endpoint (CORS)',
    summary:
      'A page of another origin tried to call this endpoint, which does not allow that (CORS). The browser will not send the request.',
    advice:
      'Navigate the browser to this endpoint, by a link, a redirect or a form, or send the request from a server.',
  },
  preflight_off: {
    check: 'method',
    error: 'method_not_allowed',
    description: 'pages of other origins cannot call this endpoint while CORS is switched off',
    summary:
      'A page of another origin tried to call this endpoint, but CORS is switched off. The browser will not send the request.',
    advice: 'Switch on the setting `cors`, unless you are testing without it on purpose.',
  },
  not_found: {
    check: 'path',
    error: 'not_found',
    description: 'there is no endpoint at this path; see the metadata for the endpoints',
    summary: 'There is no endpoint at this path.',
    advice: 'The token endpoint is POST /oauth/token. The metadata lists the others.',
  },
  malformed_http: invalid(
    'http',
    'the HTTP request is malformed (RFC 9112)',
    'The request is not well-formed HTTP.',
  ),
  tls_required: invalid(
    'http',
    'this port speaks HTTPS only; use https in the URL',
    'The request was sent as plain HTTP to an HTTPS port.',
    { advice: 'Use https:// in every URL that the client uses, as in the issuer.' },
  ),
  tls_unexpected: invalid(
    'http',
    'this port speaks HTTP without TLS; use http in the URL',
    'The client started a TLS connection, but this port speaks plain HTTP.',
    { advice: 'Use http:// in every URL that the client uses, or start Grantbench with --https.' },
  ),
  tls_failed: invalid(
    'http',
    'the TLS handshake must be completed',
    'The client ended the TLS handshake before it sent a request.',
    {
      advice:
        'If the client does not trust the certificate: Settings, Server, has a command that makes Node trust it, and the guide to HTTPS has other clients.',
    },
  ),
  headers_too_large: invalid(
    'http',
    'the request headers must not exceed 64 KiB',
    'The request headers exceed 64 KiB.',
  ),
  request_slow: invalid(
    'http',
    'the request must arrive in full: its headers within 15 seconds, all of it within 2 minutes',
    'The request did not arrive in full in time.',
    {
      advice:
        'Check that the client ends its headers with an empty line and sends the whole body at once.',
    },
  ),
  expectation_unknown: invalid(
    'http',
    'the Expect header must be 100-continue or left out (RFC 9110 10.1.1)',
    'The Expect header asks for something that this service does not support.',
    { advice: 'Omit the Expect header.' },
  ),
  body_stalled: invalid(
    'body',
    'the request body must arrive in full; it stalled for 15 seconds',
    'The body is incomplete, and no more of it arrived for 15 s.',
    { advice: 'Check Content-Length: it may be larger than the body.' },
  ),
  body_cut: invalid(
    'body',
    'the request body must arrive in full',
    'The client closed the connection before the body was complete.',
  ),
  body_too_large: invalid(
    'body',
    (facts) => `the request body must not exceed ${facts.expected ?? ''} bytes`,
    (facts) => `The body exceeds ${facts.expected ?? ''} bytes.`,
  ),
  content_type_missing: invalid(
    'content_type',
    'the Content-Type header must be application/json or application/x-www-form-urlencoded',
    'The request has no Content-Type.',
    { advice: 'Send Content-Type: application/json or application/x-www-form-urlencoded.' },
  ),
  content_type_unreadable: invalid(
    'content_type',
    'the Content-Type header must be application/json or application/x-www-form-urlencoded',
    'The Content-Type is neither JSON nor a form.',
    { advice: 'Send Content-Type: application/json or application/x-www-form-urlencoded.' },
  ),
  charset_unsupported: invalid(
    'content_type',
    'the charset of the Content-Type header must be UTF-8',
    'The Content-Type header declares a charset other than UTF-8.',
    { advice: 'Send UTF-8 and omit the charset parameter.' },
  ),
  content_encoding_unsupported: invalid(
    'content_type',
    'the Content-Encoding header must not be sent: encoded bodies are not supported',
    'The Content-Encoding header declares a compressed body.',
    { advice: 'Send the body uncompressed, without Content-Encoding.' },
  ),
  body_not_utf8: invalid(
    'body',
    'the request body must be valid UTF-8',
    'The body contains bytes or percent-escapes that are not valid UTF-8.',
  ),
  body_missing: invalid('body', 'the request body must not be empty', 'The request has no body.'),
  json_malformed: invalid(
    'body',
    'the request body must be well-formed JSON (RFC 8259)',
    'The Content-Type is JSON, but the body cannot be parsed as JSON.',
  ),
  json_not_object: invalid(
    'body',
    'the request body must be a JSON object',
    'The body is JSON, but not an object.',
  ),
  value_not_string: invalid(
    'body',
    (facts) => `${field(facts)} must be a string`,
    (facts) => `The value of ${field(facts)} is not a string.`,
    { advice: (facts) => `Send ${field(facts)} as a JSON string.` },
  ),
  parameter_repeated: invalid(
    'body',
    (facts) => `${field(facts)} must not be repeated (RFC 6749 3.2)`,
    (facts) => `The body has ${field(facts)} more than once.`,
    { advice: 'Send each parameter once.' },
  ),

  // 4-5
  grant_type_missing: invalid(
    'grant_type',
    'grant_type is required',
    'The request has no grant_type.',
    { advice: `Send grant_type with one of ${GRANT_TYPES.join(', ')}.` },
  ),
  grant_type_unsupported: {
    check: 'grant_type',
    error: 'unsupported_grant_type',
    description: `grant_type must be exactly one of ${GRANT_TYPES.join(', ')}`,
    summary: 'The grant_type is not supported.',
    detail: (facts) => `got ${facts.got ?? 'an unknown grant_type'}`,
    advice: `Send one of ${GRANT_TYPES.join(', ')}. Names are case-sensitive and contain no spaces.`,
  },
  content_type_not_documented: invalid(
    'grant_content_type',
    (facts) => `the Content-Type for this ${field(facts)} must be ${facts.expected ?? ''}`,
    'The strict profile accepts only the documented body format.',
    {
      advice: (facts) => `Send the body as ${facts.expected ?? ''}.`,
      accepted_by: 'documented',
    },
  ),
  query_credentials: invalid(
    'query',
    'client credentials and tokens must not be sent in the query string (RFC 6749 2.3.1)',
    'Credentials were sent in the query string.',
    {
      advice: 'Move them into the body: query strings end up in logs.',
      accepted_by: 'documented',
    },
  ),
} satisfies Record<string, Refusal>;
