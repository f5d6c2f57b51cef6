// Where the keys lead in a grid of rows. Pure; what a row does when one comes to it is the view's business.

/** By a screen or so of rows of the usual height. */
const A_PAGE = 10;

/** Rows that a key moves by; the edges lie further than any list is long. */
const stepsOf = (page: number): Readonly<Record<string, number>> => ({
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: page,
  PageUp: -page,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
});

/**
 * The row that a key leads to, from 0; null for a key that leads nowhere.
 * @param at the row the keyboard stands on, -1 when on none
 * @param first the row where the keyboard comes in
 * @param page how many rows PageUp and PageDown lead on
 */
export function rowAfterKey(
  key: string,
  at: number,
  first: number,
  count: number,
  page = A_PAGE,
): number | null {
  const steps = stepsOf(page);
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step === undefined || count === 0) return null;
  const wanted = at === -1 && Number.isFinite(step) ? first : at + step;
  return Math.max(0, Math.min(count - 1, wanted));
}
