import type { Credential } from '../../../control/schemas.ts';
import { LifeMeter } from '../../inspector/LifeMeter.tsx';
import { isLive, lifeInWords, lifeLeft } from './credential.ts';
import classes from './Tokens.module.css';

interface LifeCellProps {
  /** As it stands now. */
  readonly credential: Credential;
  /** Sandbox time in ms. */
  readonly now: number;
}

/** How much of its life is left, as a bar and in words; in words alone once it has ended. */
export function LifeCell({ credential, now }: LifeCellProps) {
  const words = lifeInWords(credential, now);
  if (!isLive(credential)) {
    return (
      <span className={classes.ended} title={words}>
        <span className={classes.endedState}>{credential.state} </span>
        {words.slice(credential.state.length + 1)}
      </span>
    );
  }
  return (
    <span className={classes.life}>
      <LifeMeter life={lifeLeft(credential, now)} words={words} />
      <span aria-hidden="true">{words.replace(/ left$/, '')}</span>
    </span>
  );
}
