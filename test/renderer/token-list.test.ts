// The list of credentials in the Tokens view: pages that keep their position.

import { describe, expect, test } from 'vitest';
import type { Credential } from '../../src/control/schemas.ts';
import { rowAfterKey } from '../../src/renderer/ui/grid/rows.ts';
import {
  emptyList,
  isFiltered,
  NO_FILTER,
  queryOf,
  rowsOf,
  stalePages,
  withFailure,
  withHead,
  withNewest,
  withOlder,
  withReread,
  type TokenList,
  type TokenPage,
} from '../../src/renderer/views/tokens/token-list.ts';

const credential = (id: string, state: Credential['state'] = 'active') =>
  ({ id, state }) as Credential;

const pageOf = (
  after: string | null,
  ids: readonly string[],
  next: string | null,
  revision = 1,
): TokenPage => ({ after, items: ids.map((id) => credential(id)), next, revision });

const idsOf = (list: TokenList) => rowsOf(list).map(({ id }) => id);

const HEAD = pageOf(null, ['6', '5'], '5');
const OLDER = pageOf('5', ['4', '3'], '3');
const OLDEST = pageOf('3', ['2', '1'], null);

const whole = (): TokenList => [OLDER, OLDEST].reduce(withOlder, withHead(emptyList(), HEAD));

describe('the list of tokens', () => {
  test('begins empty and loads page by page', () => {
    expect(emptyList()).toMatchObject({ pages: [], problem: null, newer: false });
    expect(idsOf(whole())).toEqual(['6', '5', '4', '3', '2', '1']);
  });

  test('ignores an older page that does not continue it', () => {
    expect(idsOf(withOlder(withHead(emptyList(), HEAD), OLDEST))).toEqual(['6', '5']);
    expect(idsOf(withOlder(whole(), OLDER))).toHaveLength(6);
    expect(idsOf(withOlder(emptyList(), HEAD))).toEqual([]);
  });

  test('keeps only its newest page at the top; older pages are loaded again when they are in view', () => {
    const head = pageOf(null, ['7', '6'], '6', 2);
    expect(idsOf(withHead(whole(), head))).toEqual(['7', '6']);
  });

  test('replaces a page that is loaded again, without moving the next page', () => {
    const again: TokenPage = { ...pageOf('5', ['4'], '4', 2), items: [credential('4', 'revoked')] };
    const list = withReread(whole(), again);
    expect(rowsOf(list).map(({ id, state }) => `${id} ${state}`)).toEqual([
      '6 active',
      '5 active',
      '4 revoked',
      '2 active',
      '1 active',
    ]);
    expect(list.pages[1]).toMatchObject({ next: '3', revision: 2 });
  });

  test('keeps its position while older tokens are in view, and says that newer ones exist', () => {
    const newest = {
      ...pageOf(null, ['7', '6'], '6', 2),
      items: [credential('7'), credential('6', 'expired')],
    };
    const list = withNewest(whole(), newest);
    expect(idsOf(list)).toEqual(['6', '5', '4', '3', '2', '1']);
    expect(list.newer).toBe(true);
    expect(rowsOf(list)[0]?.state).toBe('expired');
    expect(withNewest(whole(), { ...HEAD, revision: 2 }).newer).toBe(false);
  });

  test('keeps what is loaded after a failure, until a page is loaded again', () => {
    expect(withFailure(whole(), 'Lost.')).toEqual({ ...whole(), problem: 'Lost.' });
    expect(withHead(withFailure(whole(), 'Lost.'), HEAD).problem).toBeNull();
  });

  test('reloads only outdated pages that are in view', () => {
    const afters = (first: number, last: number, revision: number) =>
      stalePages(whole(), first, last, revision).map(({ after }) => after);
    expect(afters(0, 5, 1)).toEqual([]);
    expect(afters(0, 5, 2)).toEqual([null, '5', '3']);
    expect(afters(2, 3, 2)).toEqual(['5']);
    expect(afters(3, 4, 2)).toEqual(['5', '3']);
    expect(afters(0, 0, 2)).toEqual([null]);
  });
});

describe('the keys of the list', () => {
  test.each([
    ['ArrowDown', 4, 5],
    ['ArrowUp', 4, 3],
    ['PageDown', 4, 14],
    ['PageUp', 4, 0],
    ['Home', 4, 0],
    ['End', 4, 99],
    ['ArrowDown', 99, 99],
    ['ArrowUp', 0, 0],
    ['ArrowDown', -1, 30],
    ['End', -1, 99],
    ['Enter', 4, null],
    ['toString', 4, null],
  ])('%s from row %d leads to %s', (key, at, target) => {
    expect(rowAfterKey(key, at, 30, 100)).toBe(target);
  });

  test('lead nowhere in an empty list', () => {
    expect(rowAfterKey('ArrowDown', -1, 0, 0)).toBeNull();
  });
});

describe('the filter of tokens', () => {
  test('adds no parameter when it is empty', () => {
    expect(isFiltered(NO_FILTER)).toBe(false);
    expect(isFiltered({ ...NO_FILTER, text: '  ' })).toBe(false);
    expect(queryOf({ ...NO_FILTER, text: ' ' })).toEqual({});
  });

  test('adds its values as parameters, with the text trimmed', () => {
    const filter = { text: ' ada ', kind: 'code', state: 'issued', client_id: 'demo-app' } as const;
    expect(isFiltered(filter)).toBe(true);
    expect(queryOf(filter)).toEqual({ ...filter, text: 'ada' });
  });
});
