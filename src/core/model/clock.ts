// The sandbox clock (behaviour 6), which every lifetime, window and time stamp uses. It follows the machine's clock
// at an offset, or is frozen.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  isFrozen(): boolean;
  /** Sandbox time minus machine time, in milliseconds. */
  offset(): number;
  freeze(): void;
  run(): void;
  /** Moves the clock forward by this many milliseconds, whether it is frozen or not. */
  advance(ms: number): void;
  set(ms: number): void;
  /** Sets the clock back to the machine's time and lets it run. */
  reset(): void;
}

/** Returns the whole seconds since the epoch, as `iat` and `exp` have them. */
export const secondsOf = (clock: Clock): number => Math.floor(clock.now() / 1000);

/** @param machine returns the machine's time in milliseconds since the epoch */
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
