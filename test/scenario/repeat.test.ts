// Repeated requests: each is sent once, within the concurrency and rate, until something ends the run.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import {
  burst,
  NO_ANSWERS,
  withAnswer,
  type Pace,
  type Tally,
} from '../../src/scenario/runner/repeat.ts';
import { exchangeOf } from '../support/exchanges.ts';

interface Waiting {
  readonly answer: (value: number) => void;
  readonly fail: (error: Error) => void;
  readonly signal: AbortSignal;
}

/** A service that responds on demand. */
function start(pace: Partial<Pace>, goOn: (value: number) => boolean = () => true) {
  const waiting: Waiting[] = [];
  const answers: number[] = [];
  const controller = new AbortController();
  const ended = burst<number>({
    pace: { count: 4, parallel: 1, per_second: null, ...pace },
    send: (signal) =>
      new Promise((answer, fail) => {
        waiting.push({ answer, fail, signal });
        signal.addEventListener('abort', () => fail(new Error('given up')));
      }),
    onAnswer: (value) => {
      answers.push(value);
      return goOn(value);
    },
    onProgress: () => undefined,
    signal: controller.signal,
  });
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { waiting, answers, controller, ended, settle };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('repeated requests', () => {
  it('start one at a time, each after the response to the one before', async () => {
    const { waiting, answers, ended, settle } = start({ count: 3 });
    for (const sent of [1, 2, 3]) {
      expect(waiting).toHaveLength(sent);
      waiting[sent - 1]?.answer(sent);
      await settle();
    }
    await ended;
    expect(answers).toEqual([1, 2, 3]);
  });

  it('run in parallel up to the given concurrency', async () => {
    const { waiting, answers, ended, settle } = start({ count: 5, parallel: 3 });
    expect(waiting).toHaveLength(3);
    waiting[1]?.answer(1);
    await settle();
    expect(waiting).toHaveLength(4);
    waiting.forEach(({ answer }) => answer(1));
    await settle();
    expect(waiting).toHaveLength(5);
    waiting[4]?.answer(1);
    await ended;
    expect(answers).toHaveLength(5);
  });

  it('start at the given rate, however slow the responses are', async () => {
    const { waiting, ended } = start({ count: 4, parallel: 10, per_second: 2 });
    for (const sent of [1, 2, 3, 4]) {
      expect(waiting).toHaveLength(sent);
      await vi.advanceTimersByTimeAsync(499);
      expect(waiting).toHaveLength(sent);
      await vi.advanceTimersByTimeAsync(1);
    }
    waiting.forEach(({ answer }) => answer(1));
    await ended;
  });

  it('end at a response that ends them, and abort those in flight', async () => {
    const { waiting, answers, ended } = start({ parallel: 3 }, (value) => value !== 429);
    waiting[0]?.answer(429);
    await ended;
    expect(answers).toEqual([429]);
    expect(waiting.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
  });

  it('end when the user stops them, also while they wait for their time', async () => {
    const { waiting, answers, controller, ended } = start({ parallel: 2, per_second: 1 });
    waiting[0]?.answer(1);
    await vi.advanceTimersByTimeAsync(0);
    controller.abort();
    await ended;
    expect(answers).toEqual([1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('print no warning of Node while many wait for their time', async () => {
    const warn = vi.spyOn(process, 'emitWarning');
    const { controller, ended } = start({ count: 20, parallel: 20, per_second: 1 });
    controller.abort();
    await ended;
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('end with the first error, and abort the others', async () => {
    const { waiting, ended } = start({ parallel: 2 });
    waiting[0]?.fail(new Error('not running'));
    await expect(ended).rejects.toThrow('not running');
    expect(waiting).toHaveLength(2);
    expect(waiting[1]?.signal.aborted).toBe(true);
  });
});

describe('the tally', () => {
  it('counts equal responses, the most frequent first, and keeps the first of each', () => {
    const answers = [
      exchangeOf({ number: 1 }),
      exchangeOf({ number: 2, status: 429, error: 'too_many_requests' }),
      exchangeOf({ number: 3, status: 429, error: 'too_many_requests' }),
      exchangeOf({ number: 4, status: 400, error: 'invalid_grant' }),
    ];
    const { sent, outcomes } = answers.reduce<Tally<Exchange>>(
      (tally, exchange) => withAnswer(tally, exchange, exchange),
      NO_ANSWERS,
    );
    expect(sent).toBe(4);
    expect(outcomes.map(({ status, count, first }) => [status, count, first.number])).toEqual([
      [429, 2, 2],
      [200, 1, 1],
      [400, 1, 4],
    ]);
  });
});
