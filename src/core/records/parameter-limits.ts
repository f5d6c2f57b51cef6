// How long the parameters may be that are kept beyond their request, or sent back. Others are compared
// with what is registered or issued, and have no length of their own.

/** Characters; generous, as some clients keep a whole page's state in theirs. */
export const PARAMETER_LIMITS = {
  nonce: 1024,
  state: 8192,
  scope: 8192,
  prompt: 100,
  login_hint: 1024,
  id_token_hint: 16_384,
} as const;
