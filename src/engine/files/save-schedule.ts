// Decides when to save: soon after a change, several changes together, one save at a time, and with a pause that
// grows with the cost of the last save. A caller that waits for a save ends the pause. This file knows nothing of
// what is saved and how.

export interface SaveScheduleOptions {
  /** In ms of monotonic time. */
  readonly stopwatch: () => number;
  /** Saves, and returns how long that blocked the event loop, in ms; must not throw. */
  readonly save: () => Promise<number>;
}

/** Maximum share of the time between two saves for generating the text, which can be large. */
const SHARE = 1 / 20;

/** A pause that can be ended early. */
function createPause() {
  let end: () => void = () => undefined;
  return {
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end: () => {
      end();
    },
  };
}

/** Wakes callers that wait for the end of the next save. */
function createWaiters() {
  let waiting: (() => void)[] = [];
  return {
    wait: () => new Promise<void>((resolve) => waiting.push(resolve)),
    wakeAll: () => {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}

export function createSaveSchedule({ stopwatch, save }: SaveScheduleOptions) {
  let requested = false;
  let running = false;
  let saving = false;
  /** The number of requests, and the number of tried ones. */
  let requests = 0;
  let tried = 0;
  let flushing = 0;
  let nextAt = 0;
  const pause = createPause();
  const waiters = createWaiters();

  const attempt = async () => {
    const upTo = requests;
    requested = false;
    saving = true;
    nextAt = (await save()) / SHARE + stopwatch();
    saving = false;
    tried = upTo;
    waiters.wakeAll();
  };
  const run = async () => {
    // Changes in one turn of the event loop are saved together.
    await new Promise((resolve) => setImmediate(resolve));
    while (requested) {
      const left = nextAt - stopwatch();
      if (left > 0 && flushing === 0) await pause.wait(left);
      // The save may have been cancelled meanwhile.
      if (isRequested()) await attempt();
    }
    running = false;
    tried = requests;
    waiters.wakeAll();
  };
  const isRequested = () => requested;
  return {
    request: () => {
      requests += 1;
      requested = true;
      if (running) return;
      running = true;
      void run();
    },
    /** Cancels requested saves; a running save continues. */
    cancel: () => {
      requested = false;
    },
    /** Whether another save will follow the running one. */
    isRequested,
    isSaving: () => saving,
    /** Resolves when all saves requested so far were tried, even if new requests arrive. */
    flush: async (): Promise<void> => {
      const goal = requests;
      flushing += 1;
      pause.end();
      while (running && tried < goal) await waiters.wait();
      flushing -= 1;
    },
  };
}
