// What the control operations say and hear, as schemas; the workspace's own records come from core.
// `*_at` are RFC 3339 UTC with milliseconds on the sandbox clock, `*_seconds` whole seconds,
// `*_ms` durations of the stopwatch. A null stands for "none".

import { z } from '../core/zod.ts';
import { PROFILES, SIGNING_ALGS, signingKeySchema } from '../core/schemas.ts';
import { faultMarkSchema } from './fault-schemas.ts';
import { TOPICS } from './topics.ts';

export {
  ACCESS_TOKEN_FORMATS,
  APPLICATION_TYPES,
  AUTHORIZE_MODES,
  AUTH_METHODS,
  DIALECTS,
  GRANT_TYPES,
  PROFILES,
  REGISTRATION_MODES,
  SIGNING_ALGS,
  THROTTLE_MODES,
  audienceSchema,
  claimsSchema,
  clientSchema,
  redirectUriSchema,
  settingsSchema,
  userSchema,
  workspaceSchema,
} from '../core/schemas.ts';
export type {
  Audience,
  Client,
  Dialect,
  GrantType,
  Profile,
  Settings,
  SigningAlg,
  User,
} from '../core/schemas.ts';

const at = z.string();
const whole = z.int().check(z.nonnegative());
/** A query parameter arrives as text; over the window's port it is a number already. */
const count = (min: number, max: number) =>
  z.coerce.number<number>().check(z.int(), z.minimum(min), z.maximum(max));
const flag = z._default(z.union([z.boolean(), z.stringbool()]), false);

/** Newest first; `after` takes the former answer's `next`. */
export const pageSchema = z.object({
  limit: z._default(count(1, 1000), 100),
  after: z.optional(z.string()),
});

export const listOf = <T extends z.core.SomeType>(item: T) =>
  z.object({ items: z.array(item), next: z.nullable(z.string()) });

// ── codes and tokens ────────────────────────────────────────────────────────────────────────────

export const issueCodeSchema = z.strictObject({
  client_id: z.string(),
  redirect_uri: z.string(),
  /** Defaults to the first user. */
  sub: z.optional(z.string()),
  audience: z.optional(z.string()),
  /** Space-separated scope tokens (RFC 6749 3.3). */
  scope: z.optional(z.string()),
  state: z.optional(z.string()),
  nonce: z.optional(z.string()),
  code_challenge: z.optional(z.string()),
  code_challenge_method: z.optional(z.enum(['S256', 'plain'])),
  code_expires_in: z.optional(z.int().check(z.minimum(1), z.maximum(86_400))),
  access_token_expires_in: z.optional(z.int().check(z.minimum(1), z.maximum(315_360_000))),
});

export const issuedCodeSchema = z.object({
  code: z.string(),
  expires_at: at,
  /** The redirect URI with `code`, `state` and `iss`, as an authorization response has them. */
  redirect_to: z.string(),
  lineage_id: z.string(),
});

export const mintTokensSchema = z.strictObject({
  client_id: z.string(),
  sub: z.optional(z.string()),
  audience: z.optional(z.string()),
  scope: z.optional(z.string()),
  access_token_expires_in: z.optional(z.int().check(z.minimum(1), z.maximum(315_360_000))),
});

export const mintedTokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.nullable(z.string()),
  token_type: z.literal('Bearer'),
  expires_in: whole,
  scope: z.nullable(z.string()),
  lineage_id: z.string(),
});

export const CREDENTIAL_KINDS = ['code', 'access_token', 'refresh_token'] as const;
export const CREDENTIAL_STATES = [
  'issued',
  'redeemed',
  'active',
  'rotated',
  'expired',
  'revoked',
] as const;

/** A credential the service issued, in whatever state (behaviour 4). */
export const credentialSchema = z.object({
  /** Digest of the credential, or `jti`: safe to show and to put into a path. */
  id: z.string(),
  kind: z.enum(CREDENTIAL_KINDS),
  state: z.enum(CREDENTIAL_STATES),
  /** The credential itself; null unless `secrets` was asked for. */
  value: z.nullable(z.string()),
  lineage_id: z.string(),
  client_id: z.string(),
  sub: z.string(),
  audience: z.nullable(z.string()),
  scope: z.string(),
  /** What the authorization was asked with; null for whatever is no code. */
  redirect_uri: z.nullable(z.string()),
  code_challenge_method: z.nullable(z.enum(['S256', 'plain'])),
  issued_at: at,
  expires_at: at,
  /** When a terminal state was entered; null while the credential is live. */
  ended_at: z.nullable(at),
  /** Number of the exchange that issued it; null when it came over control. */
  issued_by: z.nullable(whole),
  /** Number of the exchange that redeemed, rotated or revoked it. */
  ended_by: z.nullable(whole),
});

export const credentialFilterSchema = z.extend(pageSchema, {
  kind: z.optional(z.enum(CREDENTIAL_KINDS)),
  state: z.optional(z.enum(CREDENTIAL_STATES)),
  client_id: z.optional(z.string()),
  /** Part of the id, client, user, audience or scope; or a whole credential, or its `jti`. */
  text: z.optional(z.string()),
});

/** Everything that came of one authorization, as far as it is kept (behaviour 4). */
export const lineageSchema = z.object({
  lineage_id: z.string(),
  client_id: z.string(),
  sub: z.string(),
  audience: z.nullable(z.string()),
  scope: z.string(),
  created_at: at,
  revoked_at: z.nullable(at),
  /** Credentials issued so far, kept or not. */
  count: whole,
  /** Numbers of its newest exchanges, at most 50, oldest first. */
  exchanges: z.array(whole),
  /** Its newest 50 credentials, those they came of, and the first one; oldest first. */
  members: z.array(
    z.extend(credentialSchema, {
      /** The member that was presented for it; null for the first ones, or when nobody knows. */
      parent_id: z.nullable(z.string()),
    }),
  ),
});

// ── exchanges ───────────────────────────────────────────────────────────────────────────────────

export const VERDICTS = ['passed', 'failed', 'not_reached'] as const;

/** One check of a judgement, in words. */
export const checkSchema = z.object({
  id: z.string(),
  /** What the rule asks, as a sentence. */
  rule: z.string(),
  /** Where it stands: `spec 4.1.1`, `RFC 6749 4.1.3`, `behaviour 3`. */
  section: z.string(),
  expected: z.nullable(z.string()),
  got: z.nullable(z.string()),
  verdict: z.enum(VERDICTS),
  /** A short remark that only the trace tells: "3 of 30 in this window". */
  note: z.nullable(z.string()),
});

/** Why a request was refused, and what to change. */
export const causeSchema = z.object({
  /** `id` of the failed check. */
  check: z.string(),
  /** One sentence: "The redirect URI is not the one the code was issued for." */
  summary: z.string(),
  /** What only the trace tells: "redirect_uri differs at character 31". */
  detail: z.nullable(z.string()),
  /** What to do about it. */
  advice: z.nullable(z.string()),
  /** Where `got` begins to differ from `expected`, zero-based; null when that says nothing. */
  differs_at: z.nullable(whole),
});

/** What another profile, `strict` above all, would have made of the request (behaviour 1). */
export const deviationSchema = z.object({
  id: z.string(),
  text: z.string(),
  section: z.string(),
  /** The answer `strict` would have given; null when it would only note it too. */
  strict_status: z.nullable(whole),
  strict_error: z.nullable(z.string()),
});

/** Advice that never changes the answer (behaviour 5, over-fetch detector). */
export const advisorySchema = z.object({
  kind: z.enum(['over_fetch', 'repeated_authorization']),
  text: z.string(),
  section: z.string(),
  /** Seconds of life left in the access token that was still good. */
  seconds_left: whole,
});

/** An advisory with the exchange it was about: kept longer than the exchange itself. */
export const advisoryEntrySchema = z.extend(advisorySchema, {
  exchange: whole,
  at,
  client_id: z.string(),
});

/** How many advisories a client has had since the start or the last reset. */
export const advisoryCountsSchema = z.object({
  client_id: z.string(),
  over_fetch: whole,
  repeated_authorization: whole,
});

export const advisoryFilterSchema = z.extend(pageSchema, { client_id: z.optional(z.string()) });

export const exchangeSummarySchema = z.object({
  number: whole,
  /** Sandbox clock when the request arrived. */
  at,
  method: z.string(),
  /** Path and query as sent. */
  path: z.string(),
  ip: z.string(),
  grant_type: z.nullable(z.string()),
  client_id: z.nullable(z.string()),
  /** 0 when a fault left the request without an answer. */
  status: whole,
  error: z.nullable(z.string()),
  /** The cause in a few words, or null. */
  cause: z.nullable(z.string()),
  duration_ms: z.number().check(z.nonnegative()),
  lineage_id: z.nullable(z.string()),
  throttled: z.boolean(),
  /** The fault rule it ran into (behaviour 8). */
  fault: z.nullable(faultMarkSchema),
  deviations: whole,
  advisories: whole,
});

const headers = z.array(z.tuple([z.string(), z.string()]));

export const exchangeSchema = z.extend(exchangeSummarySchema, {
  request: z.object({
    http_version: z.string(),
    headers,
    body: z.string(),
    body_encoding: z.enum(['utf8', 'base64']),
    /** Bytes that came; the captured body may hold fewer. */
    body_bytes: whole,
  }),
  response: z.object({
    reason: z.string(),
    headers,
    body: z.string(),
    body_encoding: z.enum(['utf8', 'base64']),
    body_bytes: whole,
  }),
  /** Every check in the order of judgement; empty for endpoints that judge nothing. */
  trace: z.array(checkSchema),
  why: z.nullable(causeSchema),
  deviation_notes: z.array(deviationSchema),
  advisory_notes: z.array(advisorySchema),
  /** Credential presented, if known: `id` of a record under /tokens. */
  credential_id: z.nullable(z.string()),
  profile: z.nullable(z.enum(PROFILES)),
  clock: z.object({ now: at, frozen: z.boolean(), offset_seconds: z.number() }),
});

export const exchangeFilterSchema = z.object({
  limit: z._default(count(1, 1000), 100),
  client_id: z.optional(z.string()),
  error: z.optional(z.string()),
  status: z.optional(count(100, 599)),
  /** An exchange number: only later ones. Or the former answer's `next`: the page after it. */
  after: z.optional(z.union([z.string(), z.number()])),
  /** Long poll: wait this many seconds of machine time for the first match. */
  wait_seconds: z._default(count(0, 60), 0),
});

export const sendRequestSchema = z.strictObject({
  method: z._default(z.string(), 'POST'),
  /** Path and query on this server, e.g. `/oauth/token`. */
  path: z.string(),
  headers: z._default(
    z.union([z.record(z.string(), z.string()), z.array(z.tuple([z.string(), z.string()]))]),
    {},
  ),
  body: z._default(z.string(), ''),
  secrets: flag,
});

export const secretsSchema = z.object({ secrets: flag });

// ── throttle ────────────────────────────────────────────────────────────────────────────────────

export const counterSchema = z.object({
  /** Digest of credential and IP. */
  id: z.string(),
  kind: z.enum(['code', 'refresh_token', 'client', 'unknown']),
  /** Short digest of the credential, as shown and logged. */
  credential: z.string(),
  client_id: z.string(),
  ip: z.string(),
  /** Requests counted in the open window. */
  used: whole,
  limit: whole,
  /** Whose limit that is: the workspace's, or the client's own. */
  limit_from: z.enum(['workspace', 'client']),
  window_seconds: whole,
  opened_at: at,
  /** When the window turns over. */
  resets_at: at,
  /** Since the counter came to be, over all its windows. */
  allowed: whole,
  blocked: whole,
  last_seen_at: at,
});

/** A counter with the newest requests it refused, newest first: at most 20. */
export const counterDetailSchema = z.extend(counterSchema, {
  blocked_requests: z.array(z.object({ at, exchange: whole })),
});

// ── clock, server, keys ─────────────────────────────────────────────────────────────────────────

export const clockSchema = z.object({
  now: at,
  frozen: z.boolean(),
  /** Sandbox time less machine time, in seconds. */
  offset_seconds: z.number(),
});

export const clockPatchSchema = z
  .strictObject({
    /** Move forward by this many seconds. */
    advance_seconds: z.optional(z.number().check(z.nonnegative(), z.maximum(3_153_600_000))),
    frozen: z.optional(z.boolean()),
    now: z.optional(z.iso.datetime({ offset: true })),
    reset: z.optional(z.literal(true)),
  })
  .check(
    z.refine(
      (patch) => Object.values(patch).filter((value) => value !== undefined).length === 1,
      'must have exactly one of advance_seconds, frozen, now, reset',
    ),
  );

export const serverSchema = z.object({
  state: z.enum(['running', 'stopped', 'failed']),
  issuer: z.string(),
  token_endpoint: z.string(),
  /** The port bound, or the one wanted while not running. */
  port: whole,
  /** Why it is not running; `free_port` is one that could be had instead. */
  problem: z.nullable(
    z.object({ code: z.string(), message: z.string(), free_port: z.nullable(whole) }),
  ),
  /** Whether ::1 is served too. */
  ipv6: z.boolean(),
  /** The one address it listens on; null for both loopback addresses. */
  host: z.nullable(z.string()),
  /** Whether it speaks HTTPS, and no HTTP. */
  https: z.boolean(),
  version: z.string(),
  workspace: z.object({
    name: z.string(),
    /** File name only, or null for a workspace without file. */
    file: z.nullable(z.string()),
    /** `memory`: nothing is written (`serve` without `--save`). */
    state: z.enum(['saved', 'saving', 'memory', 'conflict', 'failed']),
    message: z.nullable(z.string()),
  }),
});

export const keySchema = z.object({
  kid: z.string(),
  alg: z.enum(SIGNING_ALGS),
  /** Whether new tokens are signed with it. */
  signing: z.boolean(),
  /** Whether it stands in the JWKS. */
  published: z.boolean(),
  created_at: at,
  /** The public JWK; null for HS256. */
  public_jwk: z.nullable(z.record(z.string(), z.unknown())),
});

/** A new key: made for an algorithm, the one in force by default, or imported. */
export const newKeySchema = z
  .strictObject({
    alg: z.optional(z.enum(SIGNING_ALGS)),
    /** A private JWK (RFC 7517) with its `alg`. */
    jwk: z.optional(signingKeySchema),
  })
  .check(
    z.refine(({ alg, jwk }) => alg === undefined || jwk === undefined, {
      path: ['alg'],
      message: 'must be left out beside jwk, which has its own',
    }),
  );

export const retiredKeySchema = z.object({
  kid: z.string(),
  retired_at: at,
  /** The key that signs now: a new one when the last of its algorithm was retired. */
  signing_kid: z.string(),
});

export const resetSchema = z.strictObject({
  /** Also return clients, users, audiences and settings to the workspace file. */
  workspace: z._default(z.boolean(), false),
});

// ── feed ────────────────────────────────────────────────────────────────────────────────────────

/**
 * What happened since the former batch. Events are numbered without gaps at the source: when `first`
 * is not the former `last` + 1, something was dropped and the lists want loading anew.
 */
export const feedBatchSchema = z.object({
  first: whole,
  last: whole,
  /** Oldest first. */
  exchanges: z.array(exchangeSummarySchema),
  /** Newest state of every counter that changed. */
  counters: z.array(counterSchema),
  /** Lists to load anew. */
  changed: z.array(z.enum(TOPICS)),
  totals: z.object({
    exchanges: whole,
    exchange_bytes: whole,
    live_credentials: whole,
    counters: whole,
    blocked_counters: whole,
    /** All requests since start: the page makes its rate of it. */
    requests: whole,
    /** Of those, the ones that the throttle counted: let through, and refused with 429. */
    allowed: whole,
    throttled: whole,
  }),
});

export type Credential = z.infer<typeof credentialSchema>;
export type CredentialFilter = z.input<typeof credentialFilterSchema>;
export type Lineage = z.infer<typeof lineageSchema>;
export type Check = z.infer<typeof checkSchema>;
export type Deviation = z.infer<typeof deviationSchema>;
export type Advisory = z.infer<typeof advisorySchema>;
export type AdvisoryEntry = z.infer<typeof advisoryEntrySchema>;
export type ExchangeSummary = z.infer<typeof exchangeSummarySchema>;
export type Exchange = z.infer<typeof exchangeSchema>;
export type Counter = z.infer<typeof counterSchema>;
export type CounterDetail = z.infer<typeof counterDetailSchema>;
export type ClockState = z.infer<typeof clockSchema>;
export type ServerState = z.infer<typeof serverSchema>;
export type SigningKey = z.infer<typeof keySchema>;
export type FeedBatch = z.infer<typeof feedBatchSchema>;
export type IssueCode = z.infer<typeof issueCodeSchema>;
export type SendRequest = z.input<typeof sendRequestSchema>;
