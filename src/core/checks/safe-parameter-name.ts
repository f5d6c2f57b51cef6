// Which names of parameters may be spoken of: a stranger's name may hold a secret.

const KNOWN_PARAMETERS = new Set([
  'access_token',
  'audience',
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'grant_type',
  'login_hint',
  'max_age',
  'nonce',
  'password',
  'prompt',
  'redirect_uri',
  'refresh_token',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'token',
  'token_type_hint',
  'username',
]);

/** The name if the protocol knows it, else a word for it. */
export function safeParameterName(name: string): string {
  return KNOWN_PARAMETERS.has(name) ? name : 'a parameter';
}
