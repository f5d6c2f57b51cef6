// Behaviour 6: one clock that can run, freeze, advance, be set and be reset.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClock } from '../../src/core/model/clock.ts';

function benchClock(start = 1000) {
  const machine = { now: start };
  return { machine, clock: createClock(() => machine.now) };
}

describe('the clock', () => {
  test('behaviour 6: runs with the machine’s clock, without an offset', () => {
    const { clock, machine } = benchClock();
    machine.now += 5;
    expect([clock.now(), clock.offset(), clock.isFrozen()]).toEqual([1005, 0, false]);
  });

  test('behaviour 6.1: stands still while frozen, and freezing it again changes nothing', () => {
    const { clock, machine } = benchClock();
    clock.freeze();
    machine.now += 50;
    clock.freeze();
    expect([clock.now(), clock.offset(), clock.isFrozen()]).toEqual([1000, -50, true]);
  });

  test('behaviour 6: continues from the time at which it was frozen', () => {
    const { clock, machine } = benchClock();
    clock.freeze();
    machine.now += 50;
    clock.run();
    machine.now += 7;
    expect([clock.now(), clock.offset(), clock.isFrozen()]).toEqual([1007, -50, false]);
    clock.run();
    expect(clock.now()).toBe(1007);
  });

  test.each([false, true])(
    'behaviour 6.1: can be advanced without being frozen or resumed (frozen: %s)',
    (frozen) => {
      const { clock, machine } = benchClock();
      if (frozen) clock.freeze();
      clock.advance(60_000);
      clock.advance(1);
      expect([clock.now(), clock.offset(), clock.isFrozen()]).toEqual([61_001, 60_001, frozen]);
      machine.now += 9;
      expect(clock.now()).toBe(frozen ? 61_001 : 61_010);
    },
  );

  test.each([false, true])('behaviour 6.1: can be set forward and back (frozen: %s)', (frozen) => {
    const { clock, machine } = benchClock();
    if (frozen) clock.freeze();
    clock.set(1_000_000);
    expect([clock.now(), clock.isFrozen()]).toEqual([1_000_000, frozen]);
    clock.set(5);
    machine.now += 10;
    expect(clock.now()).toBe(frozen ? 5 : 15);
  });

  test('behaviour 6.1: runs with the machine’s clock again after a reset', () => {
    const { clock, machine } = benchClock();
    clock.freeze();
    clock.advance(999);
    clock.reset();
    machine.now += 1;
    expect([clock.now(), clock.offset(), clock.isFrozen()]).toEqual([1001, 0, false]);
  });
});

test('behaviour 6: has an offset of sandbox time minus machine time after any change', () => {
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
