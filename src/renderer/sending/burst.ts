// Many requests in a row, at once or at a rate, until all are sent, one answer ends it or the person
// does. It knows nothing of what is sent.

export interface Pace {
  readonly count: number;
  /** How many are under way at once at most. */
  readonly parallel: number;
  /** Begun each second by the stopwatch; null for as fast as answers come. */
  readonly per_second: number | null;
}

/** What a person may ask for. */
export const MOST = { count: 10_000, parallel: 100, per_second: 500 } as const;

export const atOnce = (count: number, parallel: number): Pace => ({
  count,
  parallel,
  per_second: null,
});

export const atRate = (count: number, per_second: number): Pace => ({
  count,
  parallel: MOST.parallel,
  per_second,
});

export interface BurstOptions<T> {
  readonly pace: Pace;
  readonly send: (signal: AbortSignal) => Promise<T>;
  /** Called with each answer as it comes; false ends the burst. */
  readonly onAnswer: (answer: T) => boolean;
  /** A moment to show how far it is: seldom enough to be followed. */
  readonly onProgress: () => void;
  /** Ends it: what is under way is given up. */
  readonly signal: AbortSignal;
}

/** Of machine time. */
const PROGRESS_EVERY_MS = 50;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });

/**
 * Resolves when nothing is under way any more; nobody hears of requests given up.
 * @throws what sending threw, once the others under way are given up
 */
export async function burst<T>(options: BurstOptions<T>): Promise<void> {
  const { pace, send, onAnswer, onProgress, signal } = options;
  const ending = new AbortController();
  const over = AbortSignal.any([signal, ending.signal]);
  const isOver = () => over.aborted;
  const began = performance.now();
  let taken = 0;
  let shown = began;
  const take = (answer: T) => {
    if (!onAnswer(answer)) ending.abort();
    if (performance.now() - shown < PROGRESS_EVERY_MS) return;
    shown = performance.now();
    onProgress();
  };
  const worker = async () => {
    while (taken < pace.count && !isOver()) {
      const place = taken;
      taken += 1;
      const due = pace.per_second === null ? 0 : (1000 * place) / pace.per_second;
      const early = due - (performance.now() - began);
      if (early > 0) await pause(early, over);
      if (isOver()) return;
      const answer = await send(over);
      if (isOver()) return;
      take(answer);
    }
  };
  const workers = Array.from({ length: Math.min(pace.parallel, pace.count) }, () =>
    worker().catch((error: unknown) => {
      if (isOver()) return;
      ending.abort();
      throw error;
    }),
  );
  const ends = await Promise.allSettled(workers);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason as unknown;
}
