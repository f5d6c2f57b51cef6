/** Deterministic bytes (mulberry32): the same seed gives the same credentials. */
export function seededRandom(seed = 1): (bytes: number) => Uint8Array<ArrayBuffer> {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 24;
  };
  return (bytes) => Uint8Array.from({ length: bytes }, next);
}
