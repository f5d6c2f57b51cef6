// Work that may be asked for at any rate and is done at a bearable one: at once when it has rested, once
// more after a rest when it was asked for meanwhile, and never twice at a time.

export interface Throttled {
  readonly ask: () => void;
  /** Forgets what was asked for; what runs, ends. */
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
