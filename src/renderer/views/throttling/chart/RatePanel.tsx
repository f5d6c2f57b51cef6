import { ActionIcon, Tooltip } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { LimitHit } from '../../../sending/limit-hit.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { usePage, type Whose } from '../../../connection/state.ts';
import { PanelHead } from '../../../ui/PanelHead.tsx';
import { useWhose } from '../../../ui/whose.ts';
import { OwnSwitch } from '../OwnSwitch.tsx';
import { useHammer } from '../hammer/hammer-store.ts';
import { marksOf } from './marks.ts';
import classes from './Rate.module.css';
import { chartWords, periodWords, secondWords, totalsOf } from './rate-data.ts';

const RateChart = lazyPart(async () => (await import('./RateChart.tsx')).RateChart);

/** Without motion the chart moves on in steps of five seconds. */
const STEP_MS = { live: 0, calm: 4500 };

const NO_HITS: readonly LimitHit[] = [];
const NOTES: Record<Whose, string> = {
  app: 'token requests of the app',
  all: 'counted token requests',
};

/** What the chart shows: the newest, unless it is paused or rests between two steps. */
function useShown(paused: boolean) {
  const both = usePage((state) => state.throttle_rates);
  const rest = useReducedMotion() ? STEP_MS.calm : STEP_MS.live;
  const [shown, setShown] = useState(both);
  const due = both !== shown && both.all.until_ms - shown.all.until_ms >= rest;
  if (due && !paused) setShown(both);
  return shown;
}

/** Token requests per second, allowed below throttled, with where a hammer met the limit. */
export function RatePanel() {
  const [paused, setPaused] = useState(false);
  const [point, setPoint] = useState<number | null>(null);
  const whose = useWhose();
  const shown = useShown(paused);
  const { seconds, until_ms } = shown[whose];
  // Where the hammer met the limit says nothing beside the requests of the app alone.
  const hits = useHammer((state) => (whose === 'all' ? state.hits : NO_HITS));
  const clock = usePage((state) => state.clock);
  const marks = useMemo(() => marksOf(hits, clock, until_ms), [hits, clock, until_ms]);
  const { allowed, throttled } = totalsOf(seconds);
  const all = totalsOf(shown.all.seconds);
  const leftOut = all.allowed + all.throttled - allowed - throttled;
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  const word = paused ? 'Resume the chart' : 'Pause the chart';
  return (
    <section className={classes.panel} aria-label="Allowed and throttled">
      <PanelHead title="Per second" note={NOTES[whose]}>
        <OwnSwitch />
        <Tooltip label={word}>
          <ActionIcon aria-label={word} onClick={() => setPaused(!paused)}>
            <Icon size="1.1em" />
          </ActionIcon>
        </Tooltip>
      </PanelHead>
      <figure className={classes.figure}>
        <div role="img" aria-label={chartWords(seconds, marks, whose)} className={classes.plot}>
          <RateChart seconds={seconds} marks={marks} onPoint={setPoint} />
        </div>
        <figcaption className={classes.legend}>
          <span data-kind="allowed">
            Allowed <b>{allowed.toLocaleString('en')}</b>
          </span>
          <span data-kind="throttled">
            Throttled <b>{throttled.toLocaleString('en')}</b>
          </span>
          <span className={classes.read}>
            {point === null ? periodWords(leftOut) : secondWords(seconds, point)}
          </span>
        </figcaption>
      </figure>
    </section>
  );
}
