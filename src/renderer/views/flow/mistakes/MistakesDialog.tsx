import { Button, Modal } from '@mantine/core';
import { ProgressLine } from '../../../ui/ProgressLine.tsx';
import { StatusTag } from '../../../ui/StatusTag.tsx';
import table from '../../../ui/table.module.css';
import { withMessageSelected } from '../flow-selection.ts';
import { changeFlow, useFlow } from '../flow-store.ts';
import { STEP_TITLES } from '../step-words.ts';
import { answerInWords } from './answers.ts';
import { isRunning, runInWords, type MistakeResult, type MistakeRun } from './mistake-run.ts';
import classes from './MistakesDialog.module.css';
import { showMistakes, stopMistakes } from './run-all.ts';

function openMessage(event: number): void {
  changeFlow((state) => withMessageSelected(state, event));
  showMistakes(false);
}

function ResultRow({ result }: { readonly result: MistakeResult }) {
  if (result.verdict === null) {
    return (
      <tr>
        <th scope="row">{result.title}</th>
        <td colSpan={2} className={classes.reason}>
          {result.reason}
        </td>
        <td>
          <StatusTag tone="muted">not tried</StatusTag>
        </td>
      </tr>
    );
  }
  const { verdict, event, title } = result;
  const { expected, got, came } = verdict;
  return (
    <tr>
      <th scope="row">
        <button type="button" className={classes.open} onClick={() => openMessage(event)}>
          {title}
        </button>
      </th>
      <td className={classes.answer}>{answerInWords(expected)}</td>
      <td className={classes.answer} data-came={came}>
        {answerInWords(got)}
      </td>
      <td>
        <StatusTag tone={came ? 'ok' : 'bad'}>{came ? 'matched' : 'differs'}</StatusTag>
      </td>
    </tr>
  );
}

function Progress({ run }: { readonly run: MistakeRun }) {
  const { results, total, state } = run;
  if (!isRunning(run)) return <p role="status">{runInWords(run)}</p>;
  return (
    <ProgressLine
      label="Mistakes tried"
      done={results.length}
      of={total}
      words={`${results.length} of ${total} tried`}
      action={
        <Button onClick={stopMistakes} disabled={state === 'stopping'}>
          Stop
        </Button>
      }
    />
  );
}

/** All mistakes of a step with the expected and the actual response; a row opens its message. */
export function MistakesDialog() {
  const run = useFlow((state) => state.mistake_run);
  if (run === null) return null;
  return (
    <Modal
      opened={run.shown}
      onClose={() => showMistakes(false)}
      title={`Deliberate mistakes: ${STEP_TITLES[run.step]}`}
      size="min(56rem, 94vw)"
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ body: classes.body }}
    >
      <Progress run={run} />
      <div className={classes.scroll} tabIndex={0} role="region" aria-label="Results">
        <table className={`${table.table} ${classes.table}`}>
          <thead>
            <tr>
              <th scope="col">Mistake</th>
              <th scope="col">Expected</th>
              <th scope="col">Actual</th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {run.results.map((result) => (
              <ResultRow key={result.id} result={result} />
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  );
}
