// RFC 8628 3.5 as a property: however a device polls and the clock moves, the responses match a small model of the
// interval and the states.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzing } from '../support/fuzz.ts';
import { withDevices } from '../support/device.ts';

type Step =
  | { readonly do: 'poll' }
  | { readonly do: 'approve' }
  | { readonly do: 'deny' }
  | { readonly do: 'move clock'; readonly ms: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constant({ do: 'poll' }) },
    { weight: 1, arbitrary: fc.constant({ do: 'approve' }) },
    { weight: 1, arbitrary: fc.constant({ do: 'deny' }) },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('move clock'),
        ms: fc.oneof(
          fc.integer({ min: 1, max: 20_000 }),
          fc.constantFrom(4999, 5000, 5001, 10_000, 59_999, 60_000, -1, -5000, -90_000),
        ),
      }),
    },
  ),
  { minLength: 4, maxLength: 60, size: 'max' },
);

const LIFETIME = 60;

interface Model {
  state: 'pending' | 'approved' | 'denied' | 'redeemed' | 'expired';
  interval: number;
  polled_at: number | null;
}

/** The expected error of a poll at this time; null when it gets tokens. */
function answerOf(model: Model, now: number): string | null {
  switch (model.state) {
    case 'redeemed':
      return 'device_code_redeemed';
    case 'expired':
      return 'device_code_expired';
    case 'denied':
      return 'device_denied';
    case 'approved':
      model.state = 'redeemed';
      return null;
    case 'pending': {
      const waited = model.polled_at === null ? Infinity : now - model.polled_at;
      model.polled_at = now;
      if (waited < 0 || waited >= model.interval * 1000) return 'device_pending';
      model.interval += 5;
      return 'device_polled_too_soon';
    }
  }
}

test('behaviour 9.4, RFC 8628 3.5: responses to polls under a moving clock depend on interval and state', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (walk) => {
      const { opened, poll, approve, deny, clock, service, record } = withDevices({
        settings: { lifetimes: { device_code: LIFETIME }, throttle: { mode: 'off' } },
      });
      const { device_code, user_code } = await opened();
      const until = clock.now() + LIFETIME * 1000;
      const model: Model = { state: 'pending', interval: 5, polled_at: null };
      for (const step of walk) {
        const open = model.state === 'pending' || model.state === 'approved';
        if (open && clock.now() >= until) model.state = 'expired';
        if (step.do === 'poll') {
          const { refusal } = await poll(device_code);
          expect(refusal?.reason ?? null).toBe(answerOf(model, clock.now()));
          expect(record(user_code).interval).toBe(model.interval);
        } else if (step.do === 'move clock') {
          // As the control API does, so that an expired request stays expired.
          service.devices.expireAll(clock.now());
          clock.set(clock.now() + step.ms);
        } else {
          const decided = step.do === 'approve' ? approve(user_code) : deny(user_code);
          expect(decided).toBe(model.state === 'pending');
          if (decided) model.state = step.do === 'approve' ? 'approved' : 'denied';
        }
      }
    }),
    fuzzing(150),
  );
});
