// Counters of the throttle.

import { described } from '../../core/records/described.ts';
import { z } from '../../core/records/zod.ts';
import { at, whole } from './values.ts';

export const counterSchema = z.object({
  id: described(z.string(), 'Identifier of the counter: a digest of credential and address.'),
  kind: described(
    z.enum([
      'code',
      'refresh_token',
      'device_code',
      'subject_token',
      'username',
      'client',
      'unknown',
    ]),
    'What is counted: a code, a refresh token, a device code, a token to exchange, the name of a user, a client, or unknown credentials.',
  ),
  credential: described(z.string(), 'Short digest of the credential, as shown and logged.'),
  client_id: described(z.string(), 'Identifier of the client (RFC 7591).'),
  ip: described(z.string(), "The client's address."),
  used: described(whole, 'Number of requests in the current window.'),
  limit: described(whole, 'Number of requests allowed in a window.'),
  limit_from: described(
    z.enum(['workspace', 'client']),
    'Whether the limit is that of the settings or of the client.',
  ),
  window_seconds: described(whole, 'Length of a window in seconds.'),
  opened_at: described(at, 'When the window started.'),
  resets_at: described(at, 'When the window resets.'),
  allowed: described(whole, 'Number of requests allowed, in all windows.'),
  blocked: described(whole, 'Number of requests rejected with 429, in all windows.'),
  last_seen_at: described(at, 'When the last request was counted.'),
});

/** A counter with the newest requests it refused, newest first: at most 20. */
export const counterDetailSchema = z.extend(counterSchema, {
  blocked_requests: described(
    z.array(
      z.object({
        at: described(at, 'When the request was rejected.'),
        exchange: described(whole, 'Number of the exchange.'),
      }),
    ),
    'The 20 newest rejected requests, newest first.',
  ),
});

export type Counter = z.infer<typeof counterSchema>;
export type CounterDetail = z.infer<typeof counterDetailSchema>;
