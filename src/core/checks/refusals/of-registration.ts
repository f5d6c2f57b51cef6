// Registering a client (RFC 7591).

import type { Refusal, RefusalFacts } from './refusal.ts';

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
    summary: 'A workspace cannot hold more clients.',
    advice: 'Delete clients that are no longer needed.',
  },
} satisfies Record<string, Refusal>;
