// Limits how often some work is done, however often it is requested: at once when idle, once more after a rest if it
// was requested meanwhile, and never twice at the same time.

export interface Throttled {
  readonly ask: () => void;
  /** Cancels a pending request; a running one completes. */
  readonly stop: () => void;
}

/** @param rest_ms machine time between the end of one run and the next */
export function throttled(run: () => Promise<void>, rest_ms: number): Throttled {
  let busy = false;
  let again = false;
  const start = async () => {
    busy = true;
    again = false;
    await run();
    setTimeout(() => {
      busy = false;
      if (again) void start();
    }, rest_ms);
  };
  return {
    ask: () => {
      if (busy) again = true;
      else void start();
    },
    stop: () => {
      again = false;
    },
  };
}
