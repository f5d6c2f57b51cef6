import { Popover } from '@mantine/core';
import { IconClock, IconSnowflake } from '@tabler/icons-react';
import { useState } from 'react';
import { offsetInWords, timeOfDay, useSandboxNow } from '../connection/clock.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useReach } from '../connection/reach.ts';
import { useNeed } from '../ui/use-need.ts';
import { usePage } from '../connection/state.ts';
import classes from './TopBar.module.css';

const ClockControl = lazyPart(
  async () => (await import('./ClockControl.tsx')).ClockControl,
  () => <div aria-busy="true" />,
);

/** What the sandbox clock says: real, frozen, or how far it is off. Opens its control. */
export function ClockPill() {
  const clock = usePage((state) => state.clock);
  const now = useSandboxNow();
  const [opened, setOpened] = useState(false);
  const live = useReach((reach) => reach.live);
  const needs = useNeed('connection');
  if (clock === null) return null;
  const Shape = clock.frozen ? IconSnowflake : IconClock;
  const offset = offsetInWords(clock.offset_seconds);
  const state = clock.frozen ? 'frozen' : (offset ?? 'real');
  return (
    <Popover
      opened={opened && live}
      onChange={setOpened}
      position="bottom-start"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.pill}
          onClick={() => setOpened(!opened)}
          aria-label={`Clock: ${state}`}
          {...needs}
        >
          <Shape size="1.1em" stroke={1.8} aria-hidden="true" />
          <span className={classes.minor}>Clock</span>
          <b>{state}</b>
          {live && (clock.frozen || offset !== null) && (
            <span className={classes.minor}>· {timeOfDay(now)}</span>
          )}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Sandbox clock">
        <ClockControl clock={clock} now={now} />
      </Popover.Dropdown>
    </Popover>
  );
}
