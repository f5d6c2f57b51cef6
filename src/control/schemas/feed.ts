// The events that viewers receive.

import { described, z } from '../../core/records/zod.ts';
import { RATE_SECONDS, TOPICS } from '../topics.ts';
import { exchangeSummarySchema } from './exchanges.ts';
import { counterSchema } from './server.ts';
import { integer } from './values.ts';

/** Counts of requests: of all, or only of the app's. */
const counts = {
  requests: integer('Number of requests.'),
  allowed: integer('Number of requests within the throttle limit.'),
  throttled: integer('Number of requests throttled with 429.'),
};

const app = described(
  z.object(counts),
  'The same counts for the app under test, without requests of Grantbench itself.',
);

/**
 * The events since the previous batch. They are numbered without gaps: if `first` is not the previous `last` + 1,
 * events were dropped and lists must be loaded again.
 */
export const feedBatchSchema = z.object({
  sandbox: described(
    z.string(),
    'Identifies the sandbox; a new random value after each start or reset.',
  ),
  first: integer(
    'Number of the first event. If it is not the previous last + 1, events were dropped.',
  ),
  last: integer('Number of the last event.'),
  exchanges: described(z.array(exchangeSummarySchema), 'New exchanges, oldest first.'),
  counters: described(z.array(counterSchema), 'Each changed counter.'),
  changed: described(z.array(z.enum(TOPICS)), 'Lists that changed and must be reloaded.'),
  totals: described(
    z.object({
      exchanges: integer('Number of kept exchanges.'),
      exchange_bytes: integer('Size of the kept exchanges in bytes.'),
      live_credentials: integer('Number of live codes, access tokens and refresh tokens.'),
      counters: integer('Number of throttle counters.'),
      blocked_counters: integer('Number of counters that are throttling now.'),
      ...counts,
      app,
      app_traffic: described(
        z.nullable(
          z.object({
            count: integer('Number of requests, without health checks.'),
            first: described(
              exchangeSummarySchema,
              'The first request, even if it is no longer kept.',
            ),
            newest: described(exchangeSummarySchema, 'The newest request.'),
            rejected: described(
              z.nullable(exchangeSummarySchema),
              'The newest request that was rejected without a fault rule; null for none.',
            ),
            redundant: described(
              z.nullable(exchangeSummarySchema),
              'The newest request with an advisory; null for none.',
            ),
          }),
        ),
        'The requests of the app under test since the start or the last reset; null if there are none.',
      ),
    }),
    'Counts since the start.',
  ),
  rates: described(
    z.object({
      second: integer('Number of the current second, on a monotonic clock.'),
      seconds: described(
        z.array(
          z.object({
            second: integer('Number of the second.'),
            ...counts,
            app,
          }),
        ),
        'The counts of each changed second, oldest first. A second that is never listed had no requests.',
      ),
    }),
    `Counts per second. The first batch has the last ${RATE_SECONDS} seconds since the start or a reset, later ones the changed seconds.`,
  ),
});

export type FeedBatch = z.infer<typeof feedBatchSchema>;
