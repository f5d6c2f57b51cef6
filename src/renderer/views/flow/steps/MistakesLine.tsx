import { Button } from '@mantine/core';
import { useFlow } from '../flow-store.ts';
import { isRunning, runInWords } from '../mistakes/mistake-run.ts';
import { showMistakes } from '../mistakes/run-all.ts';
import type { StepId } from '../flow-steps.ts';
import classes from './Steps.module.css';

/** What came of all mistakes of this step, and the way back to their table. */
export function MistakesLine({ step }: { readonly step: StepId }) {
  const run = useFlow((state) => state.mistake_run);
  if (run?.step !== step) return null;
  const words = isRunning(run)
    ? `${run.results.length} of ${run.total} mistakes tried`
    : `Mistakes: ${runInWords(run)}`;
  return (
    <div className={classes.mistakes}>
      <span>{words}</span>
      <Button variant="subtle" onClick={() => showMistakes(true)}>
        Show results
      </Button>
    </div>
  );
}
