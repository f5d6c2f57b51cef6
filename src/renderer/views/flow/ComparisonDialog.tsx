import { Modal, Text } from '@mantine/core';
import type { ProviderReport, ReportedStep } from '../../../scenario/reports/json.ts';
import { changeFlow } from './flow-store.ts';
import type { OpenedComparison } from './run-results.ts';
import panel from '../../ui/panel.module.css';
import { pluralize } from '../../../words.ts';
import type { Tone } from '../../ui/status.tsx';
import { Hint } from '../../ui/panel.tsx';
import { ComparedSteps, type SideBySide } from '../../inspector/ComparedSteps.tsx';
import { differs, type Compared } from '../../inspector/CompareTable.tsx';

/** A run against a provider: its steps, and both responses of the selected step side by side. */
export function ComparisonDialog({ name, report }: OpenedComparison) {
  const ours = isComparison(report);
  const steps = stepsOf(report).map((step) => sideBySide(step, ours));
  return (
    <Modal
      opened
      onClose={() => changeFlow((state) => ({ ...state, comparison: null }))}
      title={name}
      size="min(72rem, 94vw)"
      styles={{ body: { padding: 0 } }}
    >
      <Hint className={panel.bar} px="md" pb="sm" style={{ overflowWrap: 'anywhere' }}>
        <Text component="code" c="var(--text)">
          {report.against}
        </Text>{' '}
        · {summaryOf(report)}
      </Hint>
      {steps.length === 0 ? (
        <Text p="md" c="dimmed">
          The report has no steps.
        </Text>
      ) : (
        <ComparedSteps
          label="Steps of the run"
          steps={steps}
          // The second column is the sandbox's response, or else the expected one.
          heads={['Value', ours ? 'Sandbox' : 'Expected', 'Provider']}
        />
      )}
    </Modal>
  );
}

function remarkOn({ verdict, why_skipped, failure }: ShownStep, ours: boolean): string {
  if (verdict === 'skipped') return `Not sent: ${why_skipped ?? 'an earlier step failed'}.`;
  if (failure !== null) return failure.message;
  return ours ? 'The provider responds as the sandbox does.' : 'The response is as expected.';
}

function sideBySide(step: ShownStep, ours: boolean): SideBySide {
  const { number, scenario, title, place } = step;
  return {
    group: number === 1 ? scenario : null,
    title: `${number}. ${title}`,
    ...resultOf(step),
    remark: remarkOn(step, ours),
    place,
    values: rowsOf(step),
  };
}

interface ShownStep extends ReportedStep {
  /** The name of the scenario that the step belongs to. */
  readonly scenario: string;
  /** The number of the step in its scenario, from 1. */
  readonly number: number;
  readonly place: string;
}

const stepsOf = ({ scenarios }: ProviderReport): readonly ShownStep[] =>
  scenarios.flatMap(({ name, file, steps }) =>
    steps.map((step, index) => ({
      ...step,
      scenario: name,
      number: index + 1,
      place: `${file}:${step.line}:${step.column}`,
    })),
  );

/** Whether the report contains a sandbox's responses. Otherwise it contains what the scenario expects. */
const isComparison = ({ scenarios }: ProviderReport): boolean =>
  scenarios.some(({ steps }) => steps.some(({ compared }) => compared !== undefined));

function rowsOf({ compared, failure }: ReportedStep): readonly Compared[] {
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

function resultOf(step: ReportedStep): { readonly tone: Tone; readonly words: string } {
  if (step.verdict === 'skipped') return { tone: 'muted', words: 'skipped' };
  if (step.verdict === 'passed') {
    return { tone: 'ok', words: step.compared === undefined ? 'as expected' : 'same' };
  }
  const count = rowsOf(step).filter(differs).length;
  if (count === 0) return { tone: 'bad', words: 'failed' };
  return { tone: 'warn', words: pluralize(count, 'difference') };
}

function summaryOf(report: ProviderReport): string {
  const steps = stepsOf(report);
  const count = (verdict: ReportedStep['verdict']) =>
    steps.filter((step) => step.verdict === verdict).length;
  const same = isComparison(report) ? 'as in the sandbox' : 'as expected';
  return `${pluralize(steps.length, 'step')}: ${count('passed')} ${same}, ${count('failed')} different, ${count('skipped')} skipped`;
}
