// What happened in the sandbox while the command ran: gathered exchange by exchange, since a test may
// reset the sandbox between two of its own.

import type { ControlClient } from '../../../control/client.ts';
import { isScripted } from '../../../control/names.ts';
import type { Exchange, ExchangeSummary } from '../../../control/schemas.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { FailOn } from '../flag-values.ts';

/** As many exchanges as the sandbox keeps itself. */
const MOST = 10_000;

export interface Finding {
  readonly exchange: number;
  readonly client_id: string | null;
  readonly text: string;
}

export interface RunSummary {
  /** All of them; those listed are the newest 10,000. */
  readonly total: number;
  readonly exchanges: readonly ExchangeSummary[];
  readonly faults: number;
  readonly found: Readonly<Record<FailOn, readonly Finding[]>>;
}

const findings = (exchange: Exchange, texts: readonly (string | null | undefined)[]): Finding[] =>
  texts.map((text) => ({
    exchange: exchange.number,
    client_id: exchange.client_id,
    text: text ?? exchange.error ?? `status ${exchange.status}`,
  }));

/** A scripted fault is no refusal of the app's doing. */
const isRejected = (exchange: ExchangeSummary) => {
  const { cause, error, throttled } = exchange;
  return !throttled && !isScripted(exchange) && cause !== null && error !== null;
};

const isNoteworthy = (exchange: ExchangeSummary) =>
  isRejected(exchange) || exchange.deviations > 0 || exchange.advisories > 0 || exchange.throttled;

function foundIn(exchange: Exchange): Record<FailOn, Finding[]> {
  const { advisory_notes, deviation_notes, throttled, cause } = exchange;
  const overFetch = advisory_notes.filter(({ kind }) => kind === 'over_fetch');
  return {
    redundant: findings(
      exchange,
      overFetch.map(({ text }) => text),
    ),
    throttled: throttled ? findings(exchange, [cause]) : [],
    refused: isRejected(exchange) ? findings(exchange, [cause]) : [],
    deviation: findings(
      exchange,
      deviation_notes.map(({ text }) => text),
    ),
  };
}

async function read(control: Promise<ControlClient>, number: number): Promise<Exchange | null> {
  // Gone when the command reset the sandbox in the same moment.
  return (await control).exchanges.get({ number }).catch(() => null);
}

/** Begins to gather. The answer ends it, and waits for what is still coming. */
export function gather(engine: Engine): () => Promise<RunSummary> {
  let total = 0;
  let faults = 0;
  const exchanges: ExchangeSummary[] = [];
  const details: Promise<Exchange | null>[] = [];
  const forget = engine.onExchange((exchange) => {
    total += 1;
    if (exchange.fault !== null) faults += 1;
    exchanges.push(exchange);
    if (exchanges.length > MOST) exchanges.shift();
    if (isNoteworthy(exchange) && details.length < MOST) {
      details.push(read(engine.getControl(), exchange.number));
    }
  });
  return async () => {
    // Exchanges are reported a turn after their responses.
    await new Promise((resolve) => setImmediate(resolve));
    forget();
    const read = (await Promise.all(details)).filter((exchange) => exchange !== null).map(foundIn);
    const of = (kind: FailOn) => read.flatMap((found) => found[kind]);
    const found = {
      redundant: of('redundant'),
      throttled: of('throttled'),
      refused: of('refused'),
      deviation: of('deviation'),
    };
    return { total, exchanges, faults, found };
  };
}
