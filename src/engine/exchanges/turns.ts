// Turns for long work: one stretch of it in each turn of the event loop, however many wait for one, so
// that nobody else waits longer than for one stretch.

export type TakeTurn = () => Promise<void>;

export function createTurns(): TakeTurn {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}
