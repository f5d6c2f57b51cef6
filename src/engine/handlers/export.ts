// Exchanges as one document. It is made a slice at a time: words and redaction for thousands of them
// would keep the token endpoint waiting.

import { setImmediate } from 'node:timers/promises';
import type { ExchangeDocument, Har } from '../../control/export-schemas.ts';
import type { Exchange } from '../../control/schemas.ts';
import type { Capture, CapturedExchange } from '../../server/capture.ts';
import { exchangeView } from '../exchange-view.ts';
import { harEntry, harOf } from '../har.ts';
import type { EngineParts } from '../parts.ts';
import { timeText } from '../views.ts';
import { os } from './os.ts';

const SLICE = 50;

interface Choice {
  readonly numbers?: string | undefined;
  readonly client_id?: string | undefined;
  readonly error?: string | undefined;
  readonly status?: number | undefined;
}

const rangesOf = (numbers: string) =>
  numbers.split(',').map((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return { from, to };
  });

/** Oldest first. */
function chosen(capture: Capture, { numbers, client_id, error, status }: Choice) {
  const ranges = numbers === undefined ? null : rangesOf(numbers);
  const fits = ({ number, judgement, ...exchange }: CapturedExchange) =>
    (ranges === null || ranges.some(({ from, to }) => from <= number && number <= to)) &&
    (client_id === undefined || judgement?.client_id === client_id) &&
    (error === undefined || exchange.error === error) &&
    (status === undefined || exchange.status === status);
  return [...capture.newestFirst()].filter(fits).reverse();
}

async function inSlices<T>(
  exchanges: readonly CapturedExchange[],
  make: (exchange: CapturedExchange) => T,
  signal: AbortSignal | undefined,
): Promise<T[]> {
  const made: T[] = [];
  for (let start = 0; start < exchanges.length; start += SLICE) {
    if (start > 0) await setImmediate();
    signal?.throwIfAborted();
    made.push(...exchanges.slice(start, start + SLICE).map(make));
  }
  return made;
}

export function exportHandler({ service, exchanges, server }: EngineParts) {
  return os.exchanges.export.handler(
    async ({ input: { format, secrets, ...choice }, signal }): Promise<Har | ExchangeDocument> => {
      const { issuer, version } = server();
      const found = chosen(exchanges.capture, choice);
      const view = (exchange: CapturedExchange): Exchange =>
        exchangeView(exchange, service, secrets);
      if (format === 'har') {
        const entry = (exchange: CapturedExchange) => harEntry(view(exchange), issuer);
        return harOf(await inSlices(found, entry, signal), version);
      }
      const exported_at = timeText(service.ports.clock.now());
      return {
        grantbench: { version, exported_at, issuer, secrets },
        exchanges: await inSlices(found, view, signal),
      };
    },
  );
}
