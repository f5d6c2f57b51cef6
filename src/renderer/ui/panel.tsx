// Parts of the panels of every view: the bar at the top, the empty state, and progress.

import { Button, Group, Progress, Stack, Text, ThemeIcon, Loader } from '@mantine/core';
import { IconAlertTriangle, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './panel.module.css';

interface PanelHeadProps {
  readonly title: ReactNode;
  /** A few muted words after the title. */
  readonly note?: ReactNode;
  /** Buttons at the far end. */
  readonly children?: ReactNode;
}

/** The bar at the top of a panel. */
export function PanelHead({ title, note, children }: PanelHeadProps) {
  return (
    <Group className={classes.bar} gap="xs" wrap="nowrap" h="var(--bar)" px="md">
      <Group className={classes.words} gap="0 var(--s2)">
        <Text component="h2" fw="bold" lh="var(--bar)" maw="100%" truncate dir="auto">
          {title}
        </Text>
        {note !== undefined && (
          <Hint component="small" maw="100%" truncate>
            {note}
          </Hint>
        )}
      </Group>
      <Group gap="xs" wrap="nowrap" ml="auto">
        {children}
      </Group>
    </Group>
  );
}

export interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  /** What the view is for. */
  readonly text: string;
  /** The action that fills it. */
  readonly action?: ReactNode;
}

export function EmptyState({ icon: Shape, title, text, action }: EmptyStateProps) {
  return (
    <Stack flex={1} mih={0} p="lg" gap="xs" align="center" justify="center" ta="center">
      <ThemeIcon variant="default" size="xl" radius="lg" c="dimmed" aria-hidden="true">
        <Shape size="1.6em" stroke={1.5} />
      </ThemeIcon>
      <Text component="h3" fw="bold">
        {title}
      </Text>
      <Text c="dimmed" maw="46ch" mb="xs">
        {text}
      </Text>
      {action}
    </Stack>
  );
}

interface LoadFailedProps {
  /** "devices" */
  readonly what: string;
  readonly problem: string;
  readonly retry: () => void;
}

export const LoadFailed = ({ what, problem, retry }: LoadFailedProps) => (
  <EmptyState
    icon={IconAlertTriangle}
    title={`The ${what} could not be loaded`}
    text={problem}
    action={<Button onClick={retry}>Try again</Button>}
  />
);

/** A bar of buttons, fields or facts between a header and a list. */
export const Bar = Group.withProps({ className: classes.bar, gap: 'xs', px: 'md', py: 'xs' });

/** A few words of explanation. */
export const Hint = Text.withProps({ size: 'xs', c: 'dimmed' });

/** What went wrong, where it is shown beside what caused it. */
export const Problem = Text.withProps({ size: 'xs', c: 'var(--bad)', role: 'alert' });

/** Stands where a list or a record will. */
export function Loading({ children }: { readonly children: ReactNode }) {
  return (
    <Group component="p" role="status" flex={1} justify="center" gap="sm" p="lg" c="dimmed">
      <Loader size="sm" aria-hidden="true" />
      {children}
    </Group>
  );
}

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
