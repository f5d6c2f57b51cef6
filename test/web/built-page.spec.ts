// What only the build could lose: nothing in the page makes code of text, which its content security policy refuses.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';

const ASSETS = new URL('../../out/renderer/assets/', import.meta.url);

test('no chunk compiles code: schemas are those of zod/mini, which are interpreted', () => {
  const chunks = readdirSync(ASSETS).filter((file) => file.endsWith('.js'));
  expect(chunks).not.toEqual([]);
  for (const name of chunks) {
    const chunk = readFileSync(new URL(name, ASSETS), 'utf8');
    expect(chunk, name).not.toMatch(/new Function\(|\beval\(/);
  }
});
