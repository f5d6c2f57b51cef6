// What the page is told as it happens.

import { described, z } from '../../core/records/zod.ts';
import { RATE_SECONDS, TOPICS } from '../topics.ts';
import { exchangeSummarySchema } from './exchanges.ts';
import { counterSchema } from './server.ts';
import { whole } from './values.ts';

/** Of requests: all of them, or those of the app alone. */
const counts = {
  requests: described(whole, 'Number of requests.'),
  allowed: described(whole, 'Number of requests that the throttle allowed.'),
  throttled: described(whole, 'Number of requests that the throttle rejected with 429.'),
};

const app = described(
  z.object(counts),
  'The same counts for the app under test alone, without the requests of Grantbench itself.',
);

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
      exchanges: described(whole, 'Number of kept exchanges.'),
      exchange_bytes: described(whole, 'Size of the kept exchanges in bytes.'),
      live_credentials: described(whole, 'Number of live codes, access tokens and refresh tokens.'),
      counters: described(whole, 'Number of throttle counters.'),
      blocked_counters: described(whole, 'Number of counters that block now.'),
      ...counts,
      app,
      app_traffic: described(
        z.nullable(
          z.object({
            count: described(whole, 'Number of requests, without those for health.'),
            first: described(
              exchangeSummarySchema,
              'The first request, even if it is no longer kept.',
            ),
            newest: described(exchangeSummarySchema, 'The newest request.'),
            rejected: described(
              z.nullable(exchangeSummarySchema),
              'The newest one that the service rejected, and no fault rule; null for none.',
            ),
            redundant: described(
              z.nullable(exchangeSummarySchema),
              'The newest one with an advisory; null for none.',
            ),
          }),
        ),
        'What the app under test has sent since the start or the last reset; null for nothing.',
      ),
    }),
    'Counts since the start.',
  ),
  rates: described(
    z.object({
      second: described(whole, 'Number of the current second, on a clock that only goes forward.'),
      seconds: described(
        z.array(
          z.object({
            second: described(whole, 'Number of the second.'),
            ...counts,
            app,
          }),
        ),
        'The counts of each second that changed, oldest first. A second that is never listed had no requests.',
      ),
    }),
    `Counts per second: in the first batch those of the last ${RATE_SECONDS} seconds since the start or a reset, then those that changed.`,
  ),
});

export type FeedBatch = z.infer<typeof feedBatchSchema>;
