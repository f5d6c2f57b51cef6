// The requests of the app under test since the start or the last reset: their number, and the most informative ones.
// They are independent of the capture, so that a later viewer sees the same as an earlier one.

import { HEALTH_PATHS, isScripted } from '../../control/names.ts';
import type { FeedBatch } from '../../control/schemas.ts';
import { type CapturedExchange, exchangeBytes } from '../../server/capture.ts';

type Summary = FeedBatch['exchanges'][number];

const isOfApp = ({ sent_by, target }: CapturedExchange): boolean =>
  sent_by === 'app' && !HEALTH_PATHS.includes(target.split('?', 1)[0] ?? '');

/** Whether the protocol rejected the request. A response by a fault rule, or an edited one, says nothing about the app. */
const isRejected = (exchange: CapturedExchange): boolean => {
  const { status, error, evaluation } = exchange;
  const failed = status < 200 || status >= 400 || error !== null;
  const cause = evaluation?.refusal ?? evaluation?.finding ?? null;
  return failed && (!isScripted(exchange) || cause !== null);
};

const isRedundant = ({ evaluation }: CapturedExchange): boolean =>
  (evaluation?.advisories.length ?? 0) > 0;

const PLACES = 4;

/** The size up to which the exchange is kept; of a larger one, only its summary. */
const LARGEST = 32 * 1024;

export const APP_TRAFFIC_BOUNDS = { entries: PLACES, bytes: PLACES * LARGEST } as const;

/** An exchange whose summary is made on first use. */
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

/** @param summaryOf returns a summary without secrets */
export function createAppTraffic(summaryOf: (exchange: CapturedExchange) => Summary) {
  const [first, newest, rejected, redundant] = [
    createPlace(summaryOf),
    createPlace(summaryOf),
    createPlace(summaryOf),
    createPlace(summaryOf),
  ];
  let count = 0;

  /** Numbers are assigned on arrival, but exchanges are reported when they are complete. */
  const putIfNewer = (place: typeof newest, exchange: CapturedExchange) => {
    if (exchange.number > (place.number() ?? 0)) place.put(exchange);
  };
  return {
    exchange: (exchange: CapturedExchange) => {
      if (!isOfApp(exchange)) return;
      count += 1;
      if (exchange.number < (first.number() ?? Number.POSITIVE_INFINITY)) first.put(exchange);
      putIfNewer(newest, exchange);
      if (isRejected(exchange)) putIfNewer(rejected, exchange);
      if (isRedundant(exchange)) putIfNewer(redundant, exchange);
    },
    /** null before the app's first request. */
    now: (): FeedBatch['totals']['app_traffic'] => {
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
