// Durations, counts and lists in words, and text cut to fit. The page, the causes of rejections,
// the commands and the dialogs of the window use them.

/**
 * A whole number of at least 0, with its thousands separated: `1,200`. The first call of toLocaleString would load locale
 * data, which takes as long as a fifth of a start.
 */
export const grouped = (count: number): string =>
  count < 1000
    ? String(count)
    : `${grouped(Math.floor(count / 1000))},${String(count % 1000).padStart(3, '0')}`;

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

const UNITS: readonly (readonly [string, number])[] = [
  ['d', DAY],
  ['h', HOUR],
  ['min', MINUTE],
  ['s', 1],
];

/** The smaller of the two units in which a duration is written. */
const smallerUnit = (seconds: number): number =>
  seconds < HOUR ? 1 : seconds < DAY ? MINUTE : HOUR;

/**
 * A duration in at most two units, to the nearest of the smaller one: `12 s`, `3 min 4 s`, `1 h 30 min`, `30 d`.
 * 86,399 seconds are `1 d`, so that a lifetime still reads `1 d` a second after it began.
 */
export function durationInWords(seconds: number): string {
  const step = smallerUnit(seconds);
  let rest = Math.max(0, Math.round(seconds / step) * step);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${grouped(count)} ${unit}`);
  }
  return parts.join(' ') || '0 s';
}

/** `1 code`, `1,200 codes` */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `3 codes, 30 refresh tokens and 44 access tokens`; empty for none. */
export const enumerated = (parts: readonly string[]): string =>
  [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' and ');

/** `Redirect URI` of `redirect URI` */
export const capitalized = (words: string): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** The words of a text, such as the scopes of a scope parameter. */
export const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** The last segment of a path, or of a request line; empty for other text. */
const lastSegment = (text: string): string =>
  /^(?:[A-Z]+ )?\/\S*(\/[^\s/]+)$/.exec(text)?.[1] ?? '';

/** The text, cut with an ellipsis until it fits. A path keeps its last segment if that fits: it tells endpoints apart. */
export function shortened(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const segment = lastSegment(text);
  const end = fits(`…${segment}`) ? segment : '';
  const cut = (length: number) => `${text.slice(0, length).trimEnd()}…${end}`;
  let low = 0;
  let high = text.length - end.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(cut(middle))) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}
