// When data is saved: one save at a time, with a pause after each that a flush skips.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSaveSchedule } from '../../src/engine/files/save-schedule.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A schedule whose saves each block the event loop for this many ms. */
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

it('a save includes everything requested before it', async () => {
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

it('the next save waits for twenty times the duration of the last one', async () => {
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

it('a flush skips the pause, and only for itself', async () => {
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

it('a cancelled save does not happen, and no flush waits for it', async () => {
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
