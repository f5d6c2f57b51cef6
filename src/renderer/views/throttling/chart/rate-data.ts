// The seconds of the chart as numbers to draw and as words to read. Pure.

import { THROTTLE_SECONDS, type ThrottleRate, type Whose } from '../../../connection/state.ts';
import { pluralize } from '../../../ui/short-forms.ts';
import type { Mark } from './marks.ts';

/** Beyond this the chart does not look ahead. */
const AHEAD_SECONDS = 60;
/** Room right of a mark that lies ahead. */
const MARGIN_SECONDS = 4;

export const LONGEST_PAST = THROTTLE_SECONDS;

/** Seconds from now, all requests, those allowed: throttled ones stand on top of allowed ones. */
export type RateData = [at: number[], all: (number | null)[], allowed: (number | null)[]];

/** No bar at all where there was nothing: one of no height would still be a line. */
const bar = (value: number) => (value === 0 ? null : value);

export function rateData(seconds: readonly ThrottleRate[]): RateData {
  return [
    seconds.map((_, index) => index - seconds.length + 0.5),
    seconds.map(({ allowed, throttled }) => bar(allowed + throttled)),
    seconds.map(({ allowed }) => bar(allowed)),
  ];
}

/** How far ahead the chart reaches, so that a window that will reopen soon is on it. */
export function secondsAhead(marks: readonly Mark[]): number {
  const ends = marks.filter(({ kind }) => kind === 'resets').map(({ at }) => at);
  const ahead = ends.filter((at) => at > 0 && at <= AHEAD_SECONDS);
  return ahead.length === 0 ? 0 : Math.max(...ahead) + MARGIN_SECONDS;
}

const sum = (seconds: readonly ThrottleRate[]) =>
  seconds.reduce(
    (all, one) => ({
      allowed: all.allowed + one.allowed,
      throttled: all.throttled + one.throttled,
    }),
    { allowed: 0, throttled: 0 },
  );

export function totalsOf(seconds: readonly ThrottleRate[]): ThrottleRate {
  const { allowed, throttled } = sum(seconds);
  return { allowed: Math.round(allowed), throttled: Math.round(throttled) };
}

const number = (value: number) =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });

/** One second of the chart: `12 s ago: 30 allowed, 4 throttled`. */
export function secondWords(seconds: readonly ThrottleRate[], index: number): string {
  const rate = seconds[index];
  if (rate === undefined) return '';
  const ago = seconds.length - index;
  return `${ago} s ago: ${number(rate.allowed)} allowed, ${number(rate.throttled)} throttled`;
}

/** @param leftOut requests that Grantbench sent itself, and that the chart does not show */
export const periodWords = (leftOut: number): string =>
  leftOut > 0
    ? `in the last 2 min, without ${leftOut.toLocaleString('en')} of Grantbench’s own`
    : 'in the last 2 min';

/** What the chart shows, for whoever does not see it. */
export function chartWords(
  seconds: readonly ThrottleRate[],
  marks: readonly Mark[],
  whose: Whose,
): string {
  const { allowed, throttled } = totalsOf(seconds);
  const of = whose === 'app' ? ' of the app' : '';
  if (allowed + throttled === 0) {
    return `No token request${of} was counted in the last two minutes.`;
  }
  const most = Math.max(...seconds.map((one) => one.allowed + one.throttled));
  const counts = `${pluralize(allowed, 'request')}${of} allowed and ${throttled.toLocaleString('en')} throttled`;
  const told = marks.map(({ label, at }) =>
    at < 0 ? `${label}, ${Math.ceil(-at)} seconds ago` : label,
  );
  return [`${counts} in the last two minutes, at most ${number(most)} in a second.`, ...told].join(
    ' ',
  );
}
