import { ActionIcon, Tooltip } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Suspense, useMemo, useState } from 'react';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { usePage, type ThrottleRates } from '../../../connection/state.ts';
import { PanelHead } from '../../../ui/PanelHead.tsx';
import { useHammer } from '../hammer/hammer-store.ts';
import { marksOf } from './marks.ts';
import classes from './Rate.module.css';
import { chartWords, secondWords, totalsOf } from './rate-data.ts';

const RateChart = lazyPart(async () => (await import('./RateChart.tsx')).RateChart);

/** Without motion the chart moves on in steps of five seconds. */
const STEP_MS = { live: 0, calm: 4500 };

/** What the chart shows: the newest, unless it is paused or rests between two steps. */
function useShown(paused: boolean): ThrottleRates {
  const live = usePage((state) => state.throttle_rates);
  const rest = useReducedMotion() ? STEP_MS.calm : STEP_MS.live;
  const [shown, setShown] = useState(live);
  const due = live !== shown && live.until_ms - shown.until_ms >= rest;
  if (due && !paused) setShown(live);
  return shown;
}

/** Token requests per second, allowed below throttled, with where a hammer met the limit. */
export function RatePanel() {
  const [paused, setPaused] = useState(false);
  const [point, setPoint] = useState<number | null>(null);
  const { seconds, until_ms } = useShown(paused);
  const hits = useHammer((state) => state.hits);
  const clock = usePage((state) => state.clock);
  const marks = useMemo(() => marksOf(hits, clock, until_ms), [hits, clock, until_ms]);
  const { allowed, throttled } = totalsOf(seconds);
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  const word = paused ? 'Resume the chart' : 'Pause the chart';
  return (
    <section className={classes.panel} aria-label="Allowed and throttled">
      <PanelHead title="Per second" note="counted token requests">
        <Tooltip label={word}>
          <ActionIcon aria-label={word} onClick={() => setPaused(!paused)}>
            <Icon size="1.1em" />
          </ActionIcon>
        </Tooltip>
      </PanelHead>
      <figure className={classes.figure}>
        <div role="img" aria-label={chartWords(seconds, marks)} className={classes.plot}>
          <Suspense fallback={null}>
            <RateChart seconds={seconds} marks={marks} onPoint={setPoint} />
          </Suspense>
        </div>
        <figcaption className={classes.legend}>
          <span data-kind="allowed">
            Allowed <b>{allowed.toLocaleString('en')}</b>
          </span>
          <span data-kind="throttled">
            Throttled <b>{throttled.toLocaleString('en')}</b>
          </span>
          <span className={classes.read}>
            {point === null ? 'in the last 2 min' : secondWords(seconds, point)}
          </span>
        </figcaption>
      </figure>
    </section>
  );
}
