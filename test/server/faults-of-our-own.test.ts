// The response when the service itself fails, and the times in an exchange.

import { expect, test } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import { seededRandom } from '../support/core.ts';
import { redemption } from '../support/form-calls.ts';
import { startHarness } from '../support/harness.ts';

test('behaviour 3.9: an internal error is 500 server_error without internals, is reported to the host, and does not affect the next request', async () => {
  const random = seededRandom();
  let dry = false;
  const harness = await startHarness({
    engine: {
      random: (bytes) => {
        if (dry) throw new Error('the well is dry');
        return random(bytes);
      },
    },
  });
  const [first, second] = [await harness.code(), await harness.code()];
  dry = true;
  const answer = await harness.token(redemption(first));
  dry = false;
  expect([answer.status, answer.body]).toEqual([
    500,
    { error: 'server_error', error_description: 'the service encountered an unexpected condition' },
  ]);
  expect(harness.faults).toEqual([new Error('the well is dry')]);
  expect((await harness.token(redemption(second))).status).toBe(200);
});

test('behaviour 6.4: an exchange records sandbox and machine time, and exchanges are ordered by number', async () => {
  const harness = await startHarness();
  await harness.patch('/clock', { advance_seconds: 3600 });
  await harness.token(redemption(await harness.code()));
  await harness.patch('/clock', { now: '2026-01-01T00:00:00.000Z' });
  await harness.token(redemption(await harness.code()));

  const { items } = await harness.get<{ items: Exchange[] }>('/exchanges');
  expect(items.map(({ number, at }) => [number, at])).toEqual([
    [2, '2026-01-01T00:00:00.000Z'],
    [1, '2026-11-21T11:00:00.000Z'],
  ]);
  const { clock, duration_ms } = await harness.get<Exchange>('/exchanges/1');
  expect(clock).toEqual({ now: items[1]?.at, frozen: false, offset_seconds: 3600 });
  expect(duration_ms).toBeGreaterThan(0);
});
