// The chart: a bar for each second, and marks. RatePanel in ThrottlingView.tsx provides the data and the text beside it.

import { Box } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useId } from 'react';
import { RATE_SECONDS } from '../../../control/topics.ts';
import type { SecondCounts } from '../../connection/rates.ts';
import { type ChartEnd, type Mark, rateData, secondsAhead } from './rate-data.ts';
import classes from './Throttling.module.css';

/** The space around the bars in pixels: a line of labels for each kind of mark above, the scales at the left and below. */
const EDGE = { top: 36, right: 14, bottom: 24, left: 38 };
const LABEL_LINE = 15;
const MOST_LABEL = 110;
/** The least distance between two lines of the vertical scale. */
const LEAST_STEP = 30;
const STEP_SECONDS = 30;
const LEAST_TOP = 4;
const BAR_SHARE = 0.85;
const STRIPE = 4;

const MARKS: Record<Mark['kind'], { readonly line: number; readonly color: string }> = {
  hit: { line: 0, color: 'var(--bad)' },
  resets: { line: 1, color: 'var(--info)' },
};

const momentWords = (at: number, end: ChartEnd): string =>
  at === 0 ? end : `${at > 0 ? '+' : '\u2212'}${Math.abs(at)} s`;

/** The step of the vertical scale, in whole requests: 1, 2, 5, 10 and so on. @param pixels the height of a request */
function stepFor(pixels: number): number {
  let power = 1;
  while (5 * power * pixels < LEAST_STEP) power *= 10;
  return [1, 2, 5].map((digit) => digit * power).find((step) => step * pixels >= LEAST_STEP) ?? 1;
}

/** The multiples of a step within a range. */
const multiples = (step: number, from: number, to: number): number[] =>
  Array.from(
    { length: Math.floor(to / step) - Math.ceil(from / step) + 1 },
    (_, index) => (Math.ceil(from / step) + index) * step,
  );

/** Stripes, so that throttled and allowed differ by more than their colour. */
const Stripes = ({ id, color }: { readonly id: string; readonly color: string }) => (
  <pattern id={id} width={STRIPE} height={STRIPE} patternUnits="userSpaceOnUse">
    <rect width={STRIPE} height={STRIPE} fill={color} />
    <rect width={STRIPE} height={STRIPE / 4} fill="var(--bg)" />
  </pattern>
);

interface RateChartProps {
  readonly seconds: readonly SecondCounts[];
  readonly marks: readonly Mark[];
  readonly end: ChartEnd;
  /** The index of the second that the pointer is over; null when over none. */
  readonly point: number | null;
  readonly onPoint: (index: number | null) => void;
}

interface BarsProps extends RateChartProps {
  readonly width: number;
  readonly height: number;
}

function Bars({ seconds, marks, end, point, onPoint, width, height }: BarsProps) {
  const id = useId();
  const [moments, ...series] = rateData(seconds);
  const highest = Math.max(...series.flat().map((count) => count ?? 0));
  const top = Math.ceil(Math.max(LEAST_TOP, highest * 1.1));
  const ahead = secondsAhead(marks);
  const [right, bottom] = [width - EDGE.right, height - EDGE.bottom];
  const second = (right - EDGE.left) / (RATE_SECONDS + ahead);
  const request = (bottom - EDGE.top) / top;
  const x = (at: number) => EDGE.left + (RATE_SECONDS + at) * second;
  const y = (count: number) => bottom - count * request;
  const counts = multiples(stepFor(request), 0, top);
  const half = (second * BAR_SHARE) / 2;
  const bar = (count: number | null, index: number) =>
    count === null
      ? ''
      : `M${x(moments[index] ?? 0) - half} ${bottom}V${y(count)}h${2 * half}V${bottom}z`;
  // Each series covers the lower part of the previous one.
  const fills = [`url(#${id}-own)`, 'var(--edge)', `url(#${id}-throttled)`, 'var(--accent)'];
  const pointAt = ({ clientX, currentTarget }: PointerEvent) => {
    const over = clientX - currentTarget.getBoundingClientRect().left - EDGE.left;
    const index = Math.floor(over / second) - RATE_SECONDS + seconds.length;
    onPoint(index >= 0 && index < seconds.length ? index : null);
  };
  return (
    <svg
      className={classes.chart}
      width={width}
      height={height}
      onPointerMove={pointAt}
      onPointerLeave={() => onPoint(null)}
    >
      <Stripes id={`${id}-own`} color="var(--edge)" />
      <Stripes id={`${id}-throttled`} color="var(--warn)" />
      {counts.map((count) => (
        <g key={count}>
          <path stroke="var(--line)" d={`M${EDGE.left} ${y(count)}H${right}`} />
          <text x={EDGE.left - 6} y={y(count)} textAnchor="end" dominantBaseline="central">
            {count.toLocaleString('en')}
          </text>
        </g>
      ))}
      {multiples(STEP_SECONDS, -RATE_SECONDS, ahead).map((at) => (
        <text key={at} x={x(at)} y={height - LABEL_LINE / 2} textAnchor="middle">
          {momentWords(at, end)}
        </text>
      ))}
      {series.map((tops, index) => (
        <path key={index} fill={fills[index]} d={tops.map(bar).join('')} />
      ))}
      {marks.map((mark, index) => {
        const { line, color } = MARKS[mark.kind];
        const [at, from] = [x(mark.at), EDGE.top - (2 - line) * LABEL_LINE];
        // Only the newest mark of a kind has a label, because labels could overlap.
        const isNewest = mark === marks.findLast(({ kind }) => kind === mark.kind);
        const fits = at + MOST_LABEL < right;
        return mark.at < -RATE_SECONDS || mark.at > ahead ? null : (
          <g key={index} stroke={color} opacity={isNewest ? 1 : 0.5}>
            <path strokeDasharray="4 3" d={`M${at} ${isNewest ? from : EDGE.top}V${bottom}`} />
            {isNewest && (
              <text
                x={at + (fits ? 4 : -4)}
                y={from + LABEL_LINE / 2}
                fill={color}
                stroke="none"
                textAnchor={fits ? 'start' : 'end'}
                dominantBaseline="central"
              >
                {mark.label}
              </text>
            )}
          </g>
        );
      })}
      {point !== null && (
        <path stroke="var(--edge)" d={`M${x(moments[point] ?? 0)} ${EDGE.top}V${bottom}`} />
      )}
    </svg>
  );
}

export function RateChart(props: RateChartProps) {
  const { ref, width, height } = useElementSize();
  const hasRoom = width > EDGE.left + EDGE.right && height > EDGE.top + EDGE.bottom;
  return (
    <Box ref={ref} pos="relative" h="100%">
      {hasRoom && <Bars {...props} width={width} height={height} />}
    </Box>
  );
}
