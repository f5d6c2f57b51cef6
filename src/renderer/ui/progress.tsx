import { Group, Progress, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface MeterProps {
  /** What is measured: "Used". */
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly words: string;
  readonly color?: string | undefined;
}

/** How much of something there is, as a bar. */
export function Meter({ label, value, max, words, color }: MeterProps) {
  return (
    <Progress.Root
      size={6}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={words}
    >
      <Progress.Section value={(100 * value) / max} color={color ?? 'accent'} withAria={false} />
    </Progress.Root>
  );
}

interface ProgressLineProps {
  /** What is counted: "Requests answered". */
  readonly label: string;
  readonly done: number;
  readonly of: number;
  readonly words: string;
  /** The button that stops it. */
  readonly action: ReactNode;
}

/** A progress bar, the count in words, and a button to stop. */
export function ProgressLine({ label, done, of, words, action }: ProgressLineProps) {
  return (
    <Stack gap={4}>
      <Progress size={6} value={(100 * done) / of} aria-label={label} />
      <Group justify="space-between" gap="xs" wrap="nowrap" fz="xs">
        {words}
        {action}
      </Group>
    </Stack>
  );
}
