// Counters of the throttle.

import { described } from '../../core/records/described.ts';
import { z } from '../../core/records/zod.ts';
import { at, whole } from './values.ts';

export const counterSchema = z.object({
  id: described(z.string(), 'Digest of credential and address.'),
  kind: described(
    z.enum(['code', 'refresh_token', 'client', 'unknown']),
    'What is counted: a code, a refresh token, a client, or unknown credentials.',
  ),
  credential: described(z.string(), 'Short digest of the credential, as shown and logged.'),
  client_id: described(z.string(), 'Identifier of the client (RFC 7591).'),
  ip: described(z.string(), "The client's address."),
  used: described(whole, 'Requests counted in the open window.'),
  limit: described(whole, 'Requests allowed in a window.'),
  limit_from: described(
    z.enum(['workspace', 'client']),
    "Whose limit applies: the workspace's, or the client's own.",
  ),
  window_seconds: described(whole, 'Length of a window in seconds.'),
  opened_at: described(at, 'When the window opened.'),
  resets_at: described(at, 'When the window resets.'),
  allowed: described(whole, 'Requests allowed, over all windows.'),
  blocked: described(whole, 'Requests rejected with 429, over all windows.'),
  last_seen_at: described(at, 'When a request was last counted.'),
});

/** A counter with the newest requests it refused, newest first: at most 20. */
export const counterDetailSchema = z.extend(counterSchema, {
  blocked_requests: described(
    z.array(
      z.object({
        at: described(at, 'When it was rejected.'),
        exchange: described(whole, 'Number of the exchange.'),
      }),
    ),
    'The newest requests it rejected, newest first, at most 20.',
  ),
});

export type Counter = z.infer<typeof counterSchema>;
export type CounterDetail = z.infer<typeof counterDetailSchema>;
