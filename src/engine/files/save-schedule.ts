// When something is saved: soon after a change, many changes together, one save at a time, and with a rest
// between them that grows with what the last one cost. Whoever waits for a save cuts the rest short. What is
// saved, and how, is for others to know.

export interface SaveSchedule {
  /** There is something to save, whether or not there was before. */
  readonly request: () => void;
  /** Nothing is to be saved any more; a save under way goes on. */
  readonly cancel: () => void;
  /** Whether a save will follow the one under way. */
  readonly isRequested: () => boolean;
  readonly isSaving: () => boolean;
  /** Everything requested so far has been tried. Ends though requests go on. */
  readonly flush: () => Promise<void>;
}

export interface SaveScheduleOptions {
  /** Monotonic machine time in ms. */
  readonly stopwatch: () => number;
  /** Saves, and answers how long that kept the event loop, in ms; must not throw. */
  readonly save: () => Promise<number>;
}

/** Of the time between two saves at most this much goes into making the text, which can be large. */
const SHARE = 1 / 20;

/** A wait that can be cut short. */
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

/** Wakes whoever waits for the next save to be over. */
function createBell() {
  let waiting: (() => void)[] = [];
  return {
    wait: () => new Promise<void>((resolve) => waiting.push(resolve)),
    ring: () => {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}

export function createSaveSchedule({ stopwatch, save }: SaveScheduleOptions): SaveSchedule {
  let requested = false;
  let running = false;
  let saving = false;
  /** How many requests there were, and how many of them were tried. */
  let requests = 0;
  let tried = 0;
  let flushing = 0;
  let nextAt = 0;
  const pause = createPause();
  const bell = createBell();

  const attempt = async () => {
    const upTo = requests;
    requested = false;
    saving = true;
    nextAt = (await save()) / SHARE + stopwatch();
    saving = false;
    tried = upTo;
    bell.ring();
  };
  const run = async () => {
    // Changes made together come in one turn of the loop and are saved together.
    await new Promise((resolve) => setImmediate(resolve));
    while (requested) {
      const left = nextAt - stopwatch();
      if (left > 0 && flushing === 0) await pause.wait(left);
      // It may have been cancelled meanwhile.
      if (isRequested()) await attempt();
    }
    running = false;
    tried = requests;
    bell.ring();
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
    cancel: () => {
      requested = false;
    },
    isRequested,
    isSaving: () => saving,
    flush: async () => {
      const goal = requests;
      flushing += 1;
      pause.end();
      while (running && tried < goal) await bell.wait();
      flushing -= 1;
    },
  };
}
