// Which access tokens keep a record, which records keep the token's text, and how both stay within their bounds.

import { expect, test } from 'vitest';
import type { AccessTokenRecord } from '../../src/core/model/credentials.ts';
import { lineageId } from '../../src/core/model/credentials.ts';
import { createAccessTokenLog } from '../../src/core/stores/access-token-log.ts';
import { createTestService } from '../support/core.ts';

const MANY = { entries: 100, bytes: Infinity };
/** The size in bytes that a text of this length counts as. */
const TEXT = 'x'.repeat(76);
const TEXT_BYTES = 100;

const { lineage } = await createTestService().signIn();

const token = (n: number, members: Partial<AccessTokenRecord> = {}): AccessTokenRecord => ({
  kind: 'access_token',
  value: TEXT,
  format: 'rfc9068',
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

const filled = (tokens: readonly AccessTokenRecord[], records = MANY, texts = MANY) => {
  const log = createAccessTokenLog(records, texts);
  for (const one of tokens) log.add(one);
  return log;
};

type Log = ReturnType<typeof filled>;

const numbers = (log: Log) => [...log.newestFirst()].map(({ n }) => n);
const withText = (log: Log) =>
  [...log.newestFirst()].filter(({ value }) => value !== null).map(({ n }) => n);
const named = (n: number) => ({ epoch: lineage.epoch, lineage: lineageId(lineage), n });

test('architecture: the newest tokens keep their record, up to a number', () => {
  const log = filled(
    [1, 2, 3].map((n) => token(n)),
    { entries: 2, bytes: Infinity },
  );
  expect(numbers(log)).toEqual([3, 2]);
  expect(log.find(named(1))).toBeUndefined();
  expect(log.find(named(2))).toMatchObject({ n: 2 });
});

test('architecture: the newest tokens keep their record, up to a size', () => {
  const log = filled(
    [1, 2, 3].map((n) => token(n)),
    { entries: 100, bytes: 200 },
  );
  expect(numbers(log)).toEqual([3, 2]);
  log.add(token(4));
  expect(numbers(log)).toEqual([4, 3]);
});

test('architecture: a large record replaces several small records', () => {
  const log = filled(
    [1, 2, 3].map((n) => token(n)),
    { entries: 100, bytes: 300 },
  );
  log.add(token(4, { bytes: 200 }));
  expect(numbers(log)).toEqual([4, 3]);
});

test('architecture: the newest records keep their text, up to a size', () => {
  const texts = { entries: 100, bytes: 2 * TEXT_BYTES };
  const log = filled(
    [1, 2, 3].map((n) => token(n)),
    MANY,
    texts,
  );
  expect(numbers(log)).toEqual([3, 2, 1]);
  expect(withText(log)).toEqual([3, 2]);
  for (const n of [4, 5]) log.add(token(n));
  expect(withText(log)).toEqual([5, 4]);
});

test('architecture: a text removed with its record makes room for another text', () => {
  const texts = { entries: 100, bytes: 2 * TEXT_BYTES };
  const log = filled(
    [1, 2, 3, 4].map((n) => token(n)),
    { entries: 2, bytes: Infinity },
    texts,
  );
  expect(withText(log)).toEqual([4, 3]);
});

test('architecture: removing a record without a text removes no newer text', () => {
  const texts = { entries: 2, bytes: Infinity };
  const log = filled(
    [1, 2, 3, 4].map((n) => token(n)),
    { entries: 3, bytes: Infinity },
    texts,
  );
  expect(numbers(log)).toEqual([4, 3, 2]);
  expect(withText(log)).toEqual([4, 3]);
});

test('architecture: an opaque token keeps its text, by which it is found, without counting its size', () => {
  const texts = { entries: 1, bytes: TEXT_BYTES };
  const log = filled([token(1), opaque(2), opaque(3)], MANY, texts);
  expect(withText(log)).toEqual([3, 2]);
  expect(log.findOpaque('opaque 2')).toMatchObject({ n: 2 });
  expect(
    filled([token(1), opaque(2)], MANY, { ...texts, entries: 2 }).find(named(1)),
  ).toMatchObject({ value: TEXT });
});

test('architecture: an opaque token without a record is unknown', () => {
  const log = filled([opaque(1), opaque(2)], { entries: 1, bytes: Infinity });
  expect(log.findOpaque('opaque 1')).toBeUndefined();
  expect(log.findOpaque('opaque 2')).toMatchObject({ n: 2 });
});

test('a self-contained token is not found by its text', () => {
  expect(filled([token(1)]).findOpaque(TEXT)).toBeUndefined();
});

test('a token of another epoch with the same name is not found', () => {
  const log = filled([token(1)]);
  expect(log.find({ ...named(1), epoch: 'another' })).toBeUndefined();
});

test('control, reset: clearing empties the log and frees all its space', () => {
  const texts = { entries: 2, bytes: 2 * TEXT_BYTES };
  const log = filled([token(1), opaque(2)], { entries: 2, bytes: 200 }, texts);
  log.clear();
  expect([numbers(log), log.find(named(1)), log.findOpaque('opaque 2')]).toEqual([
    [],
    undefined,
    undefined,
  ]);
  for (const n of [3, 4]) log.add(token(n));
  expect([numbers(log), withText(log)]).toEqual([
    [4, 3],
    [4, 3],
  ]);
});
