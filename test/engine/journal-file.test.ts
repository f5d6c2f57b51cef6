// The journal's file: positions in it keep their numbers, whatever is cut before them or fails.

import { appendFile, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { createJournalFile } from '../../src/engine/kept/journal-file.ts';
import { temporaryFolder } from '../support/harness.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const newFile = async () => join(await temporaryFolder(), 'journal');

it('a missing file is an empty journal', async () => {
  const journal = createJournalFile(await newFile());
  expect(await journal.read()).toEqual([]);
  expect([journal.bytes(), journal.end()]).toEqual([null, 0]);
  await journal.cut(0);
  expect(journal.bytes()).toBeNull();
});

it('lines are read, except those that are not JSON', async () => {
  const file = await newFile();
  const text = '\n1\n\n{"a":\n"two"\n[3]';
  await writeFile(file, text);
  const journal = createJournalFile(file);
  expect(await journal.read()).toEqual([1, 'two', [3]]);
  expect([journal.bytes(), journal.end()]).toEqual([text.length, text.length]);
});

it('a position stays the same, however often the lines before it were cut', async () => {
  const file = await newFile();
  const journal = createJournalFile(file);
  const places: number[] = [];
  for (const line of ['1', '2', '3', '4']) {
    await journal.append([line]);
    places.push(journal.end());
  }
  expect(places).toEqual([3, 6, 9, 12]);
  const left = async () => [await journal.read(), journal.bytes()];
  await journal.cut(places[0] ?? 0);
  expect(await readFile(file, 'utf8')).toBe('\n2\n\n3\n\n4\n');
  expect([journal.end(), journal.bytes()]).toEqual([12, 9]);
  await journal.cut(places[0] ?? 0);
  expect(journal.bytes()).toBe(9);
  await journal.cut(places[2] ?? 0);
  expect([journal.end(), journal.bytes()]).toEqual([12, 3]);
  await journal.cut(places[3] ?? 0);
  expect([journal.end(), journal.bytes()]).toEqual([12, null]);
  await journal.append(['5']);
  expect(journal.end()).toBe(15);
  await journal.cut(12);
  expect(await left()).toEqual([[5], 3]);
  await journal.cut(15);
  expect(await left()).toEqual([[], null]);
});

it('a part to cut may be gone already', async () => {
  const file = await newFile();
  const journal = createJournalFile(file);
  await journal.append(['1']);
  await rm(file);
  await journal.cut(journal.end());
  expect(journal.bytes()).toBeNull();
});

it('a failed append does not change positions, and existing lines count', async () => {
  const file = await newFile();
  const journal = createJournalFile(file);
  await journal.append(['1']);
  await rm(dirname(file), { recursive: true });
  await expect(journal.append(['2'])).rejects.toThrow(/ENOENT/);
  expect([journal.end(), journal.bytes()]).toEqual([3, null]);
  await mkdir(dirname(file));
  await journal.append(['3']);
  expect([journal.end(), journal.bytes()]).toEqual([6, 3]);
});

it('a partly written append counts', async () => {
  const file = await newFile();
  const journal = createJournalFile(file);
  await journal.append(['1']);
  const handle = await open(file, 'r');
  await handle.close();
  vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'writeFile').mockImplementation(
    async () => {
      await appendFile(file, '\n"cu');
      throw new Error('ENOSPC');
    },
  );
  await expect(journal.append(['"cut short"'])).rejects.toThrow(/ENOSPC/);
  expect([journal.end(), journal.bytes()]).toEqual([7, 7]);
  vi.restoreAllMocks();
  await journal.append(['2']);
  expect(await journal.read()).toEqual([1, 2]);
});

it('nothing is appended beyond 64 MiB', async () => {
  const file = await newFile();
  const bytes = 64 * 1024 * 1024;
  await writeFile(file, 'x'.repeat(bytes));
  const journal = createJournalFile(file);
  await journal.read();
  await expect(journal.append(['1'])).rejects.toThrow('it is too large');
  expect([journal.end(), journal.bytes()]).toEqual([bytes, bytes]);
});
