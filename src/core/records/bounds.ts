// Limits of a workspace: entries of each list, and bytes as weight.ts estimates them. Records that do not fit are
// rejected, wherever they come from; nothing that is registered is removed automatically. Also limits of parameters.

const MIB = 1024 * 1024;

/** Limit for one record: a client, a user, an audience, a fault rule, a saved flow or request. */
export const MAX_RECORD_BYTES = 256 * 1024;

export const RECORD_BOUNDS = {
  clients: { entries: 10_000, bytes: 16 * MIB },
  users: { entries: 10_000, bytes: 5 * MIB },
  audiences: { entries: 10_000, bytes: 5 * MIB },
  apis: { entries: 64, bytes: 2 * MIB },
} as const;

/** Maximum number of rules of a protected API. Each request to it is compared with all of them, in order. */
export const API_BOUNDS = { rules: 64 } as const;

/** Limits for fault rules. Each request is compared with all of them, in order. */
export const FAULT_BOUNDS = { entries: 200, bytes: 4 * MIB } as const;

/** Limits for held exchanges, and for the rules that hold them. Further exchanges are not held. */
export const HOLD_BOUNDS = { entries: 64, bytes: 8 * MIB, rules: 32 } as const;

/**
 * Limits for what is saved: flows and requests by name, of which further ones are rejected, and results of client
 * checks, of which the newest are kept.
 */
export const SAVED_BOUNDS = {
  flows: { entries: 50, bytes: 1.5 * MIB },
  requests: { entries: 100, bytes: 0.5 * MIB },
  checks: { entries: 1000, bytes: 0.75 * MIB },
} as const;

/** The sandbox clock stays before it, so that all times have a year of four digits. In milliseconds since 1970. */
export const LATEST_TIME = Date.UTC(9900, 0);

/** Maximum number of replaced workspaces that can be restored; the oldest is dropped. */
export const MOST_FORMER = 10;

/** Maximum problems of a workspace file that a preview lists. */
export const MOST_PROBLEMS = 100;

/** Limit for a provider shape in its JSON form. */
export const MAX_SHAPE_BYTES = 64 * 1024;

/** Limit for a resolved shape, with expanded paths and compiled templates: ten times its JSON form. */
export const SHAPE_BOUNDS = { entries: 1, bytes: 10 * MAX_SHAPE_BYTES } as const;

/** Maximum seconds by which iat of a DPoP proof may differ from the clock. Proofs are remembered for that time. */
export const LONGEST_PROOF = 3600;

/** Limit for one imported signing key. */
export const MAX_KEY_BYTES = 32 * 1024;

/** Limits for a workspace file. The same number of keys may be saved from an earlier start. */
export const SIGNING_KEY_BOUNDS = { entries: 20, bytes: 20 * MAX_KEY_BYTES } as const;

/**
 * Maximum entries of the --keep file; the denial list has its own. Keys: those of a workspace (20), those generated in addition
 * (16), and one for each algorithm that was set since. Epochs: one for each start with unexpired tokens.
 */
export const KEPT_BOUNDS = { keys: 50, epochs: 1000 } as const;

/**
 * Maximum characters of parameters that are stored after their request, or sent back. Others have no limit, as they
 * are only compared with registered or issued values. The limits are generous, because some clients store a whole
 * page's state in `state`.
 */
export const PARAMETER_LIMITS = {
  nonce: 1024,
  state: 8192,
  scope: 8192,
  prompt: 100,
  login_hint: 1024,
  id_token_hint: 16_384,
  acr_values: 1024,
  claims: 8192,
  request: 32_768,
} as const;
