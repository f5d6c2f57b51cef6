// How many access tokens live. It takes a walk over all of them, so the more there are, the longer a count
// stands.

/** Milliseconds that a count stands for each token: a walk over 100,000 takes several. */
const STANDS_MS_A_TOKEN = 0.01;

/**
 * @param count walks over all
 * @param stopwatch milliseconds that only go forward
 * @returns how many there are, or were when last counted
 */
export function createLiveTokens(count: () => number, stopwatch: () => number): () => number {
  let counted = { live: 0, until: 0 };
  return () => {
    if (stopwatch() < counted.until) return counted.live;
    const live = count();
    counted = { live, until: stopwatch() + live * STANDS_MS_A_TOKEN };
    return live;
  };
}
