// One engine with its control server for several tests that leave no trace in it.

import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type AtEnd, type Harness, type HarnessOptions, startHarness } from './harness.ts';

/**
 * Starts it before the tests of the file or suite in which this is called, and closes it after them.
 *
 * @param options a function, if there is something to prepare for them
 */
export function shareHarness(
  options: HarnessOptions | ((atEnd: AtEnd) => Promise<HarnessOptions>) = {},
): () => Harness {
  const ends: (() => Promise<void>)[] = [];
  const atEnd: AtEnd = (end) => {
    ends.unshift(end);
  };
  let harness: Harness;
  beforeAll(async () => {
    const prepared = typeof options === 'function' ? await options(atEnd) : options;
    harness = await startHarness({ ...prepared, atEnd });
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return () => harness;
}

/** The same for tests that change it: before each of them, everything is as at the start. */
export function resetHarness(): () => Harness {
  const shared = shareHarness();
  beforeEach(() => shared().post('/reset', { workspace: true }));
  return shared;
}
