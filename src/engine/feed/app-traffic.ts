// What the app under test has sent since the start or the last reset: how much, and the requests that tell most. Known
// whatever is still captured, so that a viewer who comes later sees the same as one who looked on.

import type { FeedBatch } from '../../control/schemas.ts';
import type { CapturedExchange } from '../../server/capture.ts';
import { exchangeBytes } from '../../server/capture.ts';

type Summary = FeedBatch['exchanges'][number];

export interface AppTraffic {
  readonly exchange: (exchange: CapturedExchange) => void;
  /** null until the app has sent a request. */
  readonly now: () => FeedBatch['totals']['app_traffic'];
  readonly clear: () => void;
}

/** What watches over the process requests these; an app does not. */
const HEALTH = ['/livez', '/readyz'];

const isOfApp = ({ sent_by, target }: CapturedExchange): boolean =>
  sent_by === 'app' && !HEALTH.includes(target.split('?', 1)[0] ?? '');

/** By the rules of the protocol, and not only answered so by a fault rule, which says nothing about the app. */
const isRejected = ({ status, error, fault, evaluation }: CapturedExchange): boolean => {
  const failed = status < 200 || status >= 400 || error !== null;
  const cause = evaluation?.refusal ?? evaluation?.finding ?? null;
  return failed && (fault === null || cause !== null);
};

const isRedundant = ({ evaluation }: CapturedExchange): boolean =>
  (evaluation?.advisories.length ?? 0) > 0;

const PLACES = 4;

/** Of one that is kept whole; of a larger one, only what its summary says. */
const LARGEST = 32 * 1024;

export const APP_TRAFFIC_BOUNDS = { entries: PLACES, bytes: PLACES * LARGEST } as const;

/** One exchange, as a summary once somebody asks for it. */
function createPlace(summaryOf: (exchange: CapturedExchange) => Summary) {
  let number: number | null = null;
  let exchange: CapturedExchange | null = null;
  let summary: Summary | null = null;
  return {
    number: () => number,
    put: (one: CapturedExchange | null) => {
      const isLarge = one !== null && exchangeBytes(one) > LARGEST;
      number = one?.number ?? null;
      exchange = isLarge ? null : one;
      summary = isLarge ? summaryOf(one) : null;
    },
    summary: (): Summary | null => {
      summary ??= exchange === null ? null : summaryOf(exchange);
      return summary;
    },
  };
}

/** @param summaryOf without secrets */
export function createAppTraffic(summaryOf: (exchange: CapturedExchange) => Summary): AppTraffic {
  const [first, newest, rejected, redundant] = [
    createPlace(summaryOf),
    createPlace(summaryOf),
    createPlace(summaryOf),
    createPlace(summaryOf),
  ];
  let count = 0;

  /** Numbers are given on arrival, exchanges are known when they are done. */
  const putIfNewer = (place: typeof newest, exchange: CapturedExchange) => {
    if (exchange.number > (place.number() ?? 0)) place.put(exchange);
  };
  return {
    exchange: (exchange) => {
      if (!isOfApp(exchange)) return;
      count += 1;
      if (exchange.number < (first.number() ?? Number.POSITIVE_INFINITY)) first.put(exchange);
      putIfNewer(newest, exchange);
      if (isRejected(exchange)) putIfNewer(rejected, exchange);
      if (isRedundant(exchange)) putIfNewer(redundant, exchange);
    },
    now: () => {
      const [begun, latest] = [first.summary(), newest.summary()];
      if (begun === null || latest === null) return null;
      return {
        count,
        first: begun,
        newest: latest,
        rejected: rejected.summary(),
        redundant: redundant.summary(),
      };
    },
    clear: () => {
      count = 0;
      for (const place of [first, newest, rejected, redundant]) place.put(null);
    },
  };
}
