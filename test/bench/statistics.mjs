export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const total = (values) => values.reduce((sum, value) => sum + value, 0);

/** The median of the rounds' own ratios: drift between rounds cancels out. */
export function medianRatio(above, below) {
  return median(above.map((value, round) => value / below[round]));
}

/** Of lists of measurements per name, one of their figures. */
export const pick = (measured, field) =>
  Object.fromEntries(
    Object.entries(measured).map(([name, list]) => [name, list.map((each) => each[field])]),
  );

/**
 * Measures every server once per round, in turn, each round starting with the next one; answers with
 * a list of measurements per name.
 */
export async function inTurn(names, rounds, measure) {
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < names.length; i += 1) {
      const name = names[(round + i) % names.length];
      results[name].push(await measure(name, round));
    }
  }
  return results;
}
