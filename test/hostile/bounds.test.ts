// Every collection is full at once, with the largest input that is let in: each stays within its bounds, in
// entries, by its own account, and on the heap; and a process of a 2 GB heap goes on answering.

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

/** What is measured on the heap beside the collection itself: the code that filled it, compiled by then. */
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

/** Two collections that one kind of record fills. */
const TOGETHER: Readonly<Record<string, string>> = { 'Access tokens': 'Texts of access tokens' };

const MEASURED = Object.entries(BOUNDS).filter(
  ([name]) => !['Advisories', 'Signing keys', ...Object.values(TOGETHER)].includes(name),
);

describe.each(MEASURED)('%s', (name, { entries, bytes }) => {
  test('stay within their bounds, in entries, by their own account and on the heap', () => {
    const figures = filled.get(name);
    if (figures === undefined) throw new Error('not filled');
    const more = TOGETHER[name];
    const most = bytes + (more === undefined ? 0 : (BOUNDS[more]?.bytes ?? 0));
    expect(figures.entries).toBeLessThanOrEqual(entries);
    expect(figures.bytes).toBeLessThanOrEqual(most);
    expect(figures.heap / MIB).toBeLessThanOrEqual((most + MARGIN) / MIB);
  });
});

test('all of them full at once, token requests are answered', () => {
  expect(new Set(all.answers)).toEqual(new Set([200]));
  expect(all.live).toBe(BOUNDS[LIVE]?.entries);
  expect(all.heap).toBeLessThan(HEAP_MIB * MIB);
});

test('all but live credentials take no more than 256 MiB together, by their bounds', () => {
  const others = Object.entries(BOUNDS).filter(([name]) => name !== LIVE);
  const bytes = others.reduce((sum, [, bounds]) => sum + bounds.bytes, 0);
  expect(bytes).toBeLessThanOrEqual(ALL_OTHERS_BYTES);
});
