// What the page is told as it happens.

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

export type FeedBatch = z.infer<typeof feedBatchSchema>;
