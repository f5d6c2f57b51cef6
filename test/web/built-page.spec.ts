// What only the build could lose: the page's schemas are made under the settings of core/records/zod.ts.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';

const ASSETS = new URL('../../out/renderer/assets/', import.meta.url);

test('the chunk of zod sets that nothing is compiled, which the CSP refuses, and has its words', () => {
  const [name = ''] = readdirSync(ASSETS).filter((file) => /^zod-.*\.js$/.test(file));
  const chunk = readFileSync(new URL(name, ASSETS), 'utf8');
  expect(chunk).toContain('jitless:!0');
  expect(chunk).toContain('Invalid input: expected');
});
