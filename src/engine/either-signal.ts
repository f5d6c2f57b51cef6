// Work that one of several signals may end. AbortSignal.any would keep a trace of every request on a
// signal as long-lived as the engine's.

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
