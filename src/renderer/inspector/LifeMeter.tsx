import classes from './LifeMeter.module.css';
import type { Life } from '../../oauth/claims.ts';

interface LifeMeterProps {
  readonly life: Life;
  /** How much is left, in words. */
  readonly words: string;
}

/** A bar of the life that is left. */
export function LifeMeter({ life, words }: LifeMeterProps) {
  const left = Math.max(0, Math.min(life.whole, life.left));
  const share = left / life.whole;
  return (
    <div
      className={classes.meter}
      role="meter"
      aria-label="Remaining life"
      aria-valuemin={0}
      aria-valuemax={life.whole}
      aria-valuenow={Math.round(left)}
      aria-valuetext={words}
      data-level={share < 0.1 ? 'low' : undefined}
    >
      <span style={{ width: `${share * 100}%` }} />
    </div>
  );
}
