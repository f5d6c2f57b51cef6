// The generated tables of the documentation are up to date with the schemas, the contract and the commands.

import { expect, test } from 'vitest';
import { filled, shownIn, TABLES } from '../../scripts/docs-tables.ts';
import { DOCUMENTS, readDocument } from '../support/documents.ts';

const texts = DOCUMENTS.map((name) => [name, readDocument(name)] as const);

test.each(texts.filter(([, text]) => shownIn(text).length > 0))(
  'the tables of %s are those that `npm run docs:tables` generates',
  (_name, text) => {
    expect(filled(text)).toBe(text);
  },
);

test('every table appears in a document', () => {
  const shown = texts.flatMap(([, text]) => shownIn(text));
  expect(Object.keys(TABLES).filter((name) => !shown.includes(name))).toEqual([]);
});

test('every row has a description', () => {
  const rows = Object.values(TABLES).flatMap((table) => table.split('\n').slice(2));
  expect(rows.filter((row) => (row.split(' | ')[1] ?? '').trim() === '')).toEqual([]);
});

test('no cause has the stand-in for a claim that a request would name', () => {
  const causes = Object.entries(TABLES).filter(([name]) => name.startsWith('causes '));
  expect(causes).not.toEqual([]);
  const rows = causes.flatMap(([, table]) => table.split('\n'));
  expect(rows.filter((row) => / (no|claim) a claim/.test(row))).toEqual([]);
});
