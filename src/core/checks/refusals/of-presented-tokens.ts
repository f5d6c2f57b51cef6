// Tokens of any kind that a client names to have them revoked or looked at (RFC 7009, RFC 7662). Most of
// these never reach the wire: an unknown or ended token is an answer there, and only the trace says why.

import type { Refusal } from './refusal.ts';
import { by, instant, owner } from './refusal.ts';

export const PRESENTED_TOKEN_REFUSALS = {
  client_not_authenticated: {
    check: 'client_secret',
    error: 'invalid_client',
    description: 'a client without a secret or key may not introspect tokens (RFC 7662 2.1)',
    summary: 'The client is public and cannot authenticate.',
    advice: 'Use a client that has a secret or a key.',
  },
  token_unknown: {
    check: 'credential_known',
    error: 'invalid_token',
    description: 'the token is not valid',
    summary: 'This service did not issue this token or no longer keeps it.',
    advice: 'Check that the token is complete, and URL-encoded once in a form.',
  },
  token_is_code: {
    check: 'credential_known',
    error: 'invalid_token',
    description: 'the token is not valid',
    summary: 'The value sent as token is an authorization code.',
    advice: 'Send an access token or a refresh token. An unused code expires by itself.',
  },
  token_of_other_client: {
    check: 'credential_client',
    error: 'invalid_grant',
    description: 'the token was not issued to this client',
    summary: 'The token was issued to another client. Only that client may revoke it.',
    detail: owner,
    advice: 'Authenticate as the client that the token was issued to.',
  },
  token_rotated: {
    check: 'credential_live',
    error: 'invalid_token',
    description: 'the refresh token is no longer valid: it was replaced',
    summary: 'The refresh token was replaced by a newer one.',
    detail: (facts) => `replaced at ${instant(facts.at)}${by(facts)}`,
    advice: 'Use the newest refresh_token.',
  },
} satisfies Record<string, Refusal>;
