// How long properties are tried: as often as a test says, or as `npm run fuzz` has it.

/** @param usual how often in an ordinary run */
export function fuzzing(usual: number): { numRuns: number; seed?: number } {
  const times = Number(process.env['FUZZ_TIMES'] ?? 1);
  const seed = process.env['FUZZ_SEED'];
  return { numRuns: usual * times, ...(seed === undefined ? {} : { seed: Number(seed) }) };
}
