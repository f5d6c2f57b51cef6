// When something is saved: one save at a time, a rest after each, and nobody who waits waits for the rest.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSaveSchedule } from '../../src/engine/files/save-schedule.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A schedule whose saves each hold the event loop for so many ms. */
function schedule(cost: number) {
  const begun = Date.now();
  let saves = 0;
  const created = createSaveSchedule({
    stopwatch: () => Date.now() - begun,
    save: () => {
      saves += 1;
      return Promise.resolve(cost);
    },
  });
  return { ...created, saves: () => saves };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('nothing is saved before there is something to save', async () => {
  const { isRequested, isSaving, flush, saves } = schedule(10);
  expect([isRequested(), isSaving()]).toEqual([false, false]);
  await flush();
  await pass(1000);
  expect(saves()).toBe(0);
});

it('a save takes up what was requested before it', async () => {
  let end: (cost: number) => void = () => undefined;
  const { request, isRequested, isSaving } = createSaveSchedule({
    stopwatch: () => 0,
    save: () => new Promise((resolve) => (end = resolve)),
  });
  request();
  expect([isRequested(), isSaving()]).toEqual([true, false]);
  await pass(0);
  expect([isRequested(), isSaving()]).toEqual([false, true]);
  request();
  expect([isRequested(), isSaving()]).toEqual([true, true]);
  end(0);
  await pass(0);
  expect([isRequested(), isSaving()]).toEqual([false, true]);
  end(0);
  await pass(0);
  expect([isRequested(), isSaving()]).toEqual([false, false]);
});

it('the next save rests for twenty times what the last one cost', async () => {
  const { request, saves } = schedule(10);
  await pass(5000);
  request();
  await pass(0);
  expect(saves()).toBe(1);
  request();
  await pass(150);
  expect(saves()).toBe(1);
  await pass(50);
  expect(saves()).toBe(2);
});

it('whoever waits for a save cuts the rest short, and nobody else after that', async () => {
  const { request, flush, saves } = schedule(10);
  request();
  await pass(0);
  request();
  await pass(0);
  const flushing = flush();
  await pass(0);
  await flushing;
  expect(saves()).toBe(2);
  request();
  await pass(100);
  expect(saves()).toBe(2);
});

it('what was cancelled is not saved, and nobody waits for it', async () => {
  const { request, cancel, isRequested, flush, saves } = schedule(10);
  request();
  await pass(0);
  request();
  await pass(0);
  cancel();
  expect(isRequested()).toBe(false);
  const flushing = flush();
  await pass(0);
  await flushing;
  await pass(1000);
  expect(saves()).toBe(1);
});
