// What the page is told as it happens.

import { described } from '../../core/records/described.ts';
import { z } from '../../core/records/zod.ts';
import { TOPICS } from '../topics.ts';
import { exchangeSummarySchema } from './exchanges.ts';
import { counterSchema } from './throttle.ts';
import { whole } from './values.ts';

/**
 * What happened since the former batch. Events are numbered without gaps at the source: when `first`
 * is not the former `last` + 1, something was dropped and the lists want loading anew.
 */
export const feedBatchSchema = z.object({
  first: described(
    whole,
    'Number of the first event. If it is not the previous last + 1, events were dropped.',
  ),
  last: described(whole, 'Number of the last event.'),
  exchanges: described(z.array(exchangeSummarySchema), 'New exchanges, oldest first.'),
  counters: described(z.array(counterSchema), 'The new state of each changed counter.'),
  changed: described(z.array(z.enum(TOPICS)), 'Lists that changed and must be reloaded.'),
  totals: described(
    z.object({
      exchanges: described(whole, 'New exchanges, oldest first.'),
      exchange_bytes: described(whole, 'Size of the kept exchanges in bytes.'),
      live_credentials: described(whole, 'Number of live codes, access tokens and refresh tokens.'),
      counters: described(whole, 'The new state of each changed counter.'),
      blocked_counters: described(whole, 'Number of counters that block now.'),
      requests: described(whole, 'Number of requests since the start.'),
      allowed: described(whole, 'Number of requests that the throttle allowed.'),
      throttled: described(whole, 'Number of requests that the throttle rejected with 429.'),
      app: described(
        z.object({
          requests: described(whole, 'Number of requests since the start.'),
          allowed: described(whole, 'Number of requests that the throttle allowed.'),
          throttled: described(whole, 'Number of requests that the throttle rejected with 429.'),
        }),
        'The same counts for the app under test alone, without the requests of Grantbench itself.',
      ),
    }),
    'Counts since the start.',
  ),
});

export type FeedBatch = z.infer<typeof feedBatchSchema>;
