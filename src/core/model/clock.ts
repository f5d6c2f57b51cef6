// The sandbox clock (behaviour 6): every lifetime, window and time stamp reads it. It follows the
// machine's clock at an offset, or stands still.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  isFrozen(): boolean;
  /** Sandbox time less machine time, in milliseconds. */
  offset(): number;
  freeze(): void;
  run(): void;
  /** Moves forward by so many milliseconds, frozen or not. */
  advance(ms: number): void;
  set(ms: number): void;
  /** Back to the machine's time, running. */
  reset(): void;
}

/** @param machine the machine's own time in milliseconds since the epoch */
export function createClock(machine: () => number): Clock {
  let offset = 0;
  let frozenAt: number | null = null;
  const now = () => frozenAt ?? machine() + offset;

  const set = (ms: number) => {
    offset = ms - machine();
    if (frozenAt !== null) frozenAt = ms;
  };
  return {
    now,
    isFrozen: () => frozenAt !== null,
    offset: () => now() - machine(),
    freeze: () => {
      frozenAt ??= now();
    },
    run: () => {
      if (frozenAt === null) return;
      offset = frozenAt - machine();
      frozenAt = null;
    },
    advance: (ms) => {
      set(now() + ms);
    },
    set,
    reset: () => {
      offset = 0;
      frozenAt = null;
    },
  };
}
