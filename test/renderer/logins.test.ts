// How Traffic groups exchanges by login, and the sentence about each login.

import { describe, expect, test } from 'vitest';
import type { ExchangeSummary } from '../../src/control/schemas.ts';
import { NO_EXCHANGES, withMore } from '../../src/renderer/connection/exchange-window.ts';
import {
  byLogin,
  clientsOf,
  linesOf,
  loginInWords,
  representativeOf,
  newestFailureOf,
} from '../../src/renderer/views/traffic/logins.ts';
import {
  createRows,
  isLogin,
  keyOf,
  type Login,
  numbersBetween,
} from '../../src/renderer/views/traffic/rows.ts';
import { exchangeSummary } from '../support/exchanges.ts';

type Members = Partial<ExchangeSummary>;

/** The exchanges of one login, numbered from 1. */
function login(...members: readonly Members[]): Login {
  const [first = exchangeSummary({}), ...others] = members.map((own, index) =>
    exchangeSummary({ ...ACCEPTED, number: index + 1, login: 1, ...own }),
  );
  return { number: 1, exchanges: [first, ...others] };
}

const ACCEPTED: Members = { status: 200, error: null, cause: null, grant_type: null };
const ASKED: Members = { path: '/authorize?x=y' };
const SILENT: Members = { path: '/authorize?prompt=none', sub: 'ada', status: 302 };
const CODE: Members = { path: '/authorize', sub: 'ada', status: 303 };
const TOKENS: Members = { path: '/oauth/token', sub: 'ada', grant_type: 'authorization_code' };
const REFRESH: Members = { ...TOKENS, grant_type: 'refresh_token' };
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

describe('a login in one sentence', () => {
  test.each<[string, readonly Members[]]>([
    ['ada signed in', [ASKED, CODE, TOKENS]],
    ['ada signed in, refreshed once', [ASKED, CODE, TOKENS, REFRESH]],
    [
      'ada signed in, refreshed twice, called userinfo once, throttled at #7',
      [
        ASKED,
        CODE,
        TOKENS,
        REFRESH,
        { path: '/userinfo' },
        REFRESH,
        { ...REFRESH, status: 429, error: 'invalid_request', throttled: true },
      ],
    ],
    [
      'ada signed in, called an API twice',
      [CODE, TOKENS, { path: '/api/a' }, { path: '/mcp', endpoint: 'api' }],
    ],
    [
      'ada signed in, called userinfo once',
      [
        { path: '/oauth2/v2.0/authorize', endpoint: 'authorize' },
        { path: '/oauth2/v2.0/authorize', endpoint: 'authorize', sub: 'ada', status: 303 },
        { ...TOKENS, path: '/oauth2/v2.0/token', endpoint: 'token' },
        { path: '/oidc/userinfo', endpoint: 'userinfo' },
      ],
    ],
    ['ada approved', [ASKED, CODE]],
    [
      'ada approved, rejected twice, last at #4',
      [ASKED, CODE, ...[1, 2].map(() => ({ ...TOKENS, status: 400, error: 'invalid_grant' }))],
    ],
    ['no sign-in yet', [ASKED]],
    ['no sign-in yet, rejected at #2', [ASKED, { ...CODE, sub: null, error: 'access_denied' }]],
    ['no tokens for the device yet', [{ path: '/oauth/device_authorization' }]],
    ['no tokens for the device yet', [{ status: 400, error: 'authorization_pending' }]],
    ['a device got tokens for ada', [{ ...TOKENS, grant_type: DEVICE }]],
    // A code or tokens that were issued directly: nobody signed in.
    ['for ada', [TOKENS]],
    ['for ada, refreshed 3 times', [TOKENS, REFRESH, REFRESH, REFRESH]],
    ['for ada, rejected at #1', [{ ...TOKENS, status: 401, error: 'invalid_client' }]],
    ['a token for the client itself', [{ ...TOKENS, sub: null, grant_type: 'client_credentials' }]],
    // Its beginning is no longer listed.
    ['called userinfo once', [{ path: '/userinfo' }]],
    ['uses earlier tokens', [{ path: '/oauth/token' }]],
    ['signed out', [{ path: '/logout' }]],
    [
      'ada signed in, renewed silently once, signed out',
      [ASKED, CODE, TOKENS, SILENT, TOKENS, { path: '/logout?id_token_hint=x' }],
    ],
    // A silent request is a beginning, too.
    ['ada signed in', [SILENT, TOKENS]],
  ])('%s', (sentence, members) => {
    expect(loginInWords(login(...members))).toBe(sentence);
  });
});

describe('the logins of the list', () => {
  const window = withMore(NO_EXCHANGES, [
    exchangeSummary({ ...ACCEPTED, ...ASKED, number: 1, login: 1, client_id: 'web' }),
    exchangeSummary({ ...ACCEPTED, number: 2, login: null, path: '/livez' }),
    exchangeSummary({ ...ACCEPTED, ...ASKED, number: 3, login: 3, client_id: 'web' }),
    exchangeSummary({ ...ACCEPTED, ...TOKENS, number: 4, login: 1, client_id: 'other' }),
  ]);
  const numbersOf = (fits: ((exchange: ExchangeSummary) => boolean) | null) =>
    byLogin(createRows(fits)(window), window, new Set()).map((row) =>
      isLogin(row) ? row.exchanges.map(({ number }) => number) : row.number,
    );

  test('begin with the one that has the newest exchange; an exchange of none stands alone', () => {
    expect(numbersOf(null)).toEqual([[1, 4], [3], 2]);
  });

  test('are whole, even if the filter lists only a part of them, but for what is cleared from view', () => {
    expect(numbersOf(({ number }) => number === 4)).toEqual([[1, 4]]);
    const fits = ({ number }: ExchangeSummary) => number > 2;
    const [first] = byLogin(createRows(fits)(window), window, new Set([1, 2]));
    expect(first).toMatchObject({ number: 1, exchanges: [{ number: 4 }] });
  });

  test('are told by the newest rejected exchange, else by the newest; a poll is none', () => {
    const pending = { status: 400, error: 'authorization_pending' };
    const rejected = { status: 400, error: 'invalid_grant' };
    const numberOf = (...members: readonly Members[]) => representativeOf(login(...members)).number;
    expect(numberOf(ASKED, rejected, TOKENS)).toBe(2);
    expect(newestFailureOf(login(ASKED, rejected, TOKENS))?.number).toBe(2);
    expect(newestFailureOf(login(ASKED, pending))).toBeUndefined();
    expect(numberOf(ASKED, TOKENS)).toBe(2);
    expect(numberOf(rejected, pending)).toBe(1);
  });

  test('name their clients', () => {
    const [first] = byLogin(createRows(null)(window), window, new Set());
    expect(first && isLogin(first) && clientsOf(first)).toBe('web and other');
  });

  describe('as rows', () => {
    const found = byLogin(createRows(null)(window), window, new Set());
    const second = window.chunks.flat().filter(({ number }) => number === 4);
    const linesWith = (unfolded: readonly number[], above: readonly ExchangeSummary[] = []) => {
      const lines = linesOf(found, new Set(unfolded), above);
      const rows = Array.from({ length: lines.size }, (_, index) => lines.at(index));
      return { lines, keys: rows.map((row) => row && keyOf(row)) };
    };

    test('are folded, or stand above their exchanges, oldest first; one exchange stands alone', () => {
      expect(linesWith([]).keys).toEqual(['login-1', 3, 2]);
      expect(linesWith([1]).keys).toEqual(['login-1', 1, 4, 3, 2]);
      expect(linesWith([1, 9]).lines.indexOf(4)).toBe(2);
      expect(linesWith([1]).lines.indexOf('login-1')).toBe(0);
      expect(linesWith([]).lines.indexOf(4)).toBe(-1);
    });

    test('do not repeat an exchange that is pinned above the list', () => {
      expect(linesWith([1], second).keys).toEqual(['login-1', 1, 3, 2]);
    });

    test('a range over a folded login has all of its exchanges', () => {
      expect(numbersBetween(linesWith([]).lines, 0, 1)).toEqual([1, 4, 3]);
      expect(numbersBetween(linesWith([]).lines, 2, 1)).toEqual([3, 2]);
    });
  });
});
