import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type { SecondCounts } from '../../../connection/rates.ts';
import type { Mark } from './marks.ts';
import { rateData, type ChartEnd } from './rate-data.ts';
import { createRatePlot, type RatePlot } from './rate-plot.ts';
import classes from './Rate.module.css';

export interface RateChartProps {
  readonly seconds: readonly SecondCounts[];
  readonly marks: readonly Mark[];
  readonly end: ChartEnd;
  readonly onPoint: (index: number | null) => void;
}

/** The canvas, as wide as there is room; drawn anew in the theme's colours. */
export function RateChart({ seconds, marks, end, onPoint }: RateChartProps) {
  const { ref, width, height } = useElementSize();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<RatePlot | null>(null);
  const scheme = useComputedColorScheme();
  const known = width > 0 && height > 0;
  useEffect(() => {
    if (!known || host.current === null) return undefined;
    const { clientWidth, clientHeight } = host.current;
    const made = createRatePlot(
      host.current,
      { width: clientWidth, height: clientHeight },
      onPoint,
    );
    plot.current = made;
    return () => {
      plot.current = null;
      made.destroy();
    };
  }, [known, scheme, onPoint]);
  useEffect(() => {
    if (known) plot.current?.resize(width, height);
  }, [known, width, height]);
  useEffect(
    () => plot.current?.draw(rateData(seconds), marks, end),
    [known, scheme, seconds, marks, end],
  );
  return (
    <div ref={ref} className={classes.room}>
      <div ref={host} className={classes.canvas} />
    </div>
  );
}
