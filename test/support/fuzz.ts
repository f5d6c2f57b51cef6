// How long properties are tried: as often as a test says and always alike, or as `npm run fuzz` has it.

const USUAL_SEED = 6749;

/** @param usual how often in an ordinary run */
export function fuzzing(usual: number): { numRuns: number; seed: number } {
  const { FUZZ_TIMES = 1, FUZZ_SEED = USUAL_SEED } = process.env;
  return { numRuns: usual * Number(FUZZ_TIMES), seed: Number(FUZZ_SEED) };
}
