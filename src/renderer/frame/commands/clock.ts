// The sandbox clock.

import { changeClock } from '../../actions/sandbox.ts';
import type { Command } from '../../navigation/command.ts';

const ADVANCES = [
  ['1 minute', 60],
  ['10 minutes', 600],
  ['1 hour', 3600],
  ['1 day', 86_400],
  ['30 days', 2_592_000],
] as const;

export const CLOCK: readonly Command[] = [
  {
    id: 'clock-freeze',
    title: 'Freeze the clock',
    group: 'Clock',
    needs: 'connection',
    enabled: (state) => state.clock?.frozen === false,
    run: () => changeClock({ frozen: true }),
  },
  {
    id: 'clock-resume',
    title: 'Resume the clock',
    group: 'Clock',
    needs: 'connection',
    enabled: (state) => state.clock?.frozen === true,
    run: () => changeClock({ frozen: false }),
  },
  ...ADVANCES.map(([words, seconds]): Command => ({
    id: `clock-advance-${seconds}`,
    title: `Advance the clock by ${words}`,
    group: 'Clock',
    needs: 'connection',
    run: () => changeClock({ advance_seconds: seconds }),
  })),
  {
    id: 'clock-reset',
    title: 'Return to real time',
    group: 'Clock',
    needs: 'connection',
    run: () => changeClock({ reset: true }),
  },
];
