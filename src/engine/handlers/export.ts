// Exports exchanges as one document. Describing and redacting thousands of them would block the token endpoint, so
// they are made one by one while the document is sent; a slow reader causes no backlog.

import type { Exchange, exchangeFilterSchema } from '../../control/schemas.ts';
import { lineageIdOf } from '../exchanges/summary.ts';
import { type Capture, type CapturedExchange, requesterOf } from '../../server/capture.ts';
import type { ExchangeDocument, exchangeExportSchema, Har } from '../../control/export-schemas.ts';
import type { z } from '../../core/records/zod.ts';
import { exchangeView } from '../exchanges/exchange-view.ts';
import { harEntry, harOf } from '../exchanges/har.ts';
import type { EngineParts } from '../parts.ts';
import { PiecewiseDocument } from '../exchanges/piecewise-document.ts';
import { createTurns } from '../exchanges/turns.ts';
import { timeText } from '../format.ts';
import { os } from './implementer.ts';

type ExchangeFilter = Partial<
  Omit<z.output<typeof exchangeFilterSchema>, 'limit' | 'after' | 'wait_seconds'>
>;

export function fits(
  exchange: CapturedExchange,
  { client_id, error, status, sent_by, lineage_id }: ExchangeFilter,
): boolean {
  return (
    (client_id === undefined || requesterOf(exchange).client_id === client_id) &&
    (error === undefined || exchange.error === error) &&
    (status === undefined || exchange.status === status) &&
    (sent_by === undefined || exchange.sent_by === sent_by) &&
    (lineage_id === undefined || lineageIdOf(exchange.evaluation) === lineage_id)
  );
}

type Choice = Omit<z.output<typeof exchangeExportSchema>, 'format' | 'secrets'>;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Sorted by their first numbers. */
function rangesOf(numbers: string): Range[] {
  const ranges = numbers.split(',').map((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return { from, to };
  });
  return ranges.sort((a, b) => a.from - b.from);
}

/** Returns a test whether numbers, in ascending order, are in one of the ranges. */
function createRangeCheck(ranges: readonly Range[]): (number: number) => boolean {
  let begun = 0;
  let reach = -1;
  return (number) => {
    for (; (ranges[begun]?.from ?? Infinity) <= number; begun += 1) {
      reach = Math.max(reach, ranges[begun]?.to ?? -1);
    }
    return number <= reach;
  };
}

/** Returns the numbers of the selected exchanges, oldest first. */
function chosen(capture: Capture, { numbers, ...filter }: Choice): number[] {
  const inRanges = numbers === undefined ? () => true : createRangeCheck(rangesOf(numbers));
  return capture
    .newestFirst()
    .reverse()
    .filter((exchange) => inRanges(exchange.number) && fits(exchange, filter))
    .map(({ number }) => number);
}

/** Skips exchanges that were dropped meanwhile. */
function* each<T>(
  capture: Capture,
  numbers: readonly number[],
  make: (exchange: CapturedExchange) => T,
): Generator<T> {
  for (const number of numbers) {
    const exchange = capture.get(number);
    if (exchange !== undefined) yield make(exchange);
  }
}

export function exportHandler({ service, exchanges, redaction, server, onFault }: EngineParts) {
  const { capture } = exchanges;
  const shared = { takeTurn: createTurns(), onFault };
  return os.exchanges.export.handler(
    ({ input: { format, secrets, ...choice } }): Har | ExchangeDocument => {
      const { issuer, version } = server();
      const found = chosen(capture, choice);
      const view = (exchange: CapturedExchange): Exchange =>
        exchangeView(exchange, service, redaction.unless(secrets));
      if (format === 'har') {
        const entry = (exchange: CapturedExchange) => harEntry(view(exchange), issuer);
        return new PiecewiseDocument({
          around: (entries: ReturnType<typeof entry>[]) => harOf(entries, version),
          items: () => each(capture, found, entry),
          ...shared,
        }).asDocument();
      }
      const exported_at = timeText(service.ports.clock.now());
      return new PiecewiseDocument({
        around: (views: Exchange[]): ExchangeDocument => ({
          grantbench: { version, exported_at, issuer, secrets },
          exchanges: views,
        }),
        items: () => each(capture, found, view),
        ...shared,
      }).asDocument();
    },
  );
}
