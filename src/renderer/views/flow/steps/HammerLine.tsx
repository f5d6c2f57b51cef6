import { Button } from '@mantine/core';
import { ProgressLine } from '../../../ui/ProgressLine.tsx';
import { useFlow } from '../flow-store.ts';
import { stopHammer } from '../hammer.ts';
import classes from './Steps.module.css';

/** How far the hammer has come, and the way to stop it. */
export function HammerLine() {
  const progress = useFlow((state) => state.hammer);
  if (progress === null) return null;
  const { sent, goal, stopping } = progress;
  return (
    <div className={classes.row}>
      <ProgressLine
        label="Refreshes sent"
        done={sent}
        of={goal}
        words={`${sent.toLocaleString('en')} of at most ${goal.toLocaleString('en')} sent`}
        action={
          <Button
            onClick={stopHammer}
            disabled={stopping}
            aria-label="Stop: Hammer until throttled"
          >
            Stop
          </Button>
        }
      />
    </div>
  );
}
