// The exchanges of the list by login, and how each login went, in one sentence. Pure.

import type { ExchangeSummary } from '../../../control/schemas.ts';
import { DEVICE_CODE_GRANT } from '../../../oauth/token-request.ts';
import { enumerated } from '../../../words.ts';
import type { ExchangeWindow } from '../../connection/exchange-window.ts';
import { isFailure, isPending, isRejected } from '../../exchange/answer.ts';
import {
  isLogin,
  keyOf,
  type Lines,
  type Login,
  type Row,
  type RowKey,
  type Rows,
} from './rows.ts';

function membersOf({ chunks }: ExchangeWindow, cleared: ReadonlySet<number>) {
  const members = new Map<number, [ExchangeSummary, ...ExchangeSummary[]]>();
  for (const exchange of chunks.flat()) {
    if (exchange.login === null || cleared.has(exchange.number)) continue;
    const known = members.get(exchange.login);
    if (known === undefined) members.set(exchange.login, [exchange]);
    else known.push(exchange);
  }
  return members;
}

/**
 * Returns the logins of the listed exchanges, the one with the newest listed exchange first, and between them the exchanges
 * that belong to none. A login is whole, whatever the filter lists of it, but for what is cleared from view.
 */
export function byLogin(
  rows: Rows,
  window: ExchangeWindow,
  cleared: ReadonlySet<number>,
): readonly Row[] {
  const members = membersOf(window, cleared);
  const found: Row[] = [];
  const known = new Set<number>();
  for (const exchange of rows.all()) {
    const { login } = exchange;
    if (login === null) found.push(exchange);
    else if (!known.has(login)) {
      known.add(login);
      found.push({ number: login, exchanges: members.get(login) ?? [exchange] });
    }
  }
  return found;
}

/**
 * Returns the rows of the list by login: each login, and below it, if it is unfolded, its exchanges. A login of one
 * exchange is that exchange.
 * @param above the exchanges that stand above the list
 */
export function linesOf(
  rows: readonly Row[],
  unfolded: ReadonlySet<number>,
  above: readonly ExchangeSummary[],
): Lines {
  const onTop = new Set(above.map(({ number }) => number));
  const lines = rows.flatMap((row): Row[] => {
    if (!isLogin(row)) return [row];
    if (row.exchanges.length === 1) return [row.exchanges[0]];
    if (!unfolded.has(row.number)) return [row];
    return [row, ...row.exchanges.filter(({ number }) => !onTop.has(number))];
  });
  // Seldom needed, and thousands of entries with each batch.
  let places: ReadonlyMap<RowKey, number> | null = null;
  return {
    size: lines.length,
    at: (index) => lines[index],
    indexOf: (key) => {
      places ??= new Map(lines.map((row, index) => [keyOf(row), index]));
      return places.get(key) ?? -1;
    },
  };
}

const MANY = ['', ' once', ' twice'];
const times = (count: number): string => MANY[count] ?? ` ${count.toLocaleString('en')} times`;

export const newestFailureOf = ({ exchanges }: Login): ExchangeSummary | undefined =>
  exchanges.findLast(isFailure);

/** The exchange that represents the login: the newest rejected one, else the newest. */
export const representativeOf = (login: Login): ExchangeSummary =>
  newestFailureOf(login) ?? login.exchanges.at(-1) ?? login.exchanges[0];

/** What the login began with, as far as the list has it; null if that says nothing. */
function beginningOf(exchanges: readonly ExchangeSummary[]): string | null {
  const sub = exchanges.find((one) => one.sub !== null)?.sub ?? null;
  const hasTokens = (grant: string) =>
    exchanges.some((one) => one.grant_type === grant && !isRejected(one));
  const isAsked = exchanges.some(({ endpoint }) => endpoint === 'authorize' || endpoint === 'par');
  if (sub !== null) {
    if (hasTokens(DEVICE_CODE_GRANT)) return `a device got tokens for ${sub}`;
    // Without an authorization request, the code or the tokens were issued directly.
    if (!isAsked) return `for ${sub}`;
    return hasTokens('authorization_code') ? `${sub} signed in` : `${sub} approved`;
  }
  if (hasTokens('client_credentials')) return 'a token for the client itself';
  if (isAsked) return 'no sign-in yet';
  const isDevice = exchanges.some(
    (one) => isPending(one) || one.endpoint === 'device_authorization',
  );
  return isDevice ? 'no tokens for the device yet' : null;
}

/** A silent request in the browser's session, other than the one with which the login began. */
const isRenewal = ({ endpoint, login, number, path }: ExchangeSummary): boolean =>
  endpoint === 'authorize' && login !== number && /[?&]prompt=none(?:&|$)/.test(path);

/** What the tokens were used for, each with its count. */
const USES: readonly (readonly [what: string, is: (exchange: ExchangeSummary) => boolean])[] = [
  ['renewed silently', isRenewal],
  ['refreshed', ({ grant_type }) => grant_type === 'refresh_token'],
  ['called userinfo', ({ endpoint }) => endpoint === 'userinfo'],
  ['called an API', ({ endpoint }) => endpoint === 'api'],
  ['introspected', ({ endpoint }) => endpoint === 'introspect'],
  ['revoked', ({ endpoint }) => endpoint === 'revoke'],
];

const failuresInWords = (what: string, found: readonly ExchangeSummary[] = []): string[] => {
  const newest = found.at(-1);
  if (newest === undefined) return [];
  const at = `at #${newest.number}`;
  return [found.length === 1 ? `${what} ${at}` : `${what}${times(found.length)}, last ${at}`];
};

/** How a login went: `ada signed in, refreshed twice, throttled at #43`. */
export function loginInWords({ exchanges }: Login): string {
  const failures = exchanges.filter(isFailure);
  const accepted = exchanges.filter((one) => !isRejected(one));
  const uses = USES.flatMap(([what, is]) => {
    const count = accepted.filter(is).length;
    return count === 0 ? [] : [`${what}${times(count)}`];
  });
  const throttled = failures.filter((one) => one.throttled);
  const rejected = failures.filter((one) => !one.throttled);
  const words = [
    beginningOf(exchanges) ?? [],
    uses,
    accepted.some(({ endpoint }) => endpoint === 'logout') ? 'signed out' : [],
    failuresInWords('throttled', throttled),
    failuresInWords('rejected', rejected),
  ].flat();
  return words.length === 0 ? 'uses earlier tokens' : words.join(', ');
}

export const clientsOf = ({ exchanges }: Login): string =>
  enumerated([...new Set(exchanges.flatMap(({ client_id }) => client_id ?? []))]);

/**
 * Returns the login to compare with: the newest other one of the same client without a rejected request, if possible.
 * @param logins newest first
 */
export function counterpartOf(login: Login, logins: readonly Login[]): Login | undefined {
  const others = logins.filter(({ number }) => number !== login.number);
  const alike = others.filter((other) => clientsOf(other) === clientsOf(login));
  const successful = alike.find(({ exchanges }) => !exchanges.some(isFailure));
  return successful ?? alike[0] ?? others[0];
}
