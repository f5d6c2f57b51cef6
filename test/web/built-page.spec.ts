// Properties that only the build could lose: no code in the page is compiled from text, which its content security
// policy forbids.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';

const ASSETS = new URL('../../out/renderer/assets/', import.meta.url);

test('no chunk compiles code: schemas use zod/mini, which interprets them', () => {
  const chunks = readdirSync(ASSETS).filter((file) => file.endsWith('.js'));
  expect(chunks).not.toEqual([]);
  for (const name of chunks) {
    const chunk = readFileSync(new URL(name, ASSETS), 'utf8');
    expect(chunk, name).not.toMatch(/new Function\(|\beval\(/);
  }
});
