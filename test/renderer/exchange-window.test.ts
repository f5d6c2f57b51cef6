// The exchanges that the page keeps: in order of their numbers, each once, up to a limit.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  newestNumber,
  NO_EXCHANGES,
  oldestNumber,
  withMore,
  withoutKnown,
  type ExchangeWindow,
} from '../../src/renderer/connection/exchange-window.ts';
import { exchangeSummary } from '../support/exchanges.ts';

const exchanges = (...numbers: number[]) => numbers.map((number) => exchangeSummary({ number }));

const range = (from: number, to: number) =>
  exchanges(...Array.from({ length: to - from + 1 }, (_, index) => from + index));

const numbersOf = ({ chunks }: ExchangeWindow) => chunks.flat().map(({ number }) => number);

describe('a window of exchanges', () => {
  it('appends a batch', () => {
    const window = withMore(withMore(NO_EXCHANGES, exchanges(1, 2)), exchanges(3, 4));
    expect(numbersOf(window)).toEqual([1, 2, 3, 4]);
    expect([oldestNumber(window), newestNumber(window), window.size]).toEqual([1, 4, 4]);
  });

  it('accepts exchanges that arrive out of order or twice', () => {
    const window = withMore(withMore(NO_EXCHANGES, exchanges(5, 3, 9)), exchanges(4, 5, 1, 10));
    expect(numbersOf(window)).toEqual([1, 3, 4, 5, 9, 10]);
  });

  it('keeps the newest exchanges when it is full', () => {
    const window = withMore(withMore(NO_EXCHANGES, range(1, 900)), range(901, 1000), 300);
    expect(numbersOf(window)).toEqual(range(701, 1000).map(({ number }) => number));
    expect(window.size).toBe(300);
  });

  it('stays the same object when nothing arrives', () => {
    const window = withMore(NO_EXCHANGES, exchanges(1));
    expect(withMore(window, [])).toBe(window);
    expect(withMore(window, exchanges(1)).chunks[0]).toBe(window.chunks[0]);
  });

  it('replaces only one chunk for a batch', () => {
    const before = withMore(NO_EXCHANGES, range(1, 5000));
    const after = withMore(before, range(5001, 5100));
    const kept = after.chunks.filter((chunk) => before.chunks.includes(chunk));
    expect(kept).toHaveLength(before.chunks.length - 1);
  });

  it('has the exchanges that another one lacks, late ones too', () => {
    const numbers = Array.from({ length: 600 }, (_, index) => 2 * (index + 1));
    const before = withMore(NO_EXCHANGES, exchanges(...numbers));
    const after = withMore(before, exchanges(7, 1199, 1201, 1202));
    expect(numbersOf(withoutKnown(after, before))).toEqual([7, 1199, 1201, 1202]);
    expect(withoutKnown(before, before)).toEqual(NO_EXCHANGES);
  });

  it('replaces only the chunk that a late exchange belongs to', () => {
    const numbers = range(1, 5000).filter(({ number }) => number !== 2000);
    const before = withMore(NO_EXCHANGES, numbers);
    const after = withMore(before, exchanges(2000));
    const kept = after.chunks.filter((chunk) => before.chunks.includes(chunk));
    expect(kept).toHaveLength(before.chunks.length - 1);
    expect(after.size).toBe(5000);
  });

  it('equals the newest part of a sorted set, however the batches are cut', () => {
    const number = fc.integer({ min: 1, max: 2000 });
    const batches = fc.array(fc.array(number, { maxLength: 300 }), { maxLength: 12 });
    fc.assert(
      fc.property(batches, (all) => {
        let window = NO_EXCHANGES;
        let known: number[] = [];
        for (const batch of all) {
          window = withMore(window, exchanges(...new Set(batch)), 500);
          known = [...new Set([...known, ...batch])].sort((a, b) => a - b).slice(-500);
          expect(numbersOf(window)).toEqual(known);
          expect(window.size).toBe(known.length);
          expect(window.chunks.every((chunk) => chunk.length > 0)).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});
