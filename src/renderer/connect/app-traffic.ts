// What the app under test has sent: the first of its requests that is known, the newest, and how many. Pure.

import type { ExchangeSummary } from '../../control/schemas.ts';
import { isRefused } from '../exchange/answer.ts';
import type { Chunk, ExchangeWindow } from '../connection/exchange-window.ts';

export interface AppTraffic {
  readonly first: ExchangeSummary;
  readonly newest: ExchangeSummary;
  /** The newest that was rejected; null for none. */
  readonly rejected: ExchangeSummary | null;
  /** The newest that was redundant, as its advisory says; null for none. */
  readonly redundant: ExchangeSummary | null;
  readonly count: number;
}

/** What watches over the process asks these; an app does not. */
const HEALTH = ['/livez', '/readyz'];

const isOfApp = ({ sent_by, path }: ExchangeSummary): boolean =>
  sent_by === 'app' && !HEALTH.includes(path);

type Fits = (exchange: ExchangeSummary) => boolean;
const isRejected: Fits = (exchange) => isOfApp(exchange) && isRefused(exchange);
const isRedundant: Fits = (exchange) => isOfApp(exchange) && exchange.advisories > 0;

/** Of chunks that never change: a batch costs what is new. */
const counted = new WeakMap<Chunk, number>();

function countOf(chunk: Chunk): number {
  const known = counted.get(chunk);
  if (known !== undefined) return known;
  const count = chunk.filter(isOfApp).length;
  counted.set(chunk, count);
  return count;
}

/** The newest requests of the app, oldest first. @param most how many there are room for */
export function newestOfApp({ chunks }: ExchangeWindow, most: number): number[] {
  const numbers: number[] = [];
  for (const chunk of chunks.toReversed()) {
    if (numbers.length >= most) break;
    const own = countOf(chunk) === 0 ? [] : chunk.filter(isOfApp);
    numbers.unshift(...own.map(({ number }) => number));
  }
  return numbers.slice(-most);
}

/** null until the app has sent a request. */
export function appTrafficOf({ chunks }: ExchangeWindow): AppTraffic | null {
  const own = chunks.filter((chunk) => countOf(chunk) > 0);
  const first = own[0]?.find(isOfApp);
  const newest = own.at(-1)?.findLast(isOfApp);
  if (first === undefined || newest === undefined) return null;
  const newestOf = (fits: Fits) =>
    own.findLast((chunk) => chunk.some(fits))?.findLast(fits) ?? null;
  const rejected = newestOf(isRejected);
  const redundant = newestOf(isRedundant);
  return {
    first,
    newest,
    rejected,
    redundant,
    count: own.reduce((sum, chunk) => sum + countOf(chunk), 0),
  };
}
