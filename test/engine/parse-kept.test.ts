// What is accepted as a state file, and the problems reported for everything else.

import { describe, expect, it } from 'vitest';
import { parseJournal, parseKept } from '../../src/engine/kept/parse-kept.ts';
import type { Checked } from '../../src/engine/workspace/document.ts';
import { createTestService, START } from '../support/core.ts';

const EMPTY = { version: 1, keys: [], epochs: [], denials: [] };
const parse = (members: object) => parseKept(JSON.stringify({ ...EMPTY, ...members }), START);
const denial = (key: unknown) => ({ key, reason: 'revoked', at: 0, until: 0 });
const problemsOf = (result: Checked<unknown>) => ('problems' in result ? result.problems : []);

const keyOf = async () => {
  const { private_jwk } = await createTestService().service.keyring.signing('ES256');
  return private_jwk;
};

describe('a denial', () => {
  it.each([
    'Ab-_9.1z',
    'e.1',
    `${'e'.repeat(64)}.${'z'.repeat(12)}.${'9'.repeat(12)}`,
    'e.1s.2',
    'e.client-A_-9',
    `e.client-${'x'.repeat(64)}`,
  ])('names a token, a lineage or a client: %s', async (key) => {
    const denials = [denial(key)];
    expect(await parse({ denials })).toEqual({ value: { ...EMPTY, denials } });
    expect(parseJournal(denials)).toEqual({ value: denials });
  });

  it.each([
    ' e.1',
    'e.1 ',
    '.1',
    `${'e'.repeat(65)}.1`,
    'e.Z',
    `e.${'z'.repeat(13)}`,
    'e.1.x',
    `e.1.${'9'.repeat(13)}`,
    'e.client-',
    'e.client-ä',
    `e.client-${'x'.repeat(65)}`,
    7,
  ])('names nothing else: %s', async (key) => {
    expect(problemsOf(await parse({ denials: [denial(key)] }))).toHaveLength(1);
    expect(problemsOf(parseJournal([denial(key)]))).toHaveLength(1);
  });

  it('has a reason, a time and optionally a number, and whether it ended with its client', async () => {
    const good = { ...denial('e.1'), reason: 'expired', up_to: 0, with_client: true };
    expect(await parse({ denials: [good] })).toEqual({ value: { ...EMPTY, denials: [good] } });
    for (const bad of [
      { reason: 'lost' },
      { at: -1 },
      { until: 0.5 },
      { up_to: -1 },
      { up_to: 0.5 },
      { with_client: false },
      { extra: true },
    ]) {
      expect(problemsOf(parseJournal([{ ...good, ...bad }]))).toHaveLength(1);
    }
  });
});

describe('an epoch', () => {
  it.each(['e', 'Ab-_9', 'e'.repeat(64)])('has a name: %s', async (epoch) => {
    const epochs = [{ epoch, until: 0 }];
    expect(await parse({ epochs })).toEqual({ value: { ...EMPTY, epochs } });
  });

  it.each(['', ' e', 'e ', 'ä', 'e'.repeat(65)])('has no such name: "%s"', async (epoch) => {
    expect(problemsOf(await parse({ epochs: [{ epoch, until: 0 }] }))).toHaveLength(1);
  });
});

describe('keys', () => {
  it('have the time of their creation; those of the older format have the time of reading', async () => {
    const jwk = await keyOf();
    const keys = [{ created_at: 7, jwk }];
    expect(await parse({ keys })).toEqual({ value: { ...EMPTY, keys } });
    const value = { ...EMPTY, keys: [{ created_at: START, jwk }] };
    expect(await parseKept(JSON.stringify({ keys: [jwk] }), START)).toEqual({ value });
  });
});
