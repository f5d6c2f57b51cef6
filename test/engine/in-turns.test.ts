// Exchanges are passed on, and long documents made, over several turns of the event loop.

import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PiecewiseDocument } from '../../src/engine/exchanges/piecewise-document.ts';
import {
  createTurns,
  inTurns,
  MOST_WAITING_BYTES,
  TARGETS_A_TURN,
} from '../../src/engine/exchanges/turns.ts';
import type { CapturedExchange } from '../../src/server/capture.ts';

const exchange = (number: number, target: string, response_body = ''): CapturedExchange =>
  ({
    number,
    target,
    request_body: new Uint8Array(),
    response_body,
  }) as unknown as CapturedExchange;

function heard() {
  const numbers: number[] = [];
  const listener = inTurns(({ number }) => {
    numbers.push(number);
  });
  return { numbers, listener };
}

describe('exchanges passed on in turns', () => {
  it('are passed on after the turn in which they were created, in order', async () => {
    const { numbers, listener } = heard();
    for (const number of [1, 2, 3]) listener(exchange(number, '/'));
    expect(numbers).toEqual([]);
    await turn();
    expect(numbers).toEqual([1, 2, 3]);
    listener(exchange(4, '/'));
    await turn();
    expect(numbers).toEqual([1, 2, 3, 4]);
  });

  it('with long targets take several turns', async () => {
    const { numbers, listener } = heard();
    const half = '/'.repeat(TARGETS_A_TURN / 2);
    for (const number of [1, 2, 3, 4, 5]) listener(exchange(number, half));
    await turn();
    expect(numbers).toEqual([1, 2]);
    await turn();
    expect(numbers).toEqual([1, 2, 3, 4]);
    await turn();
    expect(numbers).toEqual([1, 2, 3, 4, 5]);
  });

  it('are passed on at once when too many bytes wait', async () => {
    const { numbers, listener } = heard();
    const target = '/'.repeat(TARGETS_A_TURN);
    const body = 'x'.repeat(MOST_WAITING_BYTES / 4);
    for (const number of [1, 2, 3, 4, 5, 6]) listener(exchange(number, target, body));
    await turn();
    expect(numbers).toEqual([1, 2, 3]);
    await turn();
    expect(numbers).toEqual([1, 2, 3, 4]);
  });
});

describe('a long document', () => {
  it('is made in pieces of 64 KiB, and each waits for a turn in which other work is done', async () => {
    const item = 'x'.repeat(40_000);
    const made: number[] = [];
    let turns = 0;
    const takeTurn = createTurns();
    const document = new PiecewiseDocument({
      around: (items: string[]) => ({ items }),
      *items() {
        for (let left = 7; left > 0; left -= 1) {
          made.push(turns);
          yield item;
        }
      },
      takeTurn: async () => {
        const other = turn().then(() => (turns += 1));
        await takeTurn();
        await other;
      },
      onFault: () => undefined,
    });
    let text = '';
    for await (const piece of document.pieces()) text += piece;
    expect(JSON.parse(text)).toEqual({ items: Array.from({ length: 7 }, () => item) });
    // Two items fill a piece; on a slow machine, one may.
    expect(made.filter((number, index) => number === made[index + 2])).toEqual([]);
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});
