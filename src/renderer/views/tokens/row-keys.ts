// Where the keys lead in the list of tokens. Pure.

/** Rows that a key moves by; the edges lie further than any list is long. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/**
 * The row that a key leads to, from 0; null for a key that leads nowhere.
 * @param at the row the keyboard stands on, -1 when on none
 * @param first the row that stands first in view: where the keyboard comes in
 */
export function rowAfterKey(key: string, at: number, first: number, count: number): number | null {
  const step = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined;
  if (step === undefined || count === 0) return null;
  const wanted = at === -1 && Number.isFinite(step) ? first : at + step;
  return Math.max(0, Math.min(count - 1, wanted));
}
