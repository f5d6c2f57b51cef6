// Checks 1 to 5: requests that cannot be read.

import { GRANT_TYPES } from '../../records/enumerations.ts';
import { failing, field, type RefusalFacts } from './refusal.ts';

/** The grants that the profile serves; without facts, all. */
const grants = ({ expected = GRANT_TYPES.join(', ') }: RefusalFacts): string => expected;

export const REQUEST_REFUSALS = {
  // 1-3: before the request is read
  ...failing('method', 'method_not_allowed', {
    method_not_allowed: {
      description: 'the method is not allowed here; see the Allow header',
      summary: 'This endpoint does not support this method.',
      detail: (facts) =>
        `got ${facts.got ?? 'another method'}, allowed ${facts.expected ?? 'POST'}`,
      advice: (facts) => `Send ${facts.expected ?? 'POST'}.`,
    },
    preflight_method: {
      description: 'the method is not allowed here; see the Access-Control-Allow-Methods header',
      summary:
        'The preflight of a browser asked for a method that is not allowed, so the browser will not send the request.',
      detail: (facts) =>
        `got ${facts.got ?? 'another method'}, allowed ${facts.expected ?? 'POST'}`,
      advice: (facts) => `Send ${facts.expected ?? 'POST'} from the page.`,
    },
    preflight_closed: {
      description: 'pages of other origins cannot call this endpoint (CORS)',
      summary:
        'A page of another origin tried to call this endpoint, which does not allow that (CORS). The browser will not send the request.',
      advice:
        'Navigate the browser to this endpoint, by a link, a redirect or a form, or send the request from a server.',
    },
    preflight_off: {
      description: 'pages of other origins cannot call this endpoint while CORS is switched off',
      summary:
        'A page of another origin tried to call this endpoint, but CORS is switched off. The browser will not send the request.',
      advice: 'Switch on the setting `cors`, unless you are testing without it on purpose.',
    },
  }),
  ...failing('path', 'not_found', {
    not_found: {
      description: 'there is no endpoint at this path; see the metadata for the endpoints',
      summary: 'There is no endpoint at this path.',
      detail: ({ field: off }) => off && `the ${off} is switched off`,
      advice: 'Compare the path with those of the endpoints in the metadata.',
      accepted_by: ({ field: off }) => (off === undefined ? null : 'interop'),
    },
    registration_off: {
      description: 'dynamic client registration is switched off by the setting registration.mode',
      summary: 'Dynamic client registration is switched off, so nothing is served at this path.',
      advice:
        'Change the setting `registration.mode` to `open`, or to `token` for clients that send an initial access token.',
    },
  }),
  ...failing('http', 'invalid_request', {
    malformed_http: {
      description: 'the HTTP request is malformed (RFC 9112)',
      summary: 'The request is not well-formed HTTP.',
      advice: 'Use HTTP/1.1, and let an HTTP library write the request.',
    },
    tls_required: {
      description: 'this port speaks HTTPS only; use https in the URL',
      summary: 'The request was sent as plain HTTP to an HTTPS port.',
      advice: 'Use https:// in every URL that the client uses, as in the issuer.',
    },
    tls_unexpected: {
      description: 'this port speaks HTTP without TLS; use http in the URL',
      summary: 'The client started a TLS connection, but this port speaks plain HTTP.',
      advice: 'Use http:// in every URL that the client uses, or start Grantbench with --https.',
    },
    tls_failed: {
      description: 'the TLS handshake must be completed',
      summary: ({ got }) =>
        got === undefined
          ? 'The client ended the TLS handshake before it sent a request.'
          : 'The server ended the TLS handshake before a request was sent.',
      detail: ({ got }) => got,
      advice: ({ got }) =>
        got === undefined
          ? 'If the client does not trust the certificate: Settings, Server, has a command that makes Node trust it, and the guide to HTTPS has other clients.'
          : 'Let the client use TLS 1.2 or 1.3, and ciphers for the key of the certificate.',
    },
    headers_too_large: {
      description: 'the request headers must not exceed 64 KiB',
      summary: 'The request headers exceed 64 KiB.',
      advice: 'Delete the cookies of this host in the browser.',
    },
    request_slow: {
      description:
        'the request must arrive in full: its headers within 15 seconds, all of it within 2 minutes',
      summary: 'The request did not arrive in full in time.',
      advice:
        'Check that the client ends its headers with an empty line and sends the whole body at once.',
    },
    expectation_unknown: {
      description: 'the Expect header must be 100-continue or left out (RFC 9110 10.1.1)',
      summary: 'The Expect header asks for something that this service does not support.',
      advice: 'Omit the Expect header.',
    },
  }),
  ...failing('body', 'invalid_request', {
    body_stalled: {
      description: 'the request body must arrive in full; it stalled for 15 seconds',
      summary: 'The body is incomplete, and no more of it arrived for 15 s.',
      advice: 'Check Content-Length: it may be larger than the body.',
    },
    body_cut: {
      description: 'the request body must arrive in full',
      summary: 'The client closed the connection before the body was complete.',
      advice:
        'Check the timeout of the client, and Content-Length: it may be larger than the body.',
    },
    body_too_large: {
      description: (facts) => `the request body must not exceed ${facts.expected ?? ''} bytes`,
      summary: (facts) => `The body exceeds ${facts.expected ?? ''} bytes.`,
      advice: 'Send only the parameters, or raise the setting max_body_bytes.',
    },
  }),
  ...failing('content_type', 'invalid_request', {
    content_type_missing: {
      description:
        'the Content-Type header must be application/json or application/x-www-form-urlencoded',
      summary: 'The request has no Content-Type.',
      advice: 'Send Content-Type: application/json or application/x-www-form-urlencoded.',
    },
    content_type_unreadable: {
      description:
        'the Content-Type header must be application/json or application/x-www-form-urlencoded',
      summary: 'The Content-Type is neither JSON nor a form.',
      advice: 'Send Content-Type: application/json or application/x-www-form-urlencoded.',
    },
    charset_unsupported: {
      description: 'the charset of the Content-Type header must be UTF-8',
      summary: 'The Content-Type header declares a charset other than UTF-8.',
      advice: 'Send UTF-8 and omit the charset parameter.',
    },
    content_encoding_unsupported: {
      description: 'the Content-Encoding header must not be sent: encoded bodies are not supported',
      summary: 'The Content-Encoding header declares a compressed body.',
      advice: 'Send the body uncompressed, without Content-Encoding.',
    },
  }),
  ...failing('body', 'invalid_request', {
    body_not_utf8: {
      description: 'the request body must be valid UTF-8',
      summary: 'The body contains bytes or percent-escapes that are not valid UTF-8.',
      advice: 'Encode the values as UTF-8 before they are percent-encoded.',
    },
    body_missing: {
      description: 'the request body must not be empty',
      summary: 'The request has no body.',
      advice: 'Send the parameters in the body.',
    },
    json_malformed: {
      description: 'the request body must be well-formed JSON (RFC 8259)',
      summary: 'The Content-Type is JSON, but the body cannot be parsed as JSON.',
      advice: 'Send what JSON.stringify returns, or a form as application/x-www-form-urlencoded.',
    },
    json_not_object: {
      description: 'the request body must be a JSON object',
      summary: 'The body is JSON, but not an object.',
      advice: 'Serialize an object with the parameters as members, and only once.',
    },
    value_not_string: {
      description: (facts) => `${field(facts)} must be a string`,
      summary: (facts) => `The value of ${field(facts)} is not a string.`,
      advice: (facts) => `Send ${field(facts)} as a JSON string.`,
    },
    parameter_repeated: {
      description: (facts) => `${field(facts)} must not be repeated (RFC 6749 3.2)`,
      summary: (facts) => `The body has ${field(facts)} more than once.`,
      advice: 'Send each parameter once.',
    },
  }),

  // 4-5
  ...failing('grant_type', 'invalid_request', {
    grant_type_missing: {
      description: 'grant_type is required',
      summary: 'The request has no grant_type.',
      advice: (facts) => `Send grant_type with one of ${grants(facts)}.`,
    },
  }),
  ...failing('grant_type', 'unsupported_grant_type', {
    grant_type_unsupported: {
      description: (facts) => `grant_type must be exactly one of ${grants(facts)}`,
      summary: 'The grant_type is not supported.',
      detail: (facts) => `got ${facts.got ?? 'an unknown grant_type'}`,
      advice: (facts) =>
        `Send one of ${grants(facts)}. Names are case-sensitive and contain no spaces.`,
    },
  }),
  ...failing('grant_content_type', 'invalid_request', {
    content_type_not_documented: {
      description: (facts) =>
        `the Content-Type for this ${field(facts)} must be ${facts.expected ?? ''}`,
      summary: 'The strict profile accepts only the documented body format.',
      advice: (facts) => `Send the body as ${facts.expected ?? ''}.`,
      accepted_by: 'documented',
    },
  }),
  ...failing('query', 'invalid_request', {
    query_credentials: {
      description:
        'client credentials and tokens must not be sent in the query string (RFC 6749 2.3.1)',
      summary: 'Credentials were sent in the query string.',
      advice: 'Move them into the body: query strings end up in logs.',
      accepted_by: 'documented',
    },
  }),
};
