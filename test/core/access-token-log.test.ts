// Which access tokens keep a record, which records keep the token's text, and how both stay within their bounds.

import { expect, test } from 'vitest';
import type { AccessTokenRecord } from '../../src/core/model/credentials.ts';
import { lineageId } from '../../src/core/model/credentials.ts';
import { createAccessTokenLog } from '../../src/core/stores/access-token-log.ts';
import { createTestService } from '../support/core.ts';

/** The size in bytes that a text of this length counts as. */
const TEXT = 'x'.repeat(76);
const TEXT_BYTES = 100;

const { lineage } = await createTestService().signIn();

const token = (n: number, members: Partial<AccessTokenRecord> = {}): AccessTokenRecord => ({
  kind: 'access_token',
  value: TEXT,
  format: 'rfc9068',
  kid: 'k',
  iss: 'https://issuer.example',
  audience: '',
  scope: '',
  state: 'active',
  seq: n,
  n,
  lineage,
  bytes: 100,
  issued_at: 0,
  expires_at: 1,
  jkt: null,
  issued_by: null,
  end: null,
  ...members,
});
const opaque = (n: number) => token(n, { format: 'opaque', value: `opaque ${n}` });

const atMost = (entries: number) => ({ entries, bytes: Infinity });
const bytes = (most: number) => ({ entries: 100, bytes: most });

/** A log of these tokens; a number stands for a self-contained token. */
const filled = (
  tokens: readonly (AccessTokenRecord | number)[],
  records = atMost(100),
  texts = atMost(100),
) => {
  const log = createAccessTokenLog(records, texts);
  for (const one of tokens) log.add(typeof one === 'number' ? token(one) : one);
  return log;
};

type Log = ReturnType<typeof filled>;

const numbers = (log: Log) => [...log.newestFirst()].map(({ n }) => n);
const withText = (log: Log) =>
  [...log.newestFirst()].filter(({ value }) => value !== null).map(({ n }) => n);
const named = (n: number) => ({ epoch: lineage.epoch, lineage: lineageId(lineage), n });

test.each([
  ['number', atMost(2)],
  ['size', bytes(200)],
])('architecture: the newest tokens keep their record, up to a %s', (_, records) => {
  const log = filled([1, 2, 3], records);
  expect(numbers(log)).toEqual([3, 2]);
  expect(log.find(named(1))).toBeUndefined();
  expect(log.find(named(2))).toMatchObject({ n: 2 });
  log.add(token(4));
  expect(numbers(log)).toEqual([4, 3]);
});

test('architecture: a large record replaces several small records', () => {
  const log = filled([1, 2, 3, token(4, { bytes: 200 })], bytes(300));
  expect(numbers(log)).toEqual([4, 3]);
});

test('architecture: the newest records keep their text, up to a size', () => {
  const log = filled([1, 2, 3], atMost(100), bytes(2 * TEXT_BYTES));
  expect(numbers(log)).toEqual([3, 2, 1]);
  expect(withText(log)).toEqual([3, 2]);
  for (const n of [4, 5]) log.add(token(n));
  expect(withText(log)).toEqual([5, 4]);
});

test('architecture: a text removed with its record makes room for another text', () => {
  const log = filled([1, 2, 3, 4], atMost(2), bytes(2 * TEXT_BYTES));
  expect(withText(log)).toEqual([4, 3]);
});

test('architecture: removing a record without a text removes no newer text', () => {
  const log = filled([1, 2, 3, opaque(4)], atMost(3), bytes(2 * TEXT_BYTES));
  expect(numbers(log)).toEqual([4, 3, 2]);
  expect(withText(log)).toEqual([4, 3, 2]);
});

test('architecture: an opaque token keeps its text, by which it is found, without counting its size', () => {
  const log = filled([1, opaque(2), opaque(3)], atMost(100), { entries: 1, bytes: TEXT_BYTES });
  expect(withText(log)).toEqual([3, 2]);
  expect(log.findOpaque('opaque 2')).toMatchObject({ n: 2 });
  const other = filled([1, opaque(2)], atMost(100), { entries: 2, bytes: TEXT_BYTES });
  expect(other.find(named(1))).toMatchObject({ value: TEXT });
});

test('architecture: an opaque token without a record is unknown', () => {
  const log = filled([opaque(1), opaque(2)], atMost(1));
  expect(log.findOpaque('opaque 1')).toBeUndefined();
  expect(log.findOpaque('opaque 2')).toMatchObject({ n: 2 });
});

test('a self-contained token is not found by its text', () => {
  expect(filled([1]).findOpaque(TEXT)).toBeUndefined();
});

test('a token of another epoch with the same name is not found', () => {
  expect(filled([1]).find({ ...named(1), epoch: 'another' })).toBeUndefined();
});

test('control, reset: clearing empties the log and frees all its space', () => {
  const records = { entries: 2, bytes: 200 };
  const log = filled([1, opaque(2)], records, { entries: 2, bytes: 2 * TEXT_BYTES });
  log.clear();
  expect(numbers(log)).toEqual([]);
  expect(log.find(named(1))).toBeUndefined();
  expect(log.findOpaque('opaque 2')).toBeUndefined();
  for (const n of [3, 4]) log.add(token(n));
  expect(numbers(log)).toEqual([4, 3]);
  expect(withText(log)).toEqual([4, 3]);
});
