import { durationInWords } from '../../short-forms.ts';
import type { Life } from './claims.ts';
import classes from './Inspector.module.css';

/** How much of the token's life is left, by the sandbox clock. */
export function LifeBar({ life, frozen }: { readonly life: Life; readonly frozen: boolean }) {
  const share = Math.max(0, Math.min(1, life.left / life.whole));
  const expired = life.left <= 0;
  const words = expired
    ? `expired ${durationInWords(-life.left)} ago`
    : `expires in ${durationInWords(life.left)}`;
  return (
    <div className={classes.life} data-expired={expired || undefined}>
      <div
        role="meter"
        aria-label="Remaining life"
        aria-valuemin={0}
        aria-valuemax={life.whole}
        aria-valuenow={Math.max(0, Math.min(life.whole, Math.round(life.left)))}
        aria-valuetext={words}
      >
        <span style={{ width: `${share * 100}%` }} />
      </div>
      <p>
        {words}
        {frozen && ' · clock frozen'}
      </p>
    </div>
  );
}
