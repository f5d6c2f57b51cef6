// The journal of revocations: on disk before a revocation is reported, readable after any crash, cut once it is saved.

import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { Denial } from '../../src/core/model/denial.ts';
import { readIfThere } from '../../src/engine/files/file-text.ts';
import { createRevocationJournal } from '../../src/engine/kept/revocation-journal.ts';
import { temporaryFolder } from '../support/harness.ts';

afterEach(() => {
  vi.useRealTimers();
});

const denial = (n: number): Denial => ({ key: `e.1.${n}`, reason: 'revoked', at: 1, until: 2 });

async function open(file?: string) {
  const name = file ?? join(await temporaryFolder(), 'keep.json.journal');
  const problems: string[] = [];
  let saved = 0;
  let now = 0;
  const journal = createRevocationJournal({
    file: name,
    stopwatch: () => now,
    onTrouble: (message) => problems.push(message),
    saveInstead: () => {
      saved += 1;
      return Promise.resolve();
    },
  });
  const pass = (ms: number) => {
    now += ms;
  };
  return { file: name, journal, problems, saves: () => saved, pass };
}

const readAgain = async (file: string) => (await open(file)).journal.read();

it('entries added together are appended together, and are on disk once this is confirmed', async () => {
  const { journal, file } = await open();
  expect(journal.synced()).toBeNull();
  const all = Array.from({ length: 100 }, (_, n) => denial(n));
  all.push({ ...denial(100), up_to: 1 }, { ...denial(101), with_client: true });
  all.forEach(journal.add);
  await journal.synced();
  expect(journal.synced()).toBeNull();
  expect(await readAgain(file)).toEqual(all);
  expect((await readFile(file, 'utf8')).startsWith('\n{')).toBe(true);
});

it('a batch begins at once, and the next batch at least ten milliseconds later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { journal, file, pass } = await open();
  const read = async () => (await readAgain(file)).length;
  journal.add(denial(1));
  expect(vi.getTimerCount()).toBe(0);
  await journal.synced();
  pass(4);
  journal.add(denial(2));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(5);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
  await journal.synced();
  expect(await read()).toBe(2);
  pass(10);
  journal.add(denial(3));
  expect(vi.getTimerCount()).toBe(0);
  await journal.synced();
  expect(await read()).toBe(3);
});

it('entries before a mark stay while only those before an older mark are saved', async () => {
  const { journal, file, pass } = await open();
  const add = async (n: number) => {
    journal.add(denial(n));
    await journal.synced();
    pass(1000);
  };
  await add(1);
  journal.mark();
  await add(2);
  journal.cut();
  // The next save begins before its turn.
  journal.mark();
  await journal.idle();
  expect(await readAgain(file)).toEqual([denial(2)]);
  await add(3);
  journal.cut();
  journal.mark();
  journal.cut();
  await journal.idle();
  expect(await readAgain(file)).toEqual([]);
});

it('an empty journal is removed like any other', async () => {
  const { journal, file } = await open();
  await writeFile(file, '');
  await journal.read();
  expect(journal.isThere()).toBe(true);
  journal.mark();
  journal.cut();
  await journal.idle();
  expect(await readIfThere(file)).toBeNull();
});

it('entries of another process are not cut', async () => {
  const { journal, file } = await open();
  journal.add(denial(1));
  await journal.synced();
  await appendFile(file, `\n${JSON.stringify(denial(9))}\n`);
  journal.mark();
  journal.cut();
  await journal.idle();
  expect(await readAgain(file)).toEqual([denial(1), denial(9)]);
});

it('a journal of 1 MiB or more is long, so that it is saved and cut', async () => {
  const { journal } = await open();
  for (let n = 0; n < 20_000; n++) journal.add(denial(n));
  await journal.synced();
  expect(journal.isLong()).toBe(true);
});

it('a journal that cannot be written causes a complete save before the revocation is reported, with one warning', async () => {
  const { journal, file, problems, saves, pass } = await open();
  await mkdir(file);
  for (const n of [1, 2]) {
    journal.add(denial(n));
    await journal.synced();
    journal.mark();
    journal.cut();
    await journal.idle();
    pass(1000);
  }
  expect(saves()).toBe(2);
  expect(problems).toEqual([
    expect.stringMatching(/^keep\.json\.journal could not be written: EISDIR/),
  ]);
});
