import { Popover } from '@mantine/core';
import { IconClock, IconSnowflake } from '@tabler/icons-react';
import { useState } from 'react';
import { countdown, timeOfDay, useSandboxNow } from '../connection/clock.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { usePage } from '../connection/state.ts';
import classes from './TopBar.module.css';

const ClockControl = lazyPart(
  async () => (await import('./ClockControl.tsx')).ClockControl,
  () => <div aria-busy="true" />,
);

/** Offsets this small come of the message's way, not of anyone's wish. */
const REAL_SECONDS = 1;

const offsetWords = (seconds: number) =>
  `${seconds < 0 ? '−' : '+'}${countdown(Math.abs(seconds))}`;

/** What the sandbox clock says: real, frozen, or how far it is off. Opens its control. */
export function ClockPill() {
  const clock = usePage((state) => state.clock);
  const now = useSandboxNow();
  const [opened, setOpened] = useState(false);
  if (clock === null) return null;
  const Shape = clock.frozen ? IconSnowflake : IconClock;
  const real = Math.abs(clock.offset_seconds) < REAL_SECONDS;
  const state = clock.frozen ? 'frozen' : real ? 'real' : offsetWords(clock.offset_seconds);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.pill}
          onClick={() => setOpened(!opened)}
          aria-label={`Clock: ${state}`}
        >
          <Shape size="1.1em" stroke={1.8} aria-hidden="true" />
          <span className={classes.minor}>Clock</span>
          <b>{state}</b>
          {(clock.frozen || !real) && <span className={classes.minor}>· {timeOfDay(now)}</span>}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Sandbox clock">
        <ClockControl clock={clock} now={now} />
      </Popover.Dropdown>
    </Popover>
  );
}
