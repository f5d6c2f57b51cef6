// Durations and moments in words. The functions are pure and receive the time.

import { durationInWords, grouped } from '../words.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Returns the time between two moments, with calendar years if it is at least one: `8 y 310 d`. */
function spanInWords(from: Date, until: Date): string {
  const anniversary = (years: number) =>
    new Date(from).setUTCFullYear(from.getUTCFullYear() + years);
  let years = until.getUTCFullYear() - from.getUTCFullYear();
  if (anniversary(years) > until.getTime()) years -= 1;
  if (years < 1) return durationInWords((until.getTime() - from.getTime()) / 1000);
  const days = Math.floor((until.getTime() - anniversary(years)) / DAY_MS);
  return `${grouped(years)} y${days === 0 ? '' : ` ${days} d`}`;
}

/** Returns a moment relative to now: `12 s ago`, `in 1 h 30 min`, `now`. */
export function momentInWords(at: number, now: number): string {
  if (Math.round((at - now) / 1000) === 0) return 'now';
  const [from, until] = [new Date(Math.min(at, now)), new Date(Math.max(at, now))];
  const span = spanInWords(from, until);
  return at > now ? `in ${span}` : `${span} ago`;
}

/** Returns when something happened: `just now` within a second of now, as times are truncated to seconds. */
export function pastInWords(at: number, now: number): string {
  if (Math.abs(at - now) < 1000) return 'just now';
  return at > now ? 'before the clock was set back' : momentInWords(at, now);
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

/** Returns a day without its year: `24 Nov`. (Intl would be too slow for the rows of a table.) */
const dayAndMonth = (date: Date): string => `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''}`;

/** Returns a day: `24 Nov 2031`. */
export const calendarDay = (date: Date): string => `${dayAndMonth(date)} ${date.getFullYear()}`;

/** Returns the day of a moment relative to now: an empty text for today, `tomorrow`, `on 24 Nov`, `on 24 Nov 2031`. */
function dayInWords(at: Date, now: Date): string {
  const midnight = (of: Date) => Date.UTC(of.getFullYear(), of.getMonth(), of.getDate());
  const days = (midnight(at) - midnight(now)) / DAY_MS;
  if (days === 0) return '';
  if (days === 1) return ' tomorrow';
  if (days === -1) return ' yesterday';
  return ` on ${at.getFullYear() === now.getFullYear() ? dayAndMonth(at) : calendarDay(at)}`;
}

/** Returns a moment as local time: `10:02:11`, `10:02:11 tomorrow`, `10:02:11 on 24 Nov 2031`. */
export function clockInWords(at: number, now: number): string {
  const moment = new Date(at);
  return `${moment.toLocaleTimeString('en-GB')}${dayInWords(moment, new Date(now))}`;
}

/** The last moment that a Date can represent (ECMA-262 21.4.1.1). */
const LAST_MOMENT = 8.64e15;

/** Adds the local time to a relative time of a minute or more. */
const withClock = (words: string, at: number, now: number): string =>
  Math.abs(at - now) < MINUTE_MS ? words : `${words} (${clockInWords(at, now)})`;

/** Returns the relative and the local time: `in 1 d (10:02:11 tomorrow)`; under a minute only `3 s ago`. */
export function momentInFull(at: number, now: number): string {
  if (!(Math.abs(at) <= LAST_MOMENT)) return 'at a time outside the calendar';
  return withClock(momentInWords(at, now), at, now);
}

/** The same for something that happened: `just now`, `3 min 4 s ago (09:59:07)`. */
export const pastInFull = (at: number, now: number): string =>
  withClock(pastInWords(at, now), at, now);
