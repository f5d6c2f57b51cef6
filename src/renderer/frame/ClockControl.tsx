import { Button, Group } from '@mantine/core';
import { IconPlayerPlay, IconSnowflake } from '@tabler/icons-react';
import { changeClock } from '../actions/sandbox.ts';
import { fullMoment, offsetInWords, utcTime } from '../connection/clock.ts';
import type { TickingClock } from '../connection/state.ts';
import { AdvanceForm } from './AdvanceForm.tsx';
import classes from './ClockControl.module.css';
import { SetTimeForm } from './SetTimeForm.tsx';

const PRESETS = [
  ['1 min', 60],
  ['10 min', 600],
  ['1 h', 3600],
  ['1 day', 86_400],
  ['30 days', 2_592_000],
] as const;

function offsetSentence({ frozen, offset_seconds: offset }: TickingClock): string {
  if (frozen) return 'Frozen: nothing expires until you resume the clock.';
  const words = offsetInWords(offset);
  return words === null
    ? 'Runs with this machine’s clock.'
    : `Runs ${words} of this machine’s clock.`;
}

interface ClockControlProps {
  readonly clock: TickingClock;
  /** Sandbox time in ms. */
  readonly now: number;
}

export function ClockControl({ clock, now }: ClockControlProps) {
  const utc = utcTime(now);
  const freeze = () => void changeClock({ frozen: !clock.frozen });
  return (
    <div className={classes.control}>
      <div className={classes.face}>
        <time className={classes.time} dateTime={new Date(now).toISOString()}>
          {fullMoment(now)}
        </time>
        {utc !== null && <p className={classes.hint}>{utc}</p>}
        <p className={classes.hint}>{offsetSentence(clock)}</p>
      </div>
      <Group gap="xs">
        <Button
          variant="filled"
          onClick={freeze}
          leftSection={
            clock.frozen ? <IconPlayerPlay size="1.1em" /> : <IconSnowflake size="1.1em" />
          }
        >
          {clock.frozen ? 'Resume' : 'Freeze'}
        </Button>
        <Button onClick={() => void changeClock({ reset: true })}>Return to real time</Button>
      </Group>
      <fieldset className={classes.part}>
        <legend>Advance by</legend>
        <Group gap="xs">
          {PRESETS.map(([words, seconds]) => (
            <Button
              key={words}
              onClick={() => void changeClock({ advance_seconds: seconds })}
              aria-label={`Advance by ${words}`}
            >
              {words}
            </Button>
          ))}
        </Group>
        <AdvanceForm />
      </fieldset>
      <fieldset className={classes.part}>
        <legend>Set to</legend>
        <SetTimeForm now={now} />
      </fieldset>
    </div>
  );
}
