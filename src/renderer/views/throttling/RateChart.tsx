// Draws the chart on a canvas: a bar for each second, and marks. RatePanel in ThrottlingView.tsx provides the data and the
// text beside it.

import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { useComputedColorScheme, Box } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type { SecondCounts } from '../../connection/rates.ts';
import { RATE_SECONDS } from '../../../control/topics.ts';
import { type Mark, secondsAhead, type ChartEnd, type RateData, rateData } from './rate-data.ts';
import classes from './Throttling.module.css';

interface Drawn {
  readonly end: ChartEnd;
  readonly marks: readonly Mark[];
  readonly ahead: number;
  readonly top: number;
}

const FONT_PX = 11;
const STRIPE_PX = 4;
/** The height of a label. Each kind of mark has a line of labels above the bars. */
const LABEL_PX = 15;
const PADDING: uPlot.Padding = [2 * LABEL_PX + 6, 14, 0, 0];
const AXIS_PX = { x: 24, y: 38 };
const STEP_SECONDS = 30;
const LEAST_TOP = 4;
const FORMER_ALPHA = 0.5;
const ROWS: Record<Mark['kind'], number> = { hit: 0, resets: 1 };

type Colors = ReturnType<typeof colorsOf>;

function colorsOf(host: HTMLElement) {
  const style = getComputedStyle(host);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    allowed: token('--accent'),
    throttled: token('--warn'),
    own: token('--edge'),
    hit: token('--bad'),
    resets: token('--info'),
    text: token('--muted'),
    grid: token('--line'),
    ground: token('--bg'),
    font: style.fontFamily,
  };
}

const momentWords = (at: number, end: ChartEnd): string =>
  at === 0 ? end : `${at > 0 ? '+' : '\u2212'}${Math.abs(at)} s`;

/** Labels whole numbers only, since there are no half requests. */
const wholeSteps = (_: uPlot, values: number[]) =>
  values.map((value) => (Number.isInteger(value) ? value.toLocaleString('en') : ''));

const everyHalfMinute = (_: uPlot, __: number, from: number, to: number): number[] => {
  const first = Math.ceil(from / STEP_SECONDS);
  const last = Math.floor(to / STEP_SECONDS);
  return Array.from({ length: last - first + 1 }, (___, step) => (first + step) * STEP_SECONDS);
};

function drawLabel(plot: uPlot, x: number, top: number, label: string, font: string): void {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  ctx.font = `${FONT_PX * ratio}px ${font}`;
  ctx.textBaseline = 'top';
  const fits = x + ctx.measureText(label).width + 6 * ratio < bbox.left + bbox.width;
  ctx.textAlign = fits ? 'left' : 'right';
  ctx.fillText(label, x + (fits ? 4 : -4) * ratio, top);
}

/** @param labelled only the newest mark of a kind has a label, because labels could overlap */
function drawMark(plot: uPlot, { kind, at, label }: Mark, colors: Colors, labelled: boolean): void {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  const x = Math.round(plot.valToPos(at, 'x', true));
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  const row = bbox.top - (2 - ROWS[kind]) * LABEL_PX * ratio;
  ctx.save();
  ctx.globalAlpha = labelled ? 1 : FORMER_ALPHA;
  ctx.strokeStyle = colors[kind];
  ctx.fillStyle = colors[kind];
  ctx.lineWidth = ratio;
  ctx.setLineDash([4 * ratio, 3 * ratio]);
  ctx.beginPath();
  ctx.moveTo(x, labelled ? row : bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  if (labelled) drawLabel(plot, x, row, label, colors.font);
  ctx.restore();
}

/** The top of the scale, a little above the highest bar. */
const topOf = ([, ...bars]: RateData) =>
  Math.ceil(Math.max(LEAST_TOP, ...bars.flat().map((value) => (value ?? 0) * 1.1)));

/** A striped pattern, so that throttled and allowed differ by more than their colour. */
function striped(color: string, between: string): CanvasPattern | string {
  const side = STRIPE_PX * uPlot.pxRatio;
  const tile = document.createElement('canvas');
  tile.width = side;
  tile.height = side;
  const ctx = tile.getContext('2d');
  if (ctx === null) return color;
  ctx.fillStyle = color;
  ctx.fillRect(0, 0, side, side);
  ctx.fillStyle = between;
  ctx.fillRect(0, 0, side, side / 4);
  return ctx.createPattern(tile, 'repeat') ?? color;
}

const axis = (colors: Colors): uPlot.Axis => ({
  stroke: colors.text,
  font: `${FONT_PX}px ${colors.font}`,
  grid: { stroke: colors.grid, width: 1 },
  ticks: { show: false },
});

const bars = uPlot.paths.bars?.({ size: [0.85, 24] });

const barSeries = (fill: string | CanvasPattern): uPlot.Series => ({
  fill: () => fill,
  stroke: () => fill,
  width: 0,
  points: { show: false },
  ...(bars === undefined ? {} : { paths: bars }),
});

/** @param onPoint called with the second that the pointer is over; null when over none */
function createRatePlot(
  host: HTMLElement,
  size: { readonly width: number; readonly height: number },
  onPoint: (index: number | null) => void,
) {
  const colors = colorsOf(host);
  let drawn: Drawn = { end: 'now', marks: [], ahead: 0, top: LEAST_TOP };
  const plot = new uPlot(
    {
      ...size,
      padding: PADDING,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: () => [-RATE_SECONDS, drawn.ahead] },
        y: { range: () => [0, drawn.top] },
      },
      axes: [
        {
          ...axis(colors),
          grid: { show: false },
          size: AXIS_PX.x,
          splits: everyHalfMinute,
          values: (_, values) => values.map((at) => momentWords(at, drawn.end)),
        },
        { ...axis(colors), size: AXIS_PX.y, values: wholeSteps },
      ],
      // Each series covers the lower part of the previous one.
      series: [
        {},
        barSeries(striped(colors.own, colors.ground)),
        barSeries(colors.own),
        barSeries(striped(colors.throttled, colors.ground)),
        barSeries(colors.allowed),
      ],
      hooks: {
        draw: [
          (self) => {
            const { marks } = drawn;
            for (const mark of marks) {
              const newest = marks.findLast(({ kind }) => kind === mark.kind);
              drawMark(self, mark, colors, mark === newest);
            }
          },
        ],
        setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)],
      },
    },
    [[], [], [], [], []],
    host,
  );
  return {
    draw: (data: RateData, marks: readonly Mark[], end: ChartEnd) => {
      drawn = { end, marks, ahead: secondsAhead(marks), top: topOf(data) };
      plot.setData(data);
    },
    resize: (width: number, height: number) => plot.setSize({ width, height }),
    destroy: () => plot.destroy(),
  };
}

interface RateChartProps {
  readonly seconds: readonly SecondCounts[];
  readonly marks: readonly Mark[];
  readonly end: ChartEnd;
  readonly onPoint: (index: number | null) => void;
}

/** The canvas, which fills the available width and is redrawn when the theme changes. */
export function RateChart({ seconds, marks, end, onPoint }: RateChartProps) {
  const { ref, width, height } = useElementSize();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<ReturnType<typeof createRatePlot> | null>(null);
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
    <Box ref={ref} pos="relative" h="100%">
      <div ref={host} className={classes.canvas} />
    </Box>
  );
}
