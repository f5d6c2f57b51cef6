// Short forms for narrow places: durations, credentials, counts. Pure; the clock is handed in.

const UNITS: readonly (readonly [string, number])[] = [
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

/** A long credential with its middle left out, so that two can still be told apart. */
export function elided(value: string): string {
  return value.length <= 12 ? value : `${value.slice(0, 3)}…${value.slice(-2)}`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Milliseconds of the stopwatch with as many digits as mean something. */
export function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`;
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ms`;
}
