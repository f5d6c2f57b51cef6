// How often a file is saved: soon after a change, many changes together, and no more often than generating the text
// allows; at once for a flush.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { createSavedFile } from '../../src/engine/files/saved-file.ts';
import { temporaryFolder } from '../support/harness.ts';

afterEach(() => {
  vi.useRealTimers();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A file whose text takes this many ms to generate, on a fake stopwatch. */
async function open(cost: number) {
  const file = join(await temporaryFolder(), 'a.json');
  let now = 0;
  let made = 0;
  const problems: string[] = [];
  const states: string[] = [];
  const saved = createSavedFile({
    file,
    save: true,
    stopwatch: () => now,
    onTrouble: (message) => problems.push(message),
    onState: () => states.push(saved.state().state),
  });
  const change = (text: string) => {
    saved.changed(function* () {
      made += 1;
      now += cost;
      yield text;
    });
  };
  return { file, saved, change, made: () => made, problems, states };
}

it('a change after a costly save is delayed, unless a flush waits for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { file, saved, change, made } = await open(60_000);
  change('first');
  while (saved.state().state === 'saving') await turn();
  expect(made()).toBe(1);
  change('second');
  while (saved.state().state === 'saving' && vi.getTimerCount() === 0) await turn();
  expect(made()).toBe(1);
  expect(saved.state().state).toBe('saving');
  await saved.flush();
  expect(made()).toBe(2);
  expect(saved.state().state).toBe('saved');
  expect(await readFile(file, 'utf8')).toBe('second');
});

it('each change of the state is reported once', async () => {
  const { saved, change, states } = await open(0);
  expect(saved.state()).toEqual({ state: 'saved', message: null });
  change('first');
  change('second');
  await saved.flush();
  expect(states).toEqual(['saving', 'saved']);
});

it('a flush ends even if changes continue', async () => {
  const { saved, change } = await open(0);
  change('first');
  const changing = new AbortController();
  const flush = saved.flush().then(() => {
    changing.abort();
  });
  for (let count = 0; !changing.signal.aborted; count++) {
    change(`change ${count}`);
    await turn();
  }
  await flush;
  await saved.flush();
});

it('a text that cannot be generated is a failed save with a reason, not an internal error', async () => {
  const { saved, change, problems } = await open(0);
  saved.changed(() => {
    throw new RangeError('Invalid string length');
  });
  await saved.flush();
  const message =
    'a.json could not be saved: Invalid string length. Saving is tried again at the next change.';
  expect(saved.state()).toEqual({ state: 'failed', message });
  expect(problems).toEqual([message]);
  change('fine');
  await saved.flush();
  expect(saved.state()).toEqual({ state: 'saved', message: null });
});

it('a flush rejects with the reason of a failed save, and does not retry', async () => {
  const { file, saved, problems } = await open(0);
  const failing = saved.saveNow(() => {
    throw new RangeError('Invalid string length');
  });
  await expect(failing).rejects.toThrow(/^Invalid string length$/);
  await expect(readFile(file)).rejects.toThrow(/ENOENT/);
  await saved.saveNow(() => ['fine']);
  expect(await readFile(file, 'utf8')).toBe('fine');
  await writeFile(file, 'somebody else’s');
  await expect(saved.saveNow(() => ['mine'])).rejects.toThrow(/^was changed by another program$/);
  expect(await readFile(file, 'utf8')).toBe('somebody else’s');
  expect(problems).toEqual([]);
});
