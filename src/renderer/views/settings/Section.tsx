import { Group, Paper, Stack, Switch, Text, type SwitchProps } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { Cited } from '../../ui/links.tsx';
import classes from './Settings.module.css';
import { Hint, Problem, SavedMark } from '../../ui/panel.tsx';

/** The props by which a control refers to its label and its description. */
interface Labels {
  readonly 'aria-labelledby': string;
  readonly 'aria-describedby': string;
}

interface RowProps {
  readonly label: string;
  readonly help: ReactNode;
  /** What the current value means, after the help. */
  readonly meaning?: string | undefined;
  /** True for a moment after saving. */
  readonly saved?: boolean | undefined;
}

interface SettingRowProps extends RowProps {
  /** Whether the control keeps its own width, at the end of the row. */
  readonly end?: boolean;
  readonly children: ReactNode | ((labels: Labels) => ReactNode);
}

/** A setting's label and description, with its control beside them. */
export function SettingRow({ label, help, meaning, end, saved, children }: SettingRowProps) {
  const id = useId();
  const labels = { 'aria-labelledby': `${id}-name`, 'aria-describedby': `${id}-help` };
  return (
    <div className={classes.row}>
      <div>
        <Group gap="xs" fw="var(--w-medium)">
          <span id={labels['aria-labelledby']}>{label}</span>
          <SavedMark saved={saved === true} />
        </Group>
        <Hint maw="var(--measure)" id={labels['aria-describedby']}>
          {typeof help === 'string' ? <Cited text={help} /> : help}
          {meaning !== undefined && <b> {meaning}</b>}
        </Hint>
      </div>
      <Stack gap={0} align={end === true ? 'flex-end' : 'stretch'}>
        {typeof children === 'function' ? children(labels) : children}
      </Stack>
    </div>
  );
}

interface SwitchRowProps extends RowProps, Omit<SwitchProps, 'label' | 'onChange'> {
  readonly onChange: (checked: boolean) => unknown;
}

export const SwitchRow = ({ label, help, saved, onChange, ...control }: SwitchRowProps) => (
  <SettingRow end label={label} help={help} saved={saved}>
    {(labels) => (
      <Switch
        size="sm"
        {...labels}
        {...control}
        onChange={(event) => void onChange(event.currentTarget.checked)}
      />
    )}
  </SettingRow>
);

/** Why a setting could not be loaded or changed, below its row. */
export const RowProblem = ({ children }: { readonly children: ReactNode }) => (
  <Problem px="md" py="sm">
    {children}
  </Problem>
);

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
