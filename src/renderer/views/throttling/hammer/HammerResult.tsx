import { Button } from '@mantine/core';
import { useSandboxNow } from '../../../connection/clock.ts';
import { usePage } from '../../../connection/state.ts';
import { durationInWords } from '../../../../oauth/moments.ts';
import { sentence } from '../../../ui/problems.ts';
import { RunProgress } from '../../../sending/RunProgress.tsx';
import { StatusTag } from '../../../ui/StatusTag.tsx';
import { toneOf } from '../../../ui/status.ts';
import { ExchangeLink } from '../../../exchange/ExchangeLink.tsx';
import type { LimitHit } from '../../../sending/limit-hit.ts';
import { outcomeWords } from '../../../sending/tally.ts';
import { stopHammer } from './hammer.ts';
import type { HammerRun } from './hammer-state.ts';
import { useHammer } from './hammer-store.ts';
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

const ENDS: Record<HammerRun['state'], string> = {
  running: '',
  done: 'All requests sent; none was throttled.',
  stopped: 'Stopped before any request was throttled.',
  failed: '',
};

/** The progress of the hammer, its responses, and the first throttled one. */
export function HammerResult({ run }: { readonly run: HammerRun }) {
  const hit = useHammer((state) => state.hits.findLast((one) => one.run === run.id));
  const { tally, state, message } = run;
  return (
    <div className={classes.result}>
      <RunProgress
        run={run}
        action={state === 'running' && <Button onClick={stopHammer}>Stop</Button>}
      />
      {tally.outcomes.length > 0 && (
        <ul className={classes.outcomes} aria-label="Responses">
          {tally.outcomes.map((outcome) => (
            <li key={outcomeWords(outcome)}>
              <StatusTag tone={toneOf(outcome.status)}>{outcomeWords(outcome)}</StatusTag>{' '}
              {outcome.count.toLocaleString('en')}×
            </li>
          ))}
        </ul>
      )}
      <div role="status">
        {message !== null && <p className={classes.problem}>{sentence(message)}</p>}
        {hit !== undefined ? <HitLine hit={hit} /> : <p>{ENDS[state]}</p>}
      </div>
    </div>
  );
}
