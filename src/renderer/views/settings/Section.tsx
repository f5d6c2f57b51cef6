import { Group, Paper, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { Cited } from '../../ui/links.tsx';
import classes from './Settings.module.css';
import { Hint } from '../../ui/panel.tsx';

interface SettingRowProps {
  readonly label: string;
  readonly help: ReactNode;
  /** Whether the control keeps its own width, at the end of the row. */
  readonly end?: boolean;
  /** True for a moment after saving. */
  readonly saved?: boolean;
  /** @param labels the props by which the control refers to the label and the description */
  readonly children: (labels: {
    readonly 'aria-labelledby': string;
    readonly 'aria-describedby': string;
  }) => ReactNode;
}

/** A setting's label and description, with its control beside them. */
export function SettingRow({ label, help, end, saved, children }: SettingRowProps) {
  const id = useId();
  const labels = { 'aria-labelledby': `${id}-name`, 'aria-describedby': `${id}-help` };
  return (
    <div className={classes.row}>
      <div>
        <Group gap="xs" fw="var(--w-medium)">
          <span id={labels['aria-labelledby']}>{label}</span>
          <Group component="span" gap={4} fz="xs" c="var(--ok)" role="status">
            {saved === true && (
              <>
                <IconCheck size="1em" aria-hidden="true" /> Saved
              </>
            )}
          </Group>
        </Group>
        <Hint maw="var(--measure)" id={labels['aria-describedby']}>
          {typeof help === 'string' ? <Cited text={help} /> : help}
        </Hint>
      </div>
      <Stack gap={0} align={end === true ? 'flex-end' : 'stretch'}>
        {children(labels)}
      </Stack>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly about: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A section: its heading, its description, and its rows in one panel. */
export function Section({ title, about, action, children }: SectionProps) {
  return (
    <Stack component="section" maw="var(--content)" aria-label={title}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Text component="h2" fz="lg" fw="bold">
            {title}
          </Text>
          <Text maw="var(--measure)" c="dimmed">
            <Cited text={about} />
          </Text>
        </div>
        {action}
      </Group>
      <Paper withBorder radius="lg" className={classes.panel}>
        {children}
      </Paper>
    </Stack>
  );
}
