import { Box, Modal, Switch, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ProviderReport, ReportedStep } from '../../../scenario/reports/json.ts';
import classes from './Comparison.module.css';
import { closeComparison } from './exports.ts';
import panel from '../../ui/panel.module.css';
import rows from '../../ui/item.module.css';
import split from '../../ui/split.module.css';
import { pluralize } from '../../ui/short-forms.ts';
import { StatusTag, type Tone } from '../../ui/status.tsx';
import { Hint } from '../../ui/panel.tsx';
import { CompareTable, differs, type Compared } from '../../inspector/CompareTable.tsx';

interface ComparisonDialogProps {
  readonly name: string;
  readonly report: ProviderReport;
}

/** A run against a provider: its steps, and both responses of the selected step side by side. */
export function ComparisonDialog({ name, report }: ComparisonDialogProps) {
  const steps = stepsOf(report);
  const firstDifferent = steps.findIndex(({ verdict }) => verdict === 'failed');
  const [selected, setSelected] = useState(Math.max(firstDifferent, 0));
  const step = steps[selected];
  return (
    <Modal
      opened
      onClose={closeComparison}
      title={name}
      size="min(72rem, 94vw)"
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ body: { padding: 0 } }}
    >
      <Hint className={panel.bar} px="md" pb="sm" style={{ overflowWrap: 'anywhere' }}>
        <Text component="code" c="var(--text)">
          {report.against}
        </Text>{' '}
        · {summaryOf(report)}
      </Hint>
      <div className={classes.panes}>
        <StepNav steps={steps} selected={selected} onSelect={setSelected} />
        {step === undefined ? (
          <Text p="md" c="dimmed">
            The report has no steps.
          </Text>
        ) : (
          <ComparedStep key={selected} step={step} ours={isComparison(report)} />
        )}
      </div>
    </Modal>
  );
}

interface StepNavProps {
  readonly steps: readonly ShownStep[];
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}

/** The steps of all scenarios in order, each with its result. */
export function StepNav({ steps, selected, onSelect }: StepNavProps) {
  return (
    <nav className={classes.steps} aria-label="Steps of the run">
      {steps.map((step, index) => {
        const { tone, words } = resultOf(step);
        return (
          <div key={index}>
            {step.number === 1 && (
              <Hint component="h3" p="xs" fw="bold" style={{ overflowWrap: 'anywhere' }}>
                {step.scenario}
              </Hint>
            )}
            <button
              type="button"
              className={`${rows.item} ${classes.step}`}
              aria-current={index === selected || undefined}
              onClick={() => onSelect(index)}
            >
              <span>
                {step.number}. {step.title}
              </span>
              <StatusTag tone={tone}>{words}</StatusTag>
            </button>
          </div>
        );
      })}
    </nav>
  );
}

function remarkOn({ verdict, why_skipped, failure }: ShownStep, ours: boolean): string {
  if (verdict === 'skipped') return `Not sent: ${why_skipped ?? 'an earlier step failed'}.`;
  if (failure !== null) return failure.message;
  return ours ? 'The provider responds as the sandbox does.' : 'The response is as expected.';
}

interface ComparedStepProps {
  readonly step: ShownStep;
  readonly ours: boolean;
}

/** One step: its result, and both responses side by side with the differences marked. */
export function ComparedStep({ step, ours }: ComparedStepProps) {
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const rows = rowsOf(step);
  const different = rows.filter(differs);
  const canFilter = different.length > 0 && different.length < rows.length;
  return (
    <Stack component="section" gap={0} miw={0} mih={0} aria-label={`${step.number}. ${step.title}`}>
      <Group wrap="nowrap" align="flex-start" justify="space-between" px="md" py="sm">
        <div>
          <p>{remarkOn(step, ours)}</p>
          <Text component="small" ff="monospace" fz="var(--fs-xs)" c="dimmed">
            {step.place}
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
      {rows.length > 0 && (
        <Box
          className={split.scroll}
          px="md"
          tabIndex={0}
          role="region"
          aria-label="Compared values"
        >
          <CompareTable
            // The second column is the sandbox's response, or else the expected one.
            heads={['Value', ours ? 'Sandbox' : 'Expected', 'Provider']}
            rows={onlyDifferent ? different : rows}
            wordsOf={() => 'differs'}
          />
        </Box>
      )}
    </Stack>
  );
}

export interface ShownStep extends ReportedStep {
  /** The name of the scenario that the step belongs to. */
  readonly scenario: string;
  /** The number of the step in its scenario, from 1. */
  readonly number: number;
  readonly place: string;
}

export const stepsOf = ({ scenarios }: ProviderReport): readonly ShownStep[] =>
  scenarios.flatMap(({ name, file, steps }) =>
    steps.map((step, index) => ({
      ...step,
      scenario: name,
      number: index + 1,
      place: `${file}:${step.line}:${step.column}`,
    })),
  );

/** Whether the report contains a sandbox's responses. Otherwise it contains what the scenario expects. */
export const isComparison = ({ scenarios }: ProviderReport): boolean =>
  scenarios.some(({ steps }) => steps.some(({ compared }) => compared !== undefined));

export function rowsOf({ compared, failure }: ReportedStep): readonly Compared[] {
  if (compared !== undefined) {
    return compared.map(({ what, sandbox, provider }) => ({
      name: what,
      first: sandbox,
      second: provider,
    }));
  }
  const differences = failure?.differences ?? [];
  return differences.map(({ what, expected, got }) => ({
    name: what,
    first: expected,
    second: got,
  }));
}

/** The result of a step in a word or two. */
export function resultOf(step: ReportedStep): { readonly tone: Tone; readonly words: string } {
  if (step.verdict === 'skipped') return { tone: 'muted', words: 'skipped' };
  if (step.verdict === 'passed') {
    return { tone: 'ok', words: step.compared === undefined ? 'as expected' : 'same' };
  }
  const count = rowsOf(step).filter(differs).length;
  if (count === 0) return { tone: 'bad', words: 'failed' };
  return { tone: 'warn', words: pluralize(count, 'difference') };
}

/** The whole report in one sentence. */
export function summaryOf(report: ProviderReport): string {
  const steps = stepsOf(report);
  const count = (verdict: ReportedStep['verdict']) =>
    steps.filter((step) => step.verdict === verdict).length;
  const same = isComparison(report) ? 'as in the sandbox' : 'as expected';
  return `${pluralize(steps.length, 'step')}: ${count('passed')} ${same}, ${count('failed')} different, ${count('skipped')} skipped`;
}
