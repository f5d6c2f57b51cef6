// Work that is requested at any rate and runs at a limited rate.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttled } from '../../src/renderer/connection/throttled.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const REST = 1000;

/** A run that takes 100 ms. */
function counting() {
  const count = { begun: 0, at_once: 0, most: 0 };
  const work = throttled(async () => {
    count.begun += 1;
    count.at_once += 1;
    count.most = Math.max(count.most, count.at_once);
    await new Promise((done) => setTimeout(done, 100));
    count.at_once -= 1;
  }, REST);
  return { count, work };
}

test('work runs at once after a rest', () => {
  const { count, work } = counting();
  work.ask();
  expect(count.begun).toBe(1);
});

test('work requested a thousand times meanwhile runs once more, after a rest', async () => {
  const { count, work } = counting();
  for (let asked = 0; asked < 1000; asked += 1) work.ask();
  await vi.advanceTimersByTimeAsync(100 + REST - 1);
  expect(count.begun).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(count.begun).toBe(2);
  await vi.advanceTimersByTimeAsync(10 * REST);
  expect(count).toMatchObject({ begun: 2, most: 1 });
});

test('stopping drops requested work, and work can be requested again', async () => {
  const { count, work } = counting();
  work.ask();
  work.ask();
  work.stop();
  await vi.advanceTimersByTimeAsync(10 * REST);
  expect(count.begun).toBe(1);
  work.ask();
  expect(count.begun).toBe(2);
});
