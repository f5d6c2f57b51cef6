// Parts of the panels of every view: the bar at the top, and the empty state.

import { Button, Group, Stack, Text, ThemeIcon, Loader } from '@mantine/core';
import { IconAlertTriangle, IconCheck, type Icon } from '@tabler/icons-react';
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
          <Hint component="small" display="contents">
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
      <ThemeIcon variant="transparent" size="xl" c="dimmed" aria-hidden="true">
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

/** Says for a moment, beside a setting, that it was saved. */
export const SavedMark = ({ saved }: { readonly saved: boolean }) => (
  <Group component="span" gap={4} fz="xs" c="var(--ok)" role="status">
    {saved && (
      <>
        <IconCheck size="1em" aria-hidden="true" /> Saved
      </>
    )}
  </Group>
);

/** Stands where a list or a record will. */
export function Loading({ children }: { readonly children: ReactNode }) {
  return (
    <Group component="p" role="status" flex={1} justify="center" gap="sm" p="lg" c="dimmed">
      <Loader size="sm" aria-hidden="true" />
      {children}
    </Group>
  );
}
