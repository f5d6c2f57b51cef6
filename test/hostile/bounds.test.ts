// All collections are full at once, with the largest accepted input: each stays within its bounds in entries, counted
// bytes and heap, and a process with a 2 GB heap keeps answering.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { ALL_OTHERS_BYTES, BOUNDS, LIVE, MIB } from '../support/bounds.ts';
import { bundle } from '../support/bundle.ts';

interface Figures {
  readonly name: string;
  readonly entries: number;
  readonly bytes: number;
  readonly heap: number;
}

interface All {
  readonly answers: readonly number[];
  readonly live: number;
  readonly heap: number;
}

const HEAP_MIB = 2048;

/** Allowance for compiled code, which the heap also contains. */
const MARGIN = 2 * MIB;

const filled = new Map<string, Figures>();
let all: All;

beforeAll(async () => {
  const entry = fileURLToPath(new URL('support/full-process.ts', import.meta.url));
  const { file, remove } = await bundle(entry);
  try {
    const options = ['--expose-gc', `--max-old-space-size=${HEAP_MIB}`];
    const { stdout } = await promisify(execFile)(process.execPath, [...options, file], {
      maxBuffer: MIB,
    });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Figures & All);
    for (const figures of lines) filled.set(figures.name, figures);
    all = filled.get('all') as unknown as All;
  } finally {
    await remove();
  }
}, 300_000);

/** Collections that the same records fill. */
const TOGETHER: Readonly<Record<string, string>> = { 'Access tokens': 'Texts of access tokens' };

const MEASURED = Object.entries(BOUNDS).filter(
  ([name]) => !['Advisories', 'Signing keys', ...Object.values(TOGETHER)].includes(name),
);

describe.each(MEASURED)('%s', (name, { entries, bytes }) => {
  test('stay within their bounds in entries, counted bytes and heap', () => {
    const figures = filled.get(name);
    if (figures === undefined) throw new Error('not filled');
    const more = TOGETHER[name];
    const most = bytes + (more === undefined ? 0 : (BOUNDS[more]?.bytes ?? 0));
    expect(figures.entries).toBeLessThanOrEqual(entries);
    expect(figures.bytes).toBeLessThanOrEqual(most);
    expect(figures.heap / MIB).toBeLessThanOrEqual((most + MARGIN) / MIB);
  });
});

test('token requests are answered while all collections are full', () => {
  expect(new Set(all.answers)).toEqual(new Set([200]));
  expect(all.live).toBe(BOUNDS[LIVE]?.entries);
  expect(all.heap).toBeLessThan(HEAP_MIB * MIB);
});

test('the bounds of all collections but live credentials add up to at most 264 MiB', () => {
  const others = Object.entries(BOUNDS).filter(([name]) => name !== LIVE);
  const bytes = others.reduce((sum, [, bounds]) => sum + bounds.bytes, 0);
  expect(bytes).toBeLessThanOrEqual(ALL_OTHERS_BYTES);
});
