import { Button } from '@mantine/core';
import { useSandboxNow } from '../../../connection/clock.ts';
import { usePage } from '../../../connection/state.ts';
import { pluralize } from '../../../ui/short-forms.ts';
import { durationInWords } from '../../../../oauth/moments.ts';
import { sentence } from '../../../ui/problems.ts';
import { RunProgress } from '../../../sending/RunProgress.tsx';
import { StatusTag, toneOf } from '../../../ui/StatusTag.tsx';
import { ExchangeLink } from '../../../exchange/ExchangeLink.tsx';
import { outcomeWords } from '../../../sending/tally.ts';
import { stopHammer } from './hammer.ts';
import type { Bite, HammerRun } from './hammer-state.ts';
import { useHammer } from './hammer-store.ts';
import classes from './Hammer.module.css';

function reopenWords({ reopens_at }: Bite, now: number, frozen: boolean): string {
  if (reopens_at === null) return '';
  // Retry-After is rounded up already.
  const left = Math.floor((reopens_at - now) / 1000);
  if (left <= 0) return ', and the window has reopened since';
  return frozen
    ? ', and the window stays full while the clock stands'
    : `, and the window reopens in ${durationInWords(left)}`;
}

function BiteLine({ bite }: { readonly bite: Bite }) {
  const now = useSandboxNow();
  const frozen = usePage((state) => state.clock?.frozen === true);
  return (
    <p className={classes.bite}>
      The limit bit after {pluralize(bite.place - 1, 'answer')}, at{' '}
      <ExchangeLink number={bite.exchange} />
      {reopenWords(bite, now, frozen)}.
    </p>
  );
}

const ENDS: Record<HammerRun['state'], string> = {
  running: '',
  done: 'All are sent; the limit did not bite.',
  stopped: 'Stopped before the limit bit.',
  failed: '',
};

/** How far the hammer is, what came back, and where the limit bit. */
export function HammerResult({ run }: { readonly run: HammerRun }) {
  const bite = useHammer((state) => state.bites.findLast((one) => one.run === run.id));
  const { tally, state, message } = run;
  return (
    <div className={classes.result}>
      <RunProgress
        run={run}
        action={state === 'running' && <Button onClick={stopHammer}>Stop</Button>}
      />
      {tally.outcomes.length > 0 && (
        <ul className={classes.outcomes} aria-label="Answers">
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
        {bite !== undefined ? <BiteLine bite={bite} /> : <p>{ENDS[state]}</p>}
      </div>
    </div>
  );
}
