import { Button } from '@mantine/core';
import { useSandboxNow } from '../../../connection/clock.ts';
import { usePage } from '../../../connection/state.ts';
import { durationInWords } from '../../../../words.ts';
import { ExchangeLink } from '../../../exchange/ExchangeLink.tsx';
import type { LimitHit } from '../../../sending/limit-hit.ts';
import type { Repeated } from '../../../sending/repetition.ts';
import { RepetitionResult } from '../../../sending/RepetitionParts.tsx';
import { stopHammer, useHammer } from './hammer.ts';
import classes from './Hammer.module.css';

function resetWords({ resets_at }: LimitHit, now: number, frozen: boolean): string {
  if (resets_at === null) return '';
  // Retry-After is rounded up already.
  const left = Math.floor((resets_at - now) / 1000);
  if (left <= 0) return '. The window has reset since';
  return frozen
    ? '. The window does not reset while the clock is frozen'
    : `. Resets in ${durationInWords(left)}`;
}

function HitLine({ hit }: { readonly hit: LimitHit }) {
  const now = useSandboxNow();
  const frozen = usePage((state) => state.clock?.frozen === true);
  return (
    <p className={classes.hit}>
      Throttled{hit.limit === null ? '' : ` by the limit of ${hit.limit}`}, first at{' '}
      <ExchangeLink number={hit.exchange} />
      {resetWords(hit, now, frozen)}.
    </p>
  );
}

const ENDS: Record<Repeated['state'], string> = {
  running: '',
  done: 'All requests sent; none was throttled.',
  stopped: 'Stopped before any request was throttled.',
  failed: '',
};

/** The progress of the hammer, its responses, and the first throttled one. */
export function HammerResult({ repeated }: { readonly repeated: Repeated }) {
  const hit = useHammer(({ hits, run }) => hits.findLast((one) => one.run === run));
  return (
    <div className={classes.result}>
      <RepetitionResult repeated={repeated} stop={<Button onClick={stopHammer}>Stop</Button>} />
      <div role="status">
        {hit !== undefined ? <HitLine hit={hit} /> : <p>{ENDS[repeated.state]}</p>}
      </div>
    </div>
  );
}
