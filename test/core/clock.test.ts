// Behaviour 6: one clock that can run, freeze, advance, be set and be reset.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClock } from '../../src/core/model/clock.ts';

function benchClock(start = 1000) {
  const machine = { now: start };
  return { machine, clock: createClock(() => machine.now) };
}

test('behaviour 6, 6.1: runs with the machine’s clock unless frozen, can be advanced and set in either state, and is reset', () => {
  const step = fc.oneof(
    fc.constant({ name: 'freeze', ms: 0 }),
    fc.constant({ name: 'run', ms: 0 }),
    fc.constant({ name: 'reset', ms: 0 }),
    fc.record({
      name: fc.constantFrom('advance', 'set', 'tick'),
      ms: fc.nat(),
    }),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { clock, machine } = benchClock();
      let [model, frozen] = [machine.now, false];
      for (const { name, ms } of steps) {
        if (name === 'tick') {
          machine.now += ms;
          if (!frozen) model += ms;
        } else clock[name](ms);
        if (name === 'freeze') frozen = true;
        if (name === 'run' || name === 'reset') frozen = false;
        if (name === 'reset') model = machine.now;
        if (name === 'advance') model += ms;
        if (name === 'set') model = ms;
        expect(clock.now()).toBe(model);
        expect(clock.offset()).toBe(model - machine.now);
        expect(clock.isFrozen()).toBe(frozen);
      }
    }),
  );
});
