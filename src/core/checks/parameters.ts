// Parameters of any request: which of their names may be shown, as an unknown one may hold a secret, and how long they
// may be.

import { OAuthError } from './errors.ts';
import type { TokenRequest } from '../model/request.ts';
import { type Evaluation, note } from './trace.ts';
import { PARAMETER_LIMITS } from '../records/bounds.ts';

const KNOWN_PARAMETERS = new Set([
  'access_token',
  'acr_values',
  'actor_token',
  'actor_token_type',
  'assertion',
  'audience',
  'claims',
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'device_code',
  'dpop_jkt',
  'grant_type',
  'id_token_hint',
  'login_hint',
  'max_age',
  'nonce',
  'password',
  'post_logout_redirect_uri',
  'prompt',
  'redirect_uri',
  'request',
  'request_uri',
  'refresh_token',
  'registration',
  'requested_token_type',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'subject_token',
  'subject_token_type',
  'token',
  'token_type_hint',
  'user_code',
  'username',
]);

/** The name if the protocol knows it, else a word for it. */
export function safeParameterName(name: string): string {
  return KNOWN_PARAMETERS.has(name) ? name : 'a parameter';
}

/** Notes known parameters in the query of a POST, which are not read (RFC 6749 3.2, OpenID Connect Core 3.1.2.1). */
export function noteQuery(names: readonly string[], evaluation: Evaluation): void {
  const ignored = names.filter((name) => KNOWN_PARAMETERS.has(name));
  if (ignored.length > 0) note(evaluation, 'query_ignored', ignored.join(', '));
}

const LIMITS = Object.entries(PARAMETER_LIMITS);

/** @throws OAuthError `invalid_request` naming the first that is longer */
export function checkLengths({ parameters }: Pick<TokenRequest, 'parameters'>): void {
  for (const [field, limit] of LIMITS) {
    const value = parameters.get(field);
    if (value !== undefined && value.length > limit) {
      throw new OAuthError('parameter_too_long', { field, expected: String(limit) });
    }
  }
}
