// A file whose content is cached: the same content is not written again, and what others wrote stays.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Working } from '../../src/engine/files/atomic-file.ts';
import { createKnownText } from '../../src/engine/files/saved-file.ts';
import { temporaryFolder } from '../support/harness.ts';

it('content equal to the file is not written, however the file is formatted', async () => {
  const file = join(await temporaryFolder(), 'a.json');
  await writeFile(file, '{ }');
  const known = createKnownText(file);
  expect(await known.read()).toBe('{ }');
  known.settle(['{', '}']);
  for (let count = 0; count < 2; count++) {
    expect(await known.replace(['{}'])).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('{ }');
  }
  expect(await known.replace(['{"a":1}'])).toBe(true);
  expect(await readFile(file, 'utf8')).toBe('{"a":1}');
});

it('a file that was created meanwhile, or has other content, is not changed', async () => {
  const file = join(await temporaryFolder(), 'a.json');
  const known = createKnownText(file);
  expect(await known.read()).toBeNull();
  await writeFile(file, 'theirs');
  expect(await known.replace(['ours'])).toBe(false);
  expect(await known.read()).toBe('theirs');
  await writeFile(file, 'THEIRS');
  expect(await known.replace(['ours'])).toBe(false);
  expect(await readFile(file, 'utf8')).toBe('THEIRS');
});

it('each piece of the text is generated within the measured time', async () => {
  const file = join(await temporaryFolder(), 'a.json');
  let within = false;
  const working: Working = (step) => {
    within = true;
    try {
      return step();
    } finally {
      within = false;
    }
  };
  const seen: boolean[] = [];
  function* text() {
    for (const part of ['one', 'two']) {
      seen.push(within);
      yield part;
    }
  }
  await createKnownText(file).replace(text(), working);
  expect(seen).toEqual([true, true]);
});
