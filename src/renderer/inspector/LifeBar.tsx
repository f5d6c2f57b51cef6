import { expInWords, type Life } from '../../oauth/claims.ts';
import classes from './Inspector.module.css';
import { LifeMeter } from './LifeMeter.tsx';

interface LifeBarProps {
  readonly life: Life;
  /** Sandbox time in ms. */
  readonly now: number;
  readonly frozen: boolean;
  /** Whether the sandbox has ended the token, whatever its exp claim says. */
  readonly ended: boolean;
}

/** How much of its life a token has left by its exp claim, by the sandbox clock. */
export function LifeBar({ life, now, frozen, ended }: LifeBarProps) {
  const expired = life.left <= 0;
  const words = expInWords(life, now, ended);
  return (
    <div className={classes.life} data-expired={expired || undefined}>
      {!ended && <LifeMeter life={life} words={words} />}
      <p>
        {words}
        {frozen && ' · clock frozen'}
      </p>
    </div>
  );
}
