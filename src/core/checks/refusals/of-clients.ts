// Checks 6 to 8: client authentication, allowed grants and required parameters.

import { compared, failing, field, type RefusalFacts, unknownClient } from './refusal.ts';

/** The interop profile does not require an audience. */
const audienceOptional = (facts: RefusalFacts) => (facts.field === 'audience' ? 'interop' : null);

/** Grants and endpoints that no profile allows public clients to use (behaviour 1.7). */
const CONFIDENTIAL_ONLY: readonly (string | undefined)[] = ['client_credentials', 'introspect'];

/** @param facts how the Authorization header was used; without facts, alone */
const headerProfile = ({ got = 'HTTP Basic' }: RefusalFacts) => {
  if (got === 'another scheme') return 'documented';
  return got === 'HTTP Basic' ? 'interop' : null;
};

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
  ...failing('authorization_header', 'invalid_client', {
    basic_not_allowed: {
      description:
        'client_id and client_secret must be sent in the body; HTTP Basic is not accepted here',
      summary:
        'The client authenticates with HTTP Basic, which the documented profile does not accept.',
      advice:
        'Send client_id and client_secret in the body (client_secret_post in most client libraries).',
      accepted_by: headerProfile,
    },
    header_not_allowed: {
      description:
        'client_id and client_secret must be sent in the body; no Authorization header is accepted',
      summary: 'The strict profile does not accept an Authorization header at the token endpoint.',
      advice: 'Omit the Authorization header, and send client_id and client_secret in the body.',
      accepted_by: headerProfile,
    },
  }),
  ...failing('authorization_header', 'invalid_request', {
    two_client_authentications: {
      description: 'the client must not use more than one authentication method (RFC 6749 2.3)',
      summary: 'The client uses two authentication methods at once.',
      advice: 'Use only one of HTTP Basic, client_secret in the body, and client_assertion.',
    },
    client_ids_differ: {
      description: 'client_id must be the same in the Authorization header and in the body',
      summary: 'The Authorization header and the body name different clients.',
      ...compared('client_id in the body'),
      advice: 'Leave client_id out of the body, or send that of the header.',
    },
  }),
  ...failing('authorization_header', 'invalid_client', {
    basic_malformed: {
      description: 'the Authorization header must contain base64 of client_id:client_secret',
      summary: 'The HTTP Basic credentials cannot be decoded.',
      advice: 'Encode client_id:client_secret as base64 (RFC 7617).',
    },
  }),
  ...failing('client_id', 'invalid_client', {
    client_authentication_missing: {
      description: 'the client must authenticate: the request has no client authentication',
      summary: 'The request has no client authentication, not even a client_id.',
      advice:
        'Send client_id and client_secret with HTTP Basic or in the body, or client_id alone if the client is public.',
    },
  }),
  ...failing('client_id', 'invalid_request', {
    client_id_missing: {
      description: 'client_id is required and must not be empty',
      summary: 'The request does not identify the client.',
      advice: 'Send client_id in the body.',
    },
  }),
  ...failing('client_id', 'invalid_client', {
    client_unknown: {
      description: 'client_id or client_secret is wrong',
      summary: 'No client is registered under this client_id.',
      detail: unknownClient,
      advice: 'Compare client_id with the list of clients, or register the client.',
    },
  }),
  ...failing('client_secret', 'invalid_client', {
    client_secret_missing: {
      description: 'client_secret is required and must not be empty',
      summary: 'The client_secret is missing or empty.',
      advice: 'Send client_secret in the body. An environment variable may be unset.',
    },
    client_secret_required: {
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
      description: 'client_id or client_secret is wrong',
      summary: 'A client_secret was sent, but the client is registered without one.',
      advice:
        'Register this secret for the client, or omit it and use the interop profile, which accepts clients without a secret.',
    },
    client_secret_wrong: {
      description: 'client_id or client_secret is wrong',
      summary: 'The client_secret is wrong.',
      advice: 'Copy the secret of the client again, and check for missing or extra characters.',
    },
  }),
  ...failing('client_secret', 'invalid_request', {
    client_secret_unexpected: {
      description: 'client_secret must not be sent by a client that has none',
      summary: 'The client is public and has no secret, but one was sent.',
      advice: 'Omit client_secret.',
    },
  }),

  // 7-8
  ...failing('grant_allowed', 'unauthorized_client', {
    grant_not_allowed: {
      description: 'the client may not use this grant_type',
      summary: 'The client is not registered for this grant.',
      advice: "Add the grant to the client's grant types.",
    },
    grant_not_allowed_for_id_token: {
      description: 'the client may not use a response_type with id_token',
      summary: 'The client is not registered for ID tokens from the authorization endpoint.',
      advice: "Add implicit to the client's grant types.",
    },
    grant_not_for_public_client: {
      description: 'a client without a secret or key may not use this grant_type (RFC 6749 2.1)',
      summary: 'A public client cannot authenticate, so it cannot use this grant.',
      advice: 'Give the client a secret, or keys to sign assertions with.',
    },
    grant_not_in_profile: {
      description:
        'grant_type password is not accepted here: OAuth 2.1 no longer has it (RFC 9700 2.4)',
      summary: 'The strict profile does not accept the password grant.',
      advice:
        'Use the authorization_code grant with PKCE, or the device grant where there is no browser.',
      accepted_by: 'documented',
    },
  }),
  ...failing('parameters', 'invalid_request', {
    parameter_missing: {
      description: (facts) => `${field(facts)} is required`,
      summary: (facts) => `The required parameter ${field(facts)} is missing.`,
      advice: sendParameter,
      accepted_by: audienceOptional,
    },
    parameter_empty: {
      description: (facts) => `${field(facts)} must not be empty`,
      summary: (facts) => `The required parameter ${field(facts)} is empty.`,
      advice: (facts) => `Set a value for ${field(facts)}. An environment variable may be unset.`,
      accepted_by: audienceOptional,
    },
    parameter_too_long: {
      description: (facts) =>
        `${field(facts)} must not be longer than ${facts.expected ?? ''} characters`,
      summary: (facts) => `The parameter ${field(facts)} is longer than allowed.`,
      advice: (facts) => `Send at most ${facts.expected ?? ''} characters as ${field(facts)}.`,
    },
  }),
};

const broken = (facts: RefusalFacts) =>
  `${facts.field ?? 'the metadata'} ${facts.expected ?? 'is invalid'}`;

export const REGISTRATION_REFUSALS = {
  ...failing('content_type', 'invalid_request', {
    registration_content_type: {
      description: 'the Content-Type header must be application/json (RFC 7591 3.1)',
      summary: 'The client metadata was not sent as JSON.',
      advice: 'Send the metadata as a JSON object with Content-Type: application/json.',
    },
  }),
  ...failing('authorization_header', 'invalid_token', {
    initial_token_missing: {
      description: 'an initial access token is required to register a client (RFC 7591 3)',
      summary: 'Registration requires the initial access token, but none was sent.',
      advice:
        'Send Authorization: Bearer with the token from the settings, or set registration to open.',
    },
    initial_token_wrong: {
      description: 'the initial access token is not valid',
      summary: 'The token sent is not the initial access token from the settings.',
      advice: 'Copy the token from the settings again, and check for missing or extra characters.',
    },
    registration_token_missing: {
      description: 'the registration access token is required (RFC 7592 2)',
      summary: 'A client manages its registration, but sent no registration access token.',
      advice: 'Send Authorization: Bearer with the token from the response to the registration.',
    },
    registration_token_wrong: {
      description: 'the registration access token is not valid',
      summary: 'The token sent is not the registration access token of this client.',
      detail: ({ got }) => got,
      advice:
        'Send the token from the response to the registration, to its registration_client_uri.',
    },
  }),
  ...failing('metadata', 'invalid_redirect_uri', {
    metadata_redirect_uri: {
      description: broken,
      summary: 'A redirect URI of the client cannot be registered.',
      detail: broken,
      advice:
        'Send absolute URIs without a fragment, each only once. With the setting registration.https_redirect_uris, http is only for localhost, 127.0.0.1 and [::1].',
    },
  }),
  ...failing('metadata', 'invalid_client_metadata', {
    metadata_invalid: {
      description: broken,
      summary: 'A member of the client metadata is invalid.',
      detail: broken,
      advice:
        'Compare the metadata with RFC 7591 2 and with the values that the server metadata lists.',
    },
  }),
  ...failing('capacity', 'invalid_request', {
    registration_full: {
      description: (facts) =>
        `no more than ${facts.expected ?? 'so many'} clients can be registered`,
      summary: 'The workspace cannot have more clients.',
      advice: 'Delete clients that are no longer needed.',
    },
  }),
};
