// Helpers for work that runs once, steps that must not overlap, work that several signals can abort, and waits.

interface Lazy<T> {
  /** Returns the same promise each time; a failure can be retried. */
  (): Promise<T>;
  /** Whether it was already requested. */
  wanted(): boolean;
}

export function lazily<T>(load: () => Promise<T>): Lazy<T> {
  let loaded: Promise<T> | null = null;
  const get = () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
  return Object.assign(get, { wanted: () => loaded !== null });
}

type RunExclusive = <T>(step: () => Promise<T>) => Promise<T>;

export function createRunExclusive(): RunExclusive {
  let turn: Promise<unknown> = Promise.resolve();
  return (step) => {
    const done = turn.then(step);
    turn = done.catch(() => undefined);
    return done;
  };
}

export async function withEither<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
  };
  for (const signal of signals) {
    signal?.addEventListener('abort', abort);
    if (signal?.aborted === true) abort();
  }
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) signal?.removeEventListener('abort', abort);
  }
}

/**
 * Waits for a value, at most for the given time.
 * @param begin starts to look for it, and returns what ends that
 * @returns null after the time or an abort
 */
export const waitFor = <T>(
  ms: number,
  signals: readonly (AbortSignal | undefined)[],
  begin: (found: (value: T) => void) => () => void,
): Promise<T | null> =>
  withEither(
    signals,
    (signal) =>
      new Promise((resolve) => {
        const finish = (value: T | null) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          end();
          resolve(value);
        };
        const stop = () => {
          finish(null);
        };
        const timer = setTimeout(stop, ms).unref();
        const end = begin(finish);
        signal.addEventListener('abort', stop);
        if (signal.aborted) stop();
      }),
  );
