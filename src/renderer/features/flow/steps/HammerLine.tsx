import { Button } from '@mantine/core';
import { useFlow } from '../flow-store.ts';
import { stopHammer } from '../hammer.ts';
import classes from './Steps.module.css';

/** How far the hammer has come, and the way to stop it. */
export function HammerLine() {
  const progress = useFlow((state) => state.hammer);
  if (progress === null) return null;
  const { sent, goal, stopping } = progress;
  return (
    <div className={classes.hammer}>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label="Refreshes sent"
        aria-valuemin={0}
        aria-valuemax={goal}
        aria-valuenow={sent}
      >
        <span style={{ width: `${(100 * sent) / goal}%` }} />
      </div>
      <span>
        {sent.toLocaleString('en')} of at most {goal.toLocaleString('en')} sent
      </span>
      <Button onClick={stopHammer} disabled={stopping} aria-label="Stop: Hammer until throttled">
        Stop
      </Button>
    </div>
  );
}
