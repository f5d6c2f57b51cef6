import { Box, Button, Modal, Paper } from '@mantine/core';
import { ProgressLine } from '../../ui/progress.tsx';
import { StatusTag } from '../../ui/status.tsx';
import table from '../../ui/grid/table.module.css';
import { withMessageSelected } from './flow-state.ts';
import { changeFlow, showMistakes } from './flow-store.ts';
import { WALK_STEPS } from '../../../scenario/walks.ts';
import { type MistakeResult, type MistakeRun, runInWords } from './run-results.ts';
import { stopRun } from './run-flow.ts';
import classes from './Mistakes.module.css';
import { Heads } from '../../ui/grid/GridTable.tsx';

function openMessage(event: number): void {
  changeFlow((state) => withMessageSelected(state, event));
  showMistakes(false);
}

function ResultRow({ result }: { readonly result: MistakeResult }) {
  if (result.verdict === null) {
    return (
      <tr>
        <th scope="row">{result.title}</th>
        <td colSpan={2} className={table.muted}>
          {result.reason}
        </td>
        <td>
          <StatusTag tone="muted">not tried</StatusTag>
        </td>
      </tr>
    );
  }
  const { verdict, event, title } = result;
  const { expected, actual, passed } = verdict;
  return (
    <tr>
      <th scope="row">
        <button type="button" onClick={() => openMessage(event)}>
          {title}
        </button>
      </th>
      <td className="mono">{expected}</td>
      <Box component="td" className="mono" c={passed ? 'inherit' : 'var(--bad)'}>
        {actual}
      </Box>
      <td>
        <StatusTag tone={passed ? 'ok' : 'bad'}>{passed ? 'matched' : 'differs'}</StatusTag>
      </td>
    </tr>
  );
}

function RunProgress({ run }: { readonly run: MistakeRun }) {
  const { results, total } = run;
  if (run.state !== 'running') return <p role="status">{runInWords(run)}</p>;
  return (
    <ProgressLine
      label="Mistakes tried"
      done={results.length}
      of={total}
      words={`${results.length} of ${total} tried`}
      action={<Button onClick={stopRun}>Stop</Button>}
    />
  );
}

export function MistakesDialog({ run }: { readonly run: MistakeRun }) {
  return (
    <Modal
      opened={run.shown}
      onClose={() => showMistakes(false)}
      title={`Deliberate mistakes: ${WALK_STEPS[run.step].title}`}
      size="min(56rem, 94vw)"
    >
      <RunProgress run={run} />
      <Paper
        withBorder
        mah="60vh"
        mt="sm"
        style={{ overflow: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label="Results"
      >
        <table className={`${table.table} ${classes.results}`}>
          <Heads names={['Mistake', 'Expected', 'Actual', 'Verdict']} />
          <tbody>
            {run.results.map((result) => (
              <ResultRow key={result.id} result={result} />
            ))}
          </tbody>
        </table>
      </Paper>
    </Modal>
  );
}
