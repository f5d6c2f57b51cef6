// The number of runs of a property: the fixed number and seed of a test, or those of `npm run fuzz`.

const USUAL_SEED = 6749;

/** @param usual number of runs outside `npm run fuzz` */
export function fuzzing(usual: number): { numRuns: number; seed: number } {
  const { FUZZ_TIMES = 1, FUZZ_SEED = USUAL_SEED } = process.env;
  return { numRuns: usual * Number(FUZZ_TIMES), seed: Number(FUZZ_SEED) };
}
