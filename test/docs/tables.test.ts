// The generated tables of the documentation are those of the schemas, the contract and the commands.

import { expect, test } from 'vitest';
import { filled, shownIn, TABLES } from '../../scripts/docs-tables.ts';
import { DOCUMENTS, readDocument } from '../support/documents.ts';

const texts = DOCUMENTS.map((name) => [name, readDocument(name)] as const);

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
