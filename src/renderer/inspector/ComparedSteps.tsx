// Steps that were compared, and both sides of the selected one.

import { Box, Group, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import classes from './ComparedSteps.module.css';
import { type Compared, CompareTable, differs } from './CompareTable.tsx';
import { Hint } from '../ui/panel.tsx';
import { StatusTag, type Tone } from '../ui/status.tsx';
import rows from '../ui/item.module.css';
import split from '../ui/split.module.css';

export interface SideBySide {
  /** The title of the steps that begin with this one; null if it continues them. */
  readonly group: string | null;
  /** With its number. */
  readonly title: string;
  readonly tone: Tone;
  /** The result in a word or two. */
  readonly words: string;
  /** The result in a sentence. */
  readonly remark: string;
  /** Where the step is from. */
  readonly place: string;
  readonly values: readonly Compared[];
}

interface ComparedStepsProps {
  /** Names the list of steps. */
  readonly label: string;
  readonly steps: readonly SideBySide[];
  /** Those of the values and of both sides. */
  readonly heads: readonly string[];
}

/** The first step with a difference is selected. */
export function ComparedSteps({ label, steps, heads }: ComparedStepsProps) {
  const firstDifferent = steps.findIndex(({ tone }) => tone === 'warn' || tone === 'bad');
  const [selected, setSelected] = useState(Math.max(firstDifferent, 0));
  const step = steps[selected];
  return (
    <div className={classes.panes}>
      <nav className={classes.steps} aria-label={label}>
        {steps.map(({ group, title, tone, words }, index) => (
          <div key={index}>
            {group !== null && (
              <Hint component="h3" p="xs" fw="bold" style={{ overflowWrap: 'anywhere' }}>
                {group}
              </Hint>
            )}
            <button
              type="button"
              className={`${rows.item} ${classes.step}`}
              aria-current={index === selected || undefined}
              onClick={() => setSelected(index)}
            >
              <span>{title}</span>
              <StatusTag tone={tone}>{words}</StatusTag>
            </button>
          </div>
        ))}
      </nav>
      {step !== undefined && <ComparedStep key={selected} step={step} heads={heads} />}
    </div>
  );
}

interface ComparedStepProps extends Pick<ComparedStepsProps, 'heads'> {
  readonly step: SideBySide;
}

function ComparedStep({ step: { title, remark, place, values }, heads }: ComparedStepProps) {
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const different = values.filter(differs);
  const canFilter = different.length > 0 && different.length < values.length;
  return (
    <Stack component="section" gap={0} miw={0} mih={0} aria-label={title}>
      <Group wrap="nowrap" align="flex-start" justify="space-between" px="md" py="sm">
        <div>
          <p>{remark}</p>
          <Text component="small" ff="monospace" fz="var(--fs-xs)" c="dimmed">
            {place}
          </Text>
        </div>
        {canFilter && (
          <Switch
            label="Only differences"
            checked={onlyDifferent}
            onChange={({ currentTarget: { checked } }) => setOnlyDifferent(checked)}
          />
        )}
      </Group>
      {values.length > 0 && (
        <Box
          className={split.scroll}
          px="md"
          tabIndex={0}
          role="region"
          aria-label="Compared values"
        >
          <CompareTable
            heads={heads}
            rows={onlyDifferent ? different : values}
            wordsOf={() => 'differs'}
          />
        </Box>
      )}
    </Stack>
  );
}
