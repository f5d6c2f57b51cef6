// The threat model names the tests of each threat, and they exist.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(join(ROOT, 'docs/internals/security.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The cells of its table, without the heading. */
const threats = (/^\| Who \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(text)?.[1] ?? '')
  .trimEnd()
  .split('\n')
  .map((row) => row.split('|').slice(1, -1));

test('every threat has an actor, an action, a mitigation and a test', () => {
  expect(threats.length).toBeGreaterThan(10);
  for (const cells of threats) {
    expect(cells).toHaveLength(4);
    expect(cells.every((cell) => cell.trim() !== '')).toBe(true);
  }
});

test('every test named in the threat model exists', () => {
  const named = threats.map(([who = '', , , tested = '']) => {
    const names = [...tested.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    return { who, names };
  });
  const isThere = (name: string) =>
    name.startsWith('npm run ')
      ? name.slice('npm run '.length) in scripts
      : existsSync(join(ROOT, name));
  const missing = named.filter(({ names }) => names.length === 0 || !names.every(isThere));
  expect(missing).toEqual([]);
});
