// The stored corpus: one small file for each hostile input, by parser. Each input that the fuzzer finds is added as a
// file; long inputs are described by the part that repeats.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', 'corpus');

interface Whole {
  readonly why: string;
  readonly text: string;
}

interface Repeated {
  readonly why: string;
  readonly opening: string;
  readonly unit: string;
  readonly count: number;
  readonly ending: string;
}

const textOf = (kept: Whole | Repeated): string =>
  'text' in kept ? kept.text : kept.opening + kept.unit.repeat(kept.count) + kept.ending;

export interface KeptInput {
  readonly parser: string;
  readonly name: string;
  readonly text: string;
}

export function readCorpus(): KeptInput[] {
  return readdirSync(FOLDER).flatMap((parser) =>
    readdirSync(join(FOLDER, parser)).map((name) => {
      const kept = JSON.parse(readFileSync(join(FOLDER, parser, name), 'utf8')) as Whole | Repeated;
      return { parser, name: `${parser}/${name}`, text: textOf(kept) };
    }),
  );
}
