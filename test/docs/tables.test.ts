// The generated tables of the documentation are those of the schemas, the contract and the commands.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filled, shownIn, TABLES } from '../../scripts/docs-tables.ts';

const DOCS = new URL('../../docs/', import.meta.url);

const texts = readdirSync(DOCS)
  .filter((name) => name.endsWith('.md'))
  .map((name) => [name, readFileSync(new URL(name, DOCS), 'utf8')] as const);

test.each(texts.filter(([, text]) => shownIn(text).length > 0))(
  '%s has its tables as `npm run docs:tables` writes them',
  (_name, text) => {
    expect(filled(text)).toBe(text);
  },
);

test('every table is shown somewhere', () => {
  const shown = texts.flatMap(([, text]) => shownIn(text));
  expect(Object.keys(TABLES).filter((name) => !shown.includes(name))).toEqual([]);
});

test('every row says what it is about', () => {
  const rows = Object.values(TABLES).flatMap((table) => table.split('\n').slice(2));
  expect(rows.filter((row) => (row.split(' | ')[1] ?? '').trim() === '')).toEqual([]);
});
