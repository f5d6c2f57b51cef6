// Checks that the time of a reader grows at most linearly: the time per character must not grow with the input. It
// measures processor time, and takes the best of several runs, since disturbances only make a run slower.

const SMALL = 2048;
const LARGE = 65_536;
/** A quadratic reader takes 32 times as long per character for the large input as for the small one. */
const FACTOR = 12;
/** Milliseconds; below this, a measurement is noise. */
const NOISE = 0.25;
const RUNS = 8;

type Read = (text: string) => Promise<unknown>;

async function timeOf(read: Read, text: string): Promise<number> {
  const { user } = process.cpuUsage();
  await read(text);
  return (process.cpuUsage().user - user) / 1000;
}

/** @param enough a time in milliseconds below which no further run is needed */
async function bestTime(read: Read, text: string, enough: number, runs: number): Promise<number> {
  let best = Infinity;
  for (let run = 0; run < runs && best > enough; run += 1) {
    best = Math.min(best, await timeOf(read, text));
  }
  return best;
}

export interface Shape {
  readonly opening: string;
  readonly unit: string;
  readonly ending: string;
}

const textOf = ({ opening, unit, ending }: Shape, length: number) =>
  opening + unit.repeat(Math.ceil(length / unit.length)) + ending;

/** For a text four times as large, a linear reader takes 4 times as long, and a quadratic one 15 or 16 times. */
const FACTOR_OF_FOURFOLD = 12;

/** Compares texts so large that the noise of the machine, the compiler and the collector is small. */
async function growsFaster(read: Read, shape: Shape, runs: number): Promise<boolean> {
  const allowed = FACTOR_OF_FOURFOLD * (await bestTime(read, textOf(shape, LARGE), 0, runs));
  return (await bestTime(read, textOf(shape, 4 * LARGE), allowed, runs)) > allowed;
}

/** Describes growth that is worse than linear; null otherwise. */
export async function worseThanLinear(
  read: Read,
  shape: Shape,
  runs = RUNS,
): Promise<string | null> {
  const small = textOf(shape, SMALL);
  const large = textOf(shape, LARGE);
  const perCharacter = Math.max(NOISE, await bestTime(read, small, NOISE, runs)) / small.length;
  const allowed = perCharacter * FACTOR * large.length;
  const took = await timeOf(read, large);
  if (took <= allowed || !(await growsFaster(read, shape, runs))) return null;
  const ms = (time: number) => `${time.toFixed(0)} ms`;
  return `${JSON.stringify(shape)}: ${ms(took)} for ${large.length} characters; linear would be under ${ms(allowed)}`;
}
