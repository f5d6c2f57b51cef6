// The data of the chart as numbers to draw and as text. Pure.

import { sandboxTime } from '../../connection/clock.ts';
import type { TickingClock } from '../../connection/state.ts';
import type { LimitHit } from './limit-hit.ts';
import type { SecondCounts } from '../../connection/rates.ts';
import { pluralize } from '../../../words.ts';

/** The first throttled request of a window, or the reset of that window. */
export interface Mark {
  readonly kind: 'hit' | 'resets';
  /** Seconds from now; negative in the past. */
  readonly at: number;
  readonly label: string;
}

/** Drift between sandbox and machine time up to which the clock counts as not moved. */
const SAME_CLOCK_MS = 1500;

/** The end of the hit's window in machine time; null when it is unknown because the clock was moved. */
function resetsMs({ resets_at, offset_ms }: LimitHit, clock: TickingClock, now: number) {
  if (resets_at === null) return null;
  const offset = sandboxTime(clock, now) - now;
  const moved = clock.frozen || Math.abs(offset - offset_ms) > SAME_CLOCK_MS;
  if (!moved) return resets_at - offset_ms;
  const left = resets_at - sandboxTime(clock, now);
  return clock.frozen || left <= 0 ? null : now + left;
}

/** @param now machine time in ms that the chart ends at */
export function marksOf(
  hits: readonly LimitHit[],
  clock: TickingClock | null,
  now: number,
): Mark[] {
  return hits.flatMap((hit) => {
    const reached: Mark = {
      kind: 'hit',
      at: (hit.at_ms - now) / 1000,
      label: `first 429, #${hit.exchange}`,
    };
    const end = clock === null ? null : resetsMs(hit, clock, now);
    if (end === null) return [reached];
    const at = (end - now) / 1000;
    const label = at > 0 ? `resets in ${Math.ceil(at)} s` : 'window reset';
    return [reached, { kind: 'resets', at, label }];
  });
}

/** How far ahead the chart reaches at most. */
const AHEAD_SECONDS = 60;
/** Space to the right of a mark in the future. */
const MARGIN_SECONDS = 4;

interface Throttled {
  readonly allowed: number;
  readonly throttled: number;
}

/** Requests of the app under test, and those that Grantbench sent itself. */
interface BothCounts {
  readonly app: Throttled;
  readonly own: Throttled;
}

export const sumOf = ({ allowed, throttled }: Throttled): number => allowed + throttled;

const bothOf = ({ allowed, throttled, app }: SecondCounts): BothCounts => ({
  app,
  own: { allowed: allowed - app.allowed, throttled: throttled - app.throttled },
});

/**
 * Seconds from now, and the tops of the stacked bars: requests from Grantbench itself are stacked on those from
 * the app.
 */
export type RateData = [
  at: number[],
  own_throttled: (number | null)[],
  own_allowed: (number | null)[],
  throttled: (number | null)[],
  allowed: (number | null)[],
];

/** Returns null without requests, since a bar without height would still be drawn as a line. */
const bar = (count: number, below: number) => (count === 0 ? null : count + below);

export function rateData(seconds: readonly SecondCounts[]): RateData {
  const both = seconds.map(bothOf);
  return [
    seconds.map((_, index) => index - seconds.length + 0.5),
    both.map(({ app, own }) => bar(own.throttled, own.allowed + sumOf(app))),
    both.map(({ app, own }) => bar(own.allowed, sumOf(app))),
    both.map(({ app }) => bar(app.throttled, app.allowed)),
    both.map(({ app }) => bar(app.allowed, 0)),
  ];
}

/** How far ahead the chart reaches, so that the next reset is visible. */
export function secondsAhead(marks: readonly Mark[]): number {
  const ends = marks.filter(({ kind }) => kind === 'resets').map(({ at }) => at);
  const ahead = ends.filter((at) => at > 0 && at <= AHEAD_SECONDS);
  return ahead.length === 0 ? 0 : Math.max(...ahead) + MARGIN_SECONDS;
}

const added = (a: Throttled, b: Throttled): Throttled => ({
  allowed: a.allowed + b.allowed,
  throttled: a.throttled + b.throttled,
});

const NONE: Throttled = { allowed: 0, throttled: 0 };

export const totalsOf = (seconds: readonly SecondCounts[]): BothCounts =>
  seconds
    .map(bothOf)
    .reduce((all, one) => ({ app: added(all.app, one.app), own: added(all.own, one.own) }), {
      app: NONE,
      own: NONE,
    });

const number = (value: number) => value.toLocaleString('en');

/** One second of the chart: `12 s ago: 30 allowed, 4 throttled`. */
export function secondWords(seconds: readonly SecondCounts[], index: number): string {
  const counts = seconds[index];
  if (counts === undefined) return '';
  const ago = seconds.length - 1 - index;
  const { app, own } = bothOf(counts);
  const words = ({ allowed, throttled }: Throttled) =>
    `${number(allowed)} allowed, ${number(throttled)} throttled`;
  const ofOwn = sumOf(own) === 0 ? '' : `; Grantbench’s own: ${words(own)}`;
  return `${ago === 0 ? 'This second' : `${ago} s ago`}: ${words(app)}${ofOwn}`;
}

/** What the end of the chart shows: now, when the user paused it, or when the connection was lost. */
export type ChartEnd = 'now' | 'paused' | 'lost';

const PERIODS: Record<ChartEnd, (length: string) => string> = {
  now: (length) => `in the last ${length}`,
  paused: (length) => `in the ${length} before the pause`,
  lost: (length) => `in the ${length} before the connection was lost`,
};

export const periodWords = (end: ChartEnd): string => PERIODS[end]('2 min');

/** Who sent how many, in words: `3 requests of the app allowed and 0 throttled`. */
function senderWords({ app, own }: BothCounts): string {
  const words = ({ allowed, throttled }: Throttled, whose: string) =>
    `${pluralize(allowed, 'request')} of ${whose} allowed and ${number(throttled)} throttled`;
  const ofApp = words(app, 'the app');
  if (sumOf(own) === 0) return ofApp;
  const ofOwn = words(own, 'Grantbench’s own');
  return sumOf(app) === 0 ? `${ofOwn}, none of the app,` : `${ofApp}, ${ofOwn}`;
}

/** A text alternative for the chart. */
export function chartWords(
  seconds: readonly SecondCounts[],
  marks: readonly Mark[],
  end: ChartEnd,
): string {
  const period = PERIODS[end]('two minutes');
  const most = Math.max(...seconds.map(sumOf));
  if (most === 0) return `No token request was counted ${period}.`;
  const described = marks.map(({ label, at }) =>
    at < 0 ? `${label}, ${Math.ceil(-at)} seconds ago` : label,
  );
  return [
    `${senderWords(totalsOf(seconds))} ${period}, at most ${number(most)} in a second.`,
    ...described,
  ].join(' ');
}
