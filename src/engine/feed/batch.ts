// One batch of the feed, the same object for all viewers at the same place, and its JSON text, made once.
// It knows nothing of sockets: each transport puts the text into its own frames.

import type { FeedBatch } from '../../control/schemas.ts';

/**
 * Deliberately no plain object: oRPC copies those member by member for each viewer, and hands on anything
 * else as it is.
 */
export class SharedBatch implements FeedBatch {
  readonly first: number;
  readonly last: number;
  readonly exchanges: FeedBatch['exchanges'];
  readonly counters: FeedBatch['counters'];
  readonly changed: FeedBatch['changed'];
  readonly totals: FeedBatch['totals'];
  #text: string | null = null;

  constructor({ first, last, exchanges, counters, changed, totals }: FeedBatch) {
    this.first = first;
    this.last = last;
    this.exchanges = exchanges;
    this.counters = counters;
    this.changed = changed;
    this.totals = totals;
  }

  /** The batch as JSON. */
  get text(): string {
    this.#text ??= JSON.stringify(this);
    return this.#text;
  }
}
