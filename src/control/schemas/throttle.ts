// Counters of the throttle.

import { z } from '../../core/records/zod.ts';
import { at, whole } from './values.ts';

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

export type Counter = z.infer<typeof counterSchema>;
export type CounterDetail = z.infer<typeof counterDetailSchema>;
