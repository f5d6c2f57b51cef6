// Short forms for narrow places: credentials, counts, milliseconds. Pure.

/** A long credential with its middle left out, so that two can still be told apart. */
export function elided(value: string): string {
  return value.length <= 12 ? value : `${value.slice(0, 3)}…${value.slice(-2)}`;
}

export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Milliseconds of the stopwatch with as many digits as mean something. */
export function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`;
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ms`;
}
