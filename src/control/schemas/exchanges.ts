// What was asked and answered, how it was judged, and what is advised.

import { z } from '../../core/records/zod.ts';
import { PROFILES } from '../../core/records/schemas.ts';
import { faultMarkSchema } from '../fault-schemas.ts';
import { at, count, flag, pageSchema, whole } from './values.ts';

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
  after: z.optional(
    z.union([z.string(), z.number()], "must be an exchange number, or a former answer's next"),
  ),
  /** Long poll: wait this many seconds of machine time for the first match. */
  wait_seconds: z._default(count(0, 60), 0),
});

export const sendRequestSchema = z.strictObject({
  method: z._default(z.string(), 'POST'),
  /** Path and query on this server, e.g. `/oauth/token`. */
  path: z.string(),
  headers: z._default(
    z.union(
      [z.record(z.string(), z.string()), z.array(z.tuple([z.string(), z.string()]))],
      'must be a JSON object of strings by name, or an array of pairs of name and value',
    ),
    {},
  ),
  body: z._default(z.string(), ''),
  secrets: flag,
});

export type Check = z.infer<typeof checkSchema>;
export type Deviation = z.infer<typeof deviationSchema>;
export type Advisory = z.infer<typeof advisorySchema>;
export type AdvisoryEntry = z.infer<typeof advisoryEntrySchema>;
export type ExchangeSummary = z.infer<typeof exchangeSummarySchema>;
export type Exchange = z.infer<typeof exchangeSchema>;
export type SendRequest = z.input<typeof sendRequestSchema>;
