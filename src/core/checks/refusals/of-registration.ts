// Registering a client (RFC 7591).

import type { Refusal, RefusalFacts } from './refusal.ts';

const broken = (facts: RefusalFacts) =>
  `${facts.field ?? 'the metadata'} ${facts.expected ?? 'breaks a rule'}`;

export const REGISTRATION_REFUSALS = {
  registration_content_type: {
    check: 'content_type',
    error: 'invalid_request',
    description: 'the Content-Type header must be application/json (RFC 7591 3.1)',
    summary: 'Client metadata came in another format than JSON.',
    advice: 'Send the metadata as a JSON object with Content-Type: application/json.',
  },
  initial_token_missing: {
    check: 'authorization_header',
    error: 'invalid_token',
    description: 'an initial access token is required to register a client (RFC 7591 3)',
    summary: 'Registration asks for the initial access token, and none was presented.',
    advice: 'Send Authorization: Bearer with the token of the settings, or open the registration.',
  },
  initial_token_wrong: {
    check: 'authorization_header',
    error: 'invalid_token',
    description: 'the initial access token is not valid',
    summary: 'The token presented is not the initial access token of the settings.',
    advice: 'Copy the token from the settings once more; check for cut or added characters.',
  },
  metadata_redirect_uri: {
    check: 'metadata',
    error: 'invalid_redirect_uri',
    description: broken,
    summary: 'A redirect URI of the client cannot be registered.',
    detail: broken,
    advice: 'Send absolute URIs without fragment, each of them once.',
  },
  metadata_invalid: {
    check: 'metadata',
    error: 'invalid_client_metadata',
    description: broken,
    summary: 'A member of the client metadata breaks its rule.',
    detail: broken,
    advice: 'Compare the metadata with RFC 7591 2 and with what the server metadata supports.',
  },
  registration_full: {
    check: 'capacity',
    error: 'invalid_request',
    description: (facts) => `no more than ${facts.expected ?? 'so many'} clients can be registered`,
    summary: 'A workspace cannot hold more clients.',
    advice: 'Delete clients that are no longer needed.',
  },
} satisfies Record<string, Refusal>;
