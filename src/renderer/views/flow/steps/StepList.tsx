import { Button } from '@mantine/core';
import { PanelHead } from '../../../ui/PanelHead.tsx';
import { stepsOf } from '../flow-steps.ts';
import { useFlow } from '../flow-store.ts';
import { runAll } from '../run.ts';
import { GrantSelect } from './GrantSelect.tsx';
import { RunStatus } from './RunStatus.tsx';
import { StepCard } from './StepCard.tsx';
import classes from './Steps.module.css';
import { whileBusy } from '../../../ui/while-busy.ts';

/** The left column: the walk, step by step. */
export function StepList() {
  const running = useFlow((state) => state.running);
  const grant = useFlow((state) => state.inputs.grant);
  return (
    <>
      <PanelHead title={<GrantSelect busy={running !== null} />}>
        <Button
          variant="filled"
          className={classes.busy}
          {...whileBusy(running !== null)}
          onClick={() => void runAll()}
        >
          {running === 'all' ? 'Running…' : 'Run all'}
        </Button>
      </PanelHead>
      <ol className={classes.list} aria-label="Steps">
        {stepsOf(grant).map((id) => (
          <StepCard key={id} id={id} />
        ))}
      </ol>
      <RunStatus />
    </>
  );
}
