// How much a workspace may hold: entries of each list, and bytes as weight.ts estimates them. What does
// not fit is refused, by whichever way it came; nothing that is registered goes by itself. And how long parameters may be.

const MIB = 1024 * 1024;

/** Of one record: a client, a user, an audience, a fault rule, a saved flow or request. */
export const MAX_RECORD_BYTES = 256 * 1024;

export const RECORD_BOUNDS = {
  clients: { entries: 10_000, bytes: 16 * MIB },
  users: { entries: 10_000, bytes: 5 * MIB },
  audiences: { entries: 10_000, bytes: 5 * MIB },
} as const;

/** Each request is held against fault rules in order. */
export const FAULT_BOUNDS = { entries: 200, bytes: 4 * MIB } as const;

/** What is saved by name; beyond, one more is refused. */
export const SAVED_BOUNDS = {
  flows: { entries: 50, bytes: 1.5 * MIB },
  requests: { entries: 100, bytes: 0.5 * MIB },
} as const;

/** Of a provider shape as it is given. */
export const MAX_SHAPE_BYTES = 64 * 1024;

/** With its paths written out and its templates compiled: at most ten times what is given. */
export const SHAPE_BOUNDS = { entries: 1, bytes: 10 * MAX_SHAPE_BYTES } as const;

/** Seconds that iat of a DPoP proof may differ from the clock at most: each is remembered that long. */
export const LONGEST_PROOF = 3600;

/** Of one signing key as it is brought along. */
export const MAX_KEY_BYTES = 32 * 1024;

/** Of a workspace file; as many more may be kept from an earlier start. */
export const SIGNING_KEY_BOUNDS = { entries: 20, bytes: 20 * MAX_KEY_BYTES } as const;

/**
 * Of the parameters that are kept beyond their request, or sent back: others are compared with what is registered or
 * issued, and have no length of their own. In characters; generous, as some clients keep a whole page's state in theirs.
 */
export const PARAMETER_LIMITS = {
  nonce: 1024,
  state: 8192,
  scope: 8192,
  prompt: 100,
  login_hint: 1024,
  id_token_hint: 16_384,
} as const;
