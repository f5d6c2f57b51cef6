import { durationInWords } from '../../oauth/moments.ts';
import type { Life } from '../../oauth/claims.ts';
import classes from './Inspector.module.css';
import { LifeMeter } from './LifeMeter.tsx';

interface LifeBarProps {
  readonly life: Life;
  readonly frozen: boolean;
}

/** How much of the token's life is left, by the sandbox clock. */
export function LifeBar({ life, frozen }: LifeBarProps) {
  const expired = life.left <= 0;
  const words = expired
    ? `expired ${durationInWords(-life.left)} ago`
    : `expires in ${durationInWords(life.left)}`;
  return (
    <div className={classes.life} data-expired={expired || undefined}>
      <LifeMeter life={life} words={words} />
      <p>
        {words}
        {frozen && ' · clock frozen'}
      </p>
    </div>
  );
}
