// Which parameter names may be shown: an unknown name may hold a secret.

const KNOWN_PARAMETERS = new Set([
  'access_token',
  'actor_token',
  'actor_token_type',
  'assertion',
  'audience',
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'device_code',
  'grant_type',
  'login_hint',
  'max_age',
  'nonce',
  'password',
  'prompt',
  'redirect_uri',
  'request',
  'request_uri',
  'refresh_token',
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
