import { Button, NumberInput, Select, TextInput, Group, Stack, Text } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { IconPlayerPlay, IconSnowflake } from '@tabler/icons-react';
import { changeClock } from '../actions/sandbox.ts';
import {
  readMoment,
  typedMoment,
  zoneName,
  fullMoment,
  offsetFrom,
  utcTime,
} from '../connection/clock.ts';
import type { TickingClock } from '../connection/state.ts';
import { Hint } from '../ui/panel.tsx';

const UNITS = [
  { value: '1', label: 'seconds' },
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
];

function AdvanceForm() {
  const [amount, setAmount] = useState<number | string>(5);
  const [unit, setUnit] = useState('60');
  const valid = typeof amount === 'number' && amount > 0;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (valid) void changeClock({ advance_seconds: amount * Number(unit) });
  };
  return (
    <Group component="form" gap="xs" wrap="nowrap" align="flex-start" onSubmit={submit}>
      <NumberInput
        flex={1}
        aria-label="Amount"
        min={0}
        allowNegative={false}
        value={amount}
        onChange={setAmount}
      />
      <Select
        w="7rem"
        aria-label="Unit"
        data={UNITS}
        value={unit}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => value !== null && setUnit(value)}
      />
      <Button type="submit" size="sm" disabled={!valid}>
        Advance
      </Button>
    </Group>
  );
}

/** Sets the clock to a date and time in the local time zone, in which the page shows all times. */
function SetTimeForm({ now }: { readonly now: number }) {
  const [wanted, setWanted] = useState(() => typedMoment(now));
  const moment = readMoment(wanted);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (moment !== null) void changeClock({ now: new Date(moment).toISOString() });
  };
  return (
    <Group component="form" gap="xs" wrap="nowrap" align="flex-start" onSubmit={submit}>
      <TextInput
        flex={1}
        aria-label={`Date and time (${zoneName(moment ?? now)})`}
        value={wanted}
        error={moment === null && `Enter a date and time, such as ${typedMoment(now)}.`}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <Button type="submit" size="sm" disabled={moment === null}>
        Set
      </Button>
    </Group>
  );
}

const PRESETS = [
  ['1 min', 60],
  ['10 min', 600],
  ['1 h', 3600],
  ['1 day', 86_400],
  ['30 days', 2_592_000],
] as const;

function offsetSentence({ frozen, offset_seconds: offset }: TickingClock): string {
  if (frozen) return 'Frozen: nothing expires until you resume or move the clock.';
  return `Runs ${offsetFrom('this machine’s clock', offset) ?? 'with this machine’s clock'}.`;
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
    <Stack w="22rem" p={4}>
      <Stack gap={4}>
        <Text
          component="time"
          ff="monospace"
          fz="lg"
          fw="var(--w-medium)"
          dateTime={new Date(now).toISOString()}
        >
          {fullMoment(now)}
        </Text>
        {utc !== null && <Hint>{utc}</Hint>}
        <Hint>{offsetSentence(clock)}</Hint>
      </Stack>
      <Group gap="xs">
        <Button
          variant="filled"
          onClick={freeze}
          leftSection={clock.frozen ? <IconPlayerPlay /> : <IconSnowflake />}
        >
          {clock.frozen ? 'Resume' : 'Freeze'}
        </Button>
        <Button onClick={() => void changeClock({ reset: true })}>Return to real time</Button>
      </Group>
      <Stack component="fieldset" gap="xs">
        <Hint component="legend" mb={6}>
          Advance by
        </Hint>
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
      </Stack>
      <Stack component="fieldset" gap="xs">
        <Hint component="legend" mb={6}>
          Set to
        </Hint>
        <SetTimeForm now={now} />
      </Stack>
    </Stack>
  );
}
