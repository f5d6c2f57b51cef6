// The exchanges that the page holds: from the feed, from pages of the list, across gaps and resets.

import { describe, expect, it } from 'vitest';
import {
  applyBatch,
  isReset,
  EMPTY,
  withConnection,
  withExchanges,
  withReset,
  type State,
} from '../../src/renderer/connection/state.ts';
import { exchangeSummary, feedBatch } from '../support/exchanges.ts';

const exchanges = (...numbers: number[]) => numbers.map((number) => exchangeSummary({ number }));
const NOW = 1_000_000;
const numbersOf = ({ exchanges: { chunks } }: State) => chunks.flat().map(({ number }) => number);

describe('the exchanges of the page', () => {
  it('come from the list and the feed, each once', () => {
    const fed = applyBatch(EMPTY, feedBatch({ exchanges: exchanges(4, 5) }), NOW);
    const listed = withExchanges(fed, exchanges(4, 3, 2), 'before:2');
    expect(numbersOf(listed)).toEqual([2, 3, 4, 5]);
    expect(listed.history).toEqual({ next: 'before:2' });
  });

  it('start over after a gap, so that none is missing in between', () => {
    const known = withExchanges(EMPTY, exchanges(1, 2), null);
    const before = applyBatch(
      known,
      feedBatch({ first: 1, last: 2, exchanges: exchanges(3) }),
      NOW,
    );
    const after = applyBatch(
      before,
      feedBatch({ first: 9, last: 9, exchanges: exchanges(9) }),
      NOW,
    );
    expect(numbersOf(after)).toEqual([9]);
    expect(after.history).toBeNull();
  });

  it('start over with a new connection, and stay readable while it is lost', () => {
    const known = withExchanges(EMPTY, exchanges(1, 2), null);
    const lost = withConnection(known, 'lost', 1000);
    expect(numbersOf(lost)).toEqual([1, 2]);
    const open = withConnection(lost, 'open', 2000);
    expect(numbersOf(open)).toEqual([]);
    expect(open.history).toBeNull();
    expect(open.resets).toBe(0);
  });

  it('are cleared by a reset, which is counted', () => {
    const known = withExchanges(EMPTY, exchanges(1, 2), null);
    expect(withReset(known)).toMatchObject({ exchanges: { size: 0 }, history: null, resets: 1 });
  });

  it('are reset too if the feed is that of another sandbox, however many requests it has had: after a reset without a connection, or a restart', () => {
    const totals = (requests: number) => ({ ...feedBatch().totals, requests });
    const known = applyBatch(EMPTY, feedBatch({ totals: totals(5) }), NOW);
    const open = withConnection(withConnection(known, 'lost', NOW), 'open', NOW);
    expect(isReset(EMPTY, feedBatch())).toBe(false);
    expect(isReset(open, feedBatch({ totals: totals(5) }))).toBe(false);
    expect(isReset(open, feedBatch({ sandbox: 'another', totals: totals(9) }))).toBe(true);
    expect(isReset(known, feedBatch({ sandbox: 'another', changed: ['exchanges'] }))).toBe(true);
  });

  it('are no more than the engine keeps', () => {
    const known = withExchanges(EMPTY, exchanges(1, 2, 3), null);
    const kept = (count: number) => ({ ...feedBatch().totals, exchanges: count });
    const more = applyBatch(known, feedBatch({ exchanges: exchanges(4), totals: kept(3) }), NOW);
    expect(numbersOf(more)).toEqual([2, 3, 4]);
    expect(numbersOf(applyBatch(more, feedBatch({ totals: kept(1) }), NOW))).toEqual([4]);
  });

  it('have no older page to load once the page holds as many as it keeps', () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => index + 100);
    const full = withExchanges(EMPTY, exchanges(...numbers), 'before:100');
    expect(full.history).toEqual({ next: null });
    const nearly = withExchanges(EMPTY, exchanges(...numbers.slice(1)), 'before:101');
    expect(nearly.history).toEqual({ next: 'before:101' });
    const more = applyBatch(nearly, feedBatch({ exchanges: exchanges(20_000) }), NOW);
    expect(more.history).toEqual({ next: null });
  });
});
