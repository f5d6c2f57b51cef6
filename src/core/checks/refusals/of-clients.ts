// Checks 6 to 8: client authentication, allowed grants and required parameters.

import { field, type Refusal, type RefusalFacts, refusing, unknownClient } from './refusal.ts';

const invalid = refusing('invalid_request');

/** The interop profile does not require an audience. */
const audienceOptional = (facts: RefusalFacts) => (facts.field === 'audience' ? 'interop' : null);

/** Grants and endpoints that no profile allows public clients to use (behaviour 1.7). */
const CONFIDENTIAL_ONLY: readonly (string | undefined)[] = ['client_credentials', 'introspect'];

/** @param facts the client's registered method, and the grant or endpoint that it asks for */
const publicClientProfile = ({ expected, field }: RefusalFacts) =>
  expected === 'private_key_jwt' || CONFIDENTIAL_ONLY.includes(field) ? null : 'interop';

const sendParameter = (facts: RefusalFacts) => {
  const advice: Readonly<Record<string, string>> = {
    audience: 'Send audience in the body: the URI of the API that the token is for.',
    redirect_uri: 'Send redirect_uri in the body, exactly as in the authorization request.',
  };
  return advice[field(facts)] ?? `Send ${field(facts)} in the body.`;
};

export const CLIENT_REFUSALS = {
  // 6: the client
  basic_not_allowed: {
    check: 'authorization_header',
    error: 'invalid_client',
    description:
      'client_id and client_secret must be sent in the body; HTTP Basic is not accepted here',
    summary:
      'The client authenticates with HTTP Basic, which the documented profile does not accept.',
    advice:
      'Send client_id and client_secret in the body (client_secret_post in most client libraries).',
    accepted_by: 'interop',
  },
  header_not_allowed: {
    check: 'authorization_header',
    error: 'invalid_client',
    description:
      'client_id and client_secret must be sent in the body; no Authorization header is accepted',
    summary: 'The strict profile does not accept an Authorization header at the token endpoint.',
    advice: 'Omit the Authorization header, and send client_id and client_secret in the body.',
    accepted_by: (facts) => (facts.got === 'HTTP Basic' ? 'interop' : 'documented'),
  },
  two_client_authentications: invalid(
    'authorization_header',
    'the client must not use more than one authentication method (RFC 6749 2.3)',
    'The client uses two authentication methods at once.',
    { advice: 'Use only one of HTTP Basic, client_secret in the body, and client_assertion.' },
  ),
  basic_malformed: {
    check: 'authorization_header',
    error: 'invalid_client',
    description: 'the Authorization header must contain base64 of client_id:client_secret',
    summary: 'The HTTP Basic credentials cannot be decoded.',
    advice: 'Encode client_id:client_secret as base64 (RFC 7617).',
  },
  client_authentication_missing: {
    check: 'client_id',
    error: 'invalid_client',
    description: 'the client must authenticate: the request has no client authentication',
    summary: 'The request has no client authentication, not even a client_id.',
    advice:
      'Send client_id and client_secret with HTTP Basic or in the body, or client_id alone if the client is public.',
  },
  client_id_missing: invalid(
    'client_id',
    'client_id is required and must not be empty',
    'The request does not identify the client.',
    { advice: 'Send client_id in the body.' },
  ),
  client_unknown: {
    check: 'client_id',
    error: 'invalid_client',
    description: 'client_id or client_secret is wrong',
    summary: 'No client is registered under this client_id.',
    detail: unknownClient,
    advice: 'Compare client_id with the list of clients, or register the client.',
  },
  client_secret_missing: {
    check: 'client_secret',
    error: 'invalid_client',
    description: 'client_secret is required and must not be empty',
    summary: 'The client_secret is missing or empty.',
    advice: 'Send client_secret in the body. An environment variable may be unset.',
  },
  client_secret_required: {
    check: 'client_secret',
    error: 'invalid_client',
    description: 'client_secret is required: a client without one is not accepted here',
    summary: ({ expected }) =>
      expected === 'private_key_jwt'
        ? 'The client signs assertions instead of sending a secret, which only the interop profile accepts.'
        : 'The client is public (it has no secret), which only the interop profile accepts.',
    advice: ({ expected }) =>
      expected === 'private_key_jwt'
        ? 'Use the interop profile and send client_assertion, or register a client_secret.'
        : 'Register a client_secret for the client and send it.',
    accepted_by: publicClientProfile,
  },
  client_has_no_secret: {
    check: 'client_secret',
    error: 'invalid_client',
    description: 'client_id or client_secret is wrong',
    summary: 'A client_secret was sent, but the client is registered without one.',
    advice:
      'Register this secret for the client, or omit it and use the interop profile, which accepts clients without a secret.',
  },
  client_secret_wrong: {
    check: 'client_secret',
    error: 'invalid_client',
    description: 'client_id or client_secret is wrong',
    summary: 'The client_secret is wrong.',
    advice: 'Copy the secret of the client again, and check for missing or extra characters.',
  },
  client_secret_unexpected: invalid(
    'client_secret',
    'client_secret must not be sent by a client that has none',
    'The client is public and has no secret, but one was sent.',
    { advice: 'Omit client_secret.' },
  ),

  // 7-8
  grant_not_allowed: {
    check: 'grant_allowed',
    error: 'unauthorized_client',
    description: 'the client may not use this grant_type',
    summary: 'The client is not registered for this grant.',
    advice: "Add the grant to the client's grant types.",
  },
  grant_not_allowed_for_id_token: {
    check: 'grant_allowed',
    error: 'unauthorized_client',
    description: 'the client may not use a response_type with id_token',
    summary: 'The client is not registered for ID tokens from the authorization endpoint.',
    advice: "Add implicit to the client's grant types.",
  },
  grant_not_for_public_client: {
    check: 'grant_allowed',
    error: 'unauthorized_client',
    description: 'a client without a secret or key may not use this grant_type (RFC 6749 2.1)',
    summary: 'A public client cannot authenticate, so it cannot use this grant.',
    advice: 'Give the client a secret, or keys to sign assertions with.',
  },
  grant_not_in_profile: {
    check: 'grant_allowed',
    error: 'unauthorized_client',
    description:
      'grant_type password is not accepted here: OAuth 2.1 no longer has it (RFC 9700 2.4)',
    summary: 'The strict profile does not accept the password grant.',
    advice:
      'Use the authorization_code grant with PKCE, or the device grant where there is no browser.',
    accepted_by: 'documented',
  },
  parameter_missing: invalid(
    'parameters',
    (facts) => `${field(facts)} is required`,
    (facts) => `The required parameter ${field(facts)} is missing.`,
    { advice: sendParameter, accepted_by: audienceOptional },
  ),
  parameter_empty: invalid(
    'parameters',
    (facts) => `${field(facts)} must not be empty`,
    (facts) => `The required parameter ${field(facts)} is empty.`,
    {
      advice: (facts) => `Set a value for ${field(facts)}. An environment variable may be unset.`,
      accepted_by: audienceOptional,
    },
  ),
  parameter_too_long: invalid(
    'parameters',
    (facts) => `${field(facts)} must not be longer than ${facts.expected ?? ''} characters`,
    (facts) => `The parameter ${field(facts)} is longer than allowed.`,
    { advice: (facts) => `Send at most ${facts.expected ?? ''} characters as ${field(facts)}.` },
  ),
} satisfies Record<string, Refusal>;

const broken = (facts: RefusalFacts) =>
  `${facts.field ?? 'the metadata'} ${facts.expected ?? 'is invalid'}`;

export const REGISTRATION_REFUSALS = {
  registration_content_type: {
    check: 'content_type',
    error: 'invalid_request',
    description: 'the Content-Type header must be application/json (RFC 7591 3.1)',
    summary: 'The client metadata was not sent as JSON.',
    advice: 'Send the metadata as a JSON object with Content-Type: application/json.',
  },
  initial_token_missing: {
    check: 'authorization_header',
    error: 'invalid_token',
    description: 'an initial access token is required to register a client (RFC 7591 3)',
    summary: 'Registration requires the initial access token, but none was sent.',
    advice:
      'Send Authorization: Bearer with the token from the settings, or set registration to open.',
  },
  initial_token_wrong: {
    check: 'authorization_header',
    error: 'invalid_token',
    description: 'the initial access token is not valid',
    summary: 'The token sent is not the initial access token from the settings.',
    advice: 'Copy the token from the settings again, and check for missing or extra characters.',
  },
  registration_token_missing: {
    check: 'authorization_header',
    error: 'invalid_token',
    description: 'the registration access token is required (RFC 7592 2)',
    summary: 'A client manages its registration, but sent no registration access token.',
    advice: 'Send Authorization: Bearer with the token from the response to the registration.',
  },
  registration_token_wrong: {
    check: 'authorization_header',
    error: 'invalid_token',
    description: 'the registration access token is not valid',
    summary: 'The token sent is not the registration access token of this client.',
    detail: ({ got }) => got,
    advice: 'Send the token from the response to the registration, to its registration_client_uri.',
  },
  metadata_redirect_uri: {
    check: 'metadata',
    error: 'invalid_redirect_uri',
    description: broken,
    summary: 'A redirect URI of the client cannot be registered.',
    detail: broken,
    advice: 'Send absolute URIs without a fragment, each only once.',
  },
  metadata_invalid: {
    check: 'metadata',
    error: 'invalid_client_metadata',
    description: broken,
    summary: 'A member of the client metadata is invalid.',
    detail: broken,
    advice:
      'Compare the metadata with RFC 7591 2 and with the values that the server metadata lists.',
  },
  registration_full: {
    check: 'capacity',
    error: 'invalid_request',
    description: (facts) => `no more than ${facts.expected ?? 'so many'} clients can be registered`,
    summary: 'The workspace cannot have more clients.',
    advice: 'Delete clients that are no longer needed.',
  },
} satisfies Record<string, Refusal>;
