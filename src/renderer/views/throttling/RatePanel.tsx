// The request rate over time: computed from the feed, and drawn by uPlot in RateChart. It stores no history of its own.

import { ActionIcon, Tooltip, Box, Group, Stack, Text } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { RATE_SECONDS } from '../../../control/topics.ts';
import { lastSeconds, type Rates } from '../../connection/rates.ts';
import { useReach } from '../../connection/reach.ts';
import { usePage } from '../../connection/state.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PanelHead } from '../../ui/panel.tsx';
import { useHammer } from './hammer.ts';
import { marksOf, chartWords, periodWords, secondWords, sumOf, totalsOf } from './rate-data.ts';
import classes from './Throttling.module.css';

const RateChart = lazyPart(async () => (await import('./RateChart.tsx')).RateChart);

/** With reduced motion, the chart advances in steps of this length. */
const STEP_SECONDS = 5;

/** The rates to draw: the newest ones or, with reduced motion, those of the last step. */
function useDrawn(rates: Rates): Rates {
  const calm = useReducedMotion();
  const [drawn, setDrawn] = useState(rates);
  const passed = Math.abs(rates.second - drawn.second);
  const due = rates !== drawn && (!calm || passed >= STEP_SECONDS);
  if (due) setDrawn(rates);
  return due ? rates : drawn;
}

interface CountsProps {
  readonly whose: 'app' | 'own';
  readonly name: string;
  readonly counts: { readonly allowed: number; readonly throttled: number };
}

const Counts = ({ whose, name, counts: { allowed, throttled } }: CountsProps) => (
  <span data-whose={whose}>
    {name}: <span data-kind="allowed">Allowed</span> <b>{allowed.toLocaleString('en')}</b>{' '}
    <span data-kind="throttled">Throttled</span> <b>{throttled.toLocaleString('en')}</b>
  </span>
);

interface FigureProps {
  readonly rates: Rates;
  readonly paused: boolean;
}

function RateFigure({ rates, paused }: FigureProps) {
  const [point, setPoint] = useState<number | null>(null);
  const lost = useReach(({ live }) => !live);
  const hits = useHammer((state) => state.hits);
  const clock = usePage((state) => state.clock);
  const drawn = useDrawn(rates);
  const seconds = useMemo(() => lastSeconds(rates, RATE_SECONDS), [rates]);
  const shown = useMemo(() => lastSeconds(drawn, RATE_SECONDS), [drawn]);
  const marks = useMemo(() => marksOf(hits, clock, drawn.known_ms), [hits, clock, drawn]);
  const { app, own } = totalsOf(seconds);
  const end = paused ? 'paused' : lost ? 'lost' : 'now';
  return (
    <Stack component="figure" flex={1} gap={4} m={0} p="var(--s2) var(--s4) var(--s3) var(--s2)">
      <Box flex={1} mih="var(--chart)" role="img" aria-label={chartWords(seconds, marks, end)}>
        <RateChart seconds={shown} marks={marks} end={end} onPoint={setPoint} />
      </Box>
      <Group
        component="figcaption"
        className={`${classes.legend} figures`}
        gap="var(--s1) var(--s4)"
        pl="xs"
        fz="xs"
        c="dimmed"
      >
        <Counts whose="app" name="App" counts={app} />
        {sumOf(own) > 0 && <Counts whose="own" name="Grantbench’s own" counts={own} />}
        <Text span inherit ml="auto">
          {point === null ? periodWords(end) : secondWords(shown, point)}
        </Text>
      </Group>
    </Stack>
  );
}

/** Token requests per second, allowed below throttled, with marks where the hammer hit the limit. */
export function RatePanel() {
  const rates = usePage((state) => state.rates);
  const [paused, setPaused] = useState<Rates | null>(null);
  const Icon = paused === null ? IconPlayerPause : IconPlayerPlay;
  const word = paused === null ? 'Pause the chart' : 'Resume the chart';
  return (
    <Stack component="section" gap={0} miw={0} aria-label="Allowed and throttled">
      <PanelHead title="Per second" note="counted token requests">
        <Tooltip label={word}>
          <ActionIcon aria-label={word} onClick={() => setPaused(paused === null ? rates : null)}>
            <Icon size="1.1em" />
          </ActionIcon>
        </Tooltip>
      </PanelHead>
      {rates !== null && <RateFigure rates={paused ?? rates} paused={paused !== null} />}
    </Stack>
  );
}
