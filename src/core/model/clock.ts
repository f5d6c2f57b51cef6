// The sandbox clock (behaviour 6), which every lifetime, window and time stamp uses. It follows the machine's clock
// at an offset, or is frozen.

export type Clock = ReturnType<typeof createClock>;

/** Returns the whole seconds since the epoch, as `iat` and `exp` have them. */
export const secondsOf = (clock: Clock): number => Math.floor(clock.now() / 1000);

/** @param machine returns the machine's time in milliseconds since the epoch */
export function createClock(machine: () => number) {
  let offset = 0;
  let frozenAt: number | null = null;
  const now = () => frozenAt ?? machine() + offset;

  const set = (ms: number) => {
    offset = ms - machine();
    if (frozenAt !== null) frozenAt = ms;
  };
  return {
    /** Milliseconds since the epoch. */
    now,
    isFrozen: () => frozenAt !== null,
    /** Sandbox time minus machine time, in milliseconds. */
    offset: () => now() - machine(),
    freeze: () => {
      frozenAt ??= now();
    },
    run: () => {
      if (frozenAt === null) return;
      offset = frozenAt - machine();
      frozenAt = null;
    },
    /** Moves the clock forward by this many milliseconds, whether it is frozen or not. */
    advance: (ms: number) => {
      set(now() + ms);
    },
    set,
    /** Sets the clock back to the machine's time and lets it run. */
    reset: () => {
      offset = 0;
      frozenAt = null;
    },
  };
}
