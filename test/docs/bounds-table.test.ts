// The bounds in docs/internals/security.md match the code.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MAX_SHOWN } from '../../src/core/checks/errors.ts';
import {
  MAX_KEY_BYTES,
  MAX_RECORD_BYTES,
  PARAMETER_LIMITS,
} from '../../src/core/records/bounds.ts';
import { BOUNDS, MIB } from '../support/bounds.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const page = read('docs/internals/security.md');
const section =
  page.slice(page.indexOf('## What is kept, and how much of it')).split('\n## ')[0] ?? '';

const rows = section
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.startsWith('|---'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const collections = rows.filter((cells) => cells.length === 6 && cells[0] !== 'Collection');

const written = (figure: number) => figure.toLocaleString('en', { maximumFractionDigits: 1 });

test('the table has one row for each collection', () => {
  expect(collections.map(([name]) => name).toSorted()).toEqual(Object.keys(BOUNDS).toSorted());
});

test.each(collections)('%s: entries and bytes match the code', (name = '', _, ...figures) => {
  const bounds = BOUNDS[name];
  if (bounds === undefined) throw new Error('no such collection');
  const { entries, bytes } = bounds;
  expect(figures.slice(0, 2)).toEqual([written(entries), written(bytes / MIB)]);
});

const sources = readdirSync(new URL('../../src/', import.meta.url), { recursive: true })
  .map((file) => String(file).replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: read(`src/${file}`) }));

describe('a constant named in a table exists in the code', () => {
  const named = rows.flatMap((cells) => [
    ...(cells.at(-1) ?? '').matchAll(/`([A-Z][A-Z_]+)`(?: in `([^`]+)`)?/g),
  ]);

  test.each(named.map(([, name = '', file = '']) => [name, file]))('%s %s', (name, file) => {
    const declared = new RegExp(`const ${name}\\b`);
    const found = sources.filter(
      (source) => source.file.endsWith(file) && declared.test(source.text),
    );
    expect(found).not.toEqual([]);
  });
});

test('the maximum lengths of parameters, records and traces match the code', () => {
  for (const [name, limit] of Object.entries(PARAMETER_LIMITS)) {
    expect(section.replaceAll('\n', ' ')).toContain(`\`${name}\` ${written(limit)}`);
  }
  expect(section).toContain(
    `${MAX_RECORD_BYTES / 1024} KiB, a signing key ${MAX_KEY_BYTES / 1024}`,
  );
  expect(section).toContain(`the first ${written(MAX_SHOWN)} characters`);
});
