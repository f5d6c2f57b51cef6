// Lists exchanges, newest first, with a long poll so that tests need no loop.

import type { ExchangeSummary } from '../../control/schemas.ts';
import type { CapturedExchange, Capture } from '../../server/capture.ts';
import { controlError, invalidField } from './control-error.ts';
import { exportHandler, fits } from './export.ts';
import { MAX_WAITS } from '../exchanges/log.ts';
import { exchangeSummary } from '../exchanges/summary.ts';
import { exchangeView } from '../exchanges/exchange-view.ts';
import type { EngineParts } from '../parts.ts';
import { createTurns } from '../exchanges/turns.ts';
import { os } from './implementer.ts';

/** Length of a request line above which its summary gets a separate turn of the event loop. */
const LONG_TARGET = 1000;

/**
 * Returns the numbers between which exchanges are listed: a number selects newer ones; the cursor `before:120,after:7`
 * selects the next page.
 */
function rangeOf(after: string | number | undefined) {
  const all = { after: 0, before: Number.POSITIVE_INFINITY };
  if (after === undefined) return all;
  const [, before, above] = /^before:(\d{1,15}),after:(\d{1,15})$/.exec(String(after)) ?? [];
  if (before !== undefined) return { after: Number(above), before: Number(before) };
  if (/^\d{1,15}$/.test(String(after))) return { ...all, after: Number(after) };
  throw invalidField('after', 'must be an exchange number, or next of the previous response');
}

function whyMissing(number: number, { last, cleared, size, newestFirst }: Capture): string {
  if (last === 0) return 'there are no exchanges yet';
  if (number > last) return `exchange ${number} does not exist yet: the newest one is ${last}`;
  if (number <= cleared)
    return `exchange ${number} is no longer available: a reset deleted exchanges up to ${cleared}`;
  const oldest = newestFirst().at(-1)?.number ?? 0;
  return number < oldest
    ? `exchange ${number} is no longer kept: the oldest one is ${oldest}, because settings.capture allows ${size}`
    : `exchange ${number} has no response yet`;
}

export function exchangeHandlers(parts: EngineParts) {
  const { service, exchanges, redaction, closing } = parts;
  const { capture } = exchanges;
  const takeTurn = createTurns();
  return {
    list: os.exchanges.list.handler(async ({ input, signal }) => {
      const { limit, after, wait_seconds, ...filter } = input;
      const range = rangeOf(after);
      const wanted = (exchange: CapturedExchange) =>
        exchange.number > range.after && exchange.number < range.before && fits(exchange, filter);
      const found: CapturedExchange[] = [];
      for (const exchange of capture.newestFirst()) {
        if (wanted(exchange)) found.push(exchange);
        if (found.length > limit) break;
      }
      if (found.length === 0 && wait_seconds > 0) {
        if (!exchanges.hasRoom()) {
          throw controlError('too_many', `too many calls: ${MAX_WAITS} are already waiting`);
        }
        const next = await exchanges.next(wanted, wait_seconds * 1000, [signal, closing]);
        if (next !== null) found.push(next);
      }
      const last = found.length > limit ? found[limit - 1] : undefined;
      const items: ExchangeSummary[] = [];
      for (const exchange of found.slice(0, limit)) {
        items.push(exchangeSummary(exchange, redaction));
        // Paths may be long, so a thousand summaries in one turn would block other work.
        if (exchange.target.length > LONG_TARGET) await takeTurn();
      }
      return {
        items,
        next: last === undefined ? null : `before:${last.number},after:${range.after}`,
      };
    }),
    get: os.exchanges.get.handler(({ input: { number, secrets } }) => {
      const exchange = capture.get(number);
      if (exchange === undefined) throw controlError('not_found', whyMissing(number, capture));
      return exchangeView(exchange, service, redaction.unless(secrets));
    }),
    export: exportHandler(parts),
  };
}
