// Durations and moments in words, as people read them. Pure; the clock is handed in.

const UNITS: readonly (readonly [string, number])[] = [
  ['y', 31_536_000],
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];

/** A duration in at most two units: `12 s`, `3 min 4 s`, `23 h 59 min`, `30 d`. */
export function durationInWords(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const largest = UNITS.findIndex(([, size]) => whole >= size);
  if (largest === -1) return '0 s';
  const parts: string[] = [];
  let rest = whole;
  for (const [unit, size] of UNITS.slice(largest, largest + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(' ');
}

/** A moment relative to now: `12 s ago`, `in 23 h 59 min`, `now`. */
export function momentInWords(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  if (seconds === 0) return 'now';
  return seconds > 0 ? `in ${durationInWords(seconds)}` : `${durationInWords(-seconds)} ago`;
}

const DAY_MS = 86_400_000;

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

/** A day of the calendar without its year: `24 Nov`. (Intl takes longer for it than a row of a table may.) */
const dayAndMonth = (date: Date): string => `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''}`;

/** A day of the calendar: `24 Nov 2031`. */
export const calendarDay = (date: Date): string => `${dayAndMonth(date)} ${date.getFullYear()}`;

/** A moment's day as seen from now: nothing for today, `tomorrow`, `on 24 Nov`, `on 24 Nov 2031`. */
function dayInWords(at: Date, now: Date): string {
  const midnight = (of: Date) => Date.UTC(of.getFullYear(), of.getMonth(), of.getDate());
  const days = (midnight(at) - midnight(now)) / DAY_MS;
  if (days === 0) return '';
  if (days === 1) return ' tomorrow';
  if (days === -1) return ' yesterday';
  return ` on ${at.getFullYear() === now.getFullYear() ? dayAndMonth(at) : calendarDay(at)}`;
}

/** A moment by the clock on the wall: `10:02:11`, `10:02:11 tomorrow`, `10:02:11 on 24 Nov 2031`. */
export function clockInWords(at: number, now: number): string {
  const moment = new Date(at);
  return `${moment.toLocaleTimeString('en-GB')}${dayInWords(moment, new Date(now))}`;
}

/** Beyond these a Date has no calendar day (ECMA-262 21.4.1.1). */
const LAST_MOMENT = 8.64e15;

/** Both at once: `in 23 h 59 min (10:02:11 tomorrow)`; under a minute only `3 s ago`. */
export function momentInFull(at: number, now: number): string {
  if (!(Math.abs(at) <= LAST_MOMENT)) return 'at a time outside the calendar';
  const words = momentInWords(at, now);
  return Math.abs(at - now) < 60_000 ? words : `${words} (${clockInWords(at, now)})`;
}
