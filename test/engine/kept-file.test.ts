// The kept data on disk: all of it in the file, and single revocations in the journal until the next save.

import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Denial } from '../../src/core/model/denial.ts';
import { createKeptFile } from '../../src/engine/kept/kept-file.ts';
import type { Kept } from '../../src/engine/kept/parse-kept.ts';
import { temporaryFolder } from '../support/harness.ts';

const denial = (n: number): Denial => ({ key: `e.1.${n}`, reason: 'revoked', at: 1, until: 2 });

/** One run on the file; `state` is what it would save. */
async function start(at?: string) {
  const file = at ?? join(await temporaryFolder(), 'keep.json');
  const state: Kept = { version: 1, keys: [], epochs: [], denials: [] };
  const problems: string[] = [];
  const kept = createKeptFile({
    file,
    stopwatch: () => performance.now(),
    onTrouble: (message) => problems.push(message),
    collect: () => ({ ...state, denials: [...state.denials] }),
  });
  const deny = (n: number) => {
    state.denials.push(denial(n));
    kept.denied(denial(n));
  };
  const found = await kept.read(0);
  const names = async () => (await readdir(dirname(file))).toSorted();
  return { file, kept, state, problems, deny, found, names };
}

const keysOf = ({ found }: Awaited<ReturnType<typeof start>>) => ({
  kept: found.kept?.denials.map(({ key }) => key) ?? null,
  journalled: found.journalled.map(({ key }) => key),
});

it('nothing is kept at first, and nothing is pending', async () => {
  const { found, kept, names } = await start();
  expect(found).toEqual({ kept: null, journalled: [] });
  expect(kept.synced()).toBeNull();
  await kept.flush();
  expect(await names()).toEqual([]);
});

it('a revocation is only in the journal until the next save, and the next run finds it', async () => {
  const run = await start();
  run.deny(1);
  await run.kept.synced();
  expect(run.kept.synced()).toBeNull();
  expect(await run.names()).toEqual(['keep.json.journal']);
  const next = await start(run.file);
  expect(keysOf(next)).toEqual({ kept: null, journalled: ['e.1.1'] });
  next.state.denials.push(...next.found.journalled);
  next.kept.foldJournal();
  await next.kept.flush();
  expect(await next.names()).toEqual(['keep.json']);
  expect(keysOf(await start(run.file))).toEqual({ kept: ['e.1.1'], journalled: [] });
  expect([run.problems, next.problems]).toEqual([[], []]);
});

it('saved revocations leave the journal, and later ones are found in file and journal together', async () => {
  const run = await start();
  run.deny(1);
  await run.kept.synced();
  run.kept.changedForGood();
  await run.kept.synced();
  expect(run.kept.synced()).toBeNull();
  run.deny(2);
  await run.kept.synced();
  expect(keysOf(await start(run.file))).toEqual({ kept: ['e.1.1'], journalled: ['e.1.2'] });
});

it('a flush waits for the file and for the journal', async () => {
  const run = await start();
  run.deny(1);
  run.kept.changedForGood();
  await run.kept.synced();
  const next = await start(run.file);
  expect(keysOf(next).kept).toEqual(['e.1.1']);
  next.kept.changedForGood();
  next.state.epochs.push({ epoch: 'e', until: 5 });
  next.kept.changedForGood();
  await next.kept.synced();
  expect((await start(run.file)).found.kept?.epochs).toEqual([{ epoch: 'e', until: 5 }]);
});

it('a list that was cleared is saved automatically', async () => {
  const run = await start();
  run.kept.denied(null);
  await run.kept.flush();
  expect(await run.names()).toEqual(['keep.json']);
});

it('nothing is merged without a journal', async () => {
  const run = await start();
  run.kept.foldJournal();
  await run.kept.flush();
  expect(await run.names()).toEqual([]);
});

it('nothing is saved after closing, not even pending changes', async () => {
  const run = await start();
  run.kept.changed();
  await run.kept.end();
  expect(await run.names()).toEqual([]);
  run.kept.changed();
  run.deny(1);
  run.kept.denied(null);
  await run.kept.flush();
  expect(await run.names()).toEqual([]);
});

it('if the journal cannot be written, the whole file is saved instead, which is reported', async () => {
  const run = await start();
  await mkdir(`${run.file}.journal`);
  for (const n of [1, 2]) {
    run.deny(n);
    await run.kept.synced();
    expect(JSON.parse(await readFile(run.file, 'utf8'))).toMatchObject({
      denials: run.state.denials,
    });
  }
  expect(run.problems[0]).toMatch(/^keep\.json\.journal could not be written/);
});

it('the next revocation repeats a failed save', async () => {
  const run = await start();
  await mkdir(run.file);
  run.kept.changed();
  await run.kept.flush();
  expect(run.problems).toHaveLength(1);
  await rm(run.file, { recursive: true });
  run.deny(1);
  await run.kept.flush();
  expect((await stat(run.file)).isFile()).toBe(true);
});

it('a journal that is invalid or cannot be read is an error with its name', async () => {
  const { file } = await start();
  await writeFile(`${file}.journal`, '{"key":7}');
  const error = { file: `${file}.journal` };
  await expect(start(file)).rejects.toMatchObject(error);
  await rm(`${file}.journal`);
  await mkdir(`${file}.journal`);
  await expect(start(file)).rejects.toMatchObject(error);
});

it.skipIf(process.platform === 'win32')(
  'a file that others could read becomes readable by its owner only',
  async () => {
    const run = await start();
    run.kept.changed();
    await run.kept.flush();
    await chmod(run.file, 0o644);
    await start(run.file);
    expect((await stat(run.file)).mode & 0o777).toBe(0o600);
  },
);
