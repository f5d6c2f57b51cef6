// What happened in the sandbox while the command ran: gathered exchange by exchange, since a test may
// reset the sandbox between two of its own.

import { isScripted } from '../../../control/names.ts';
import type { Exchange, ExchangeSummary } from '../../../control/schemas.ts';
import type { Engine } from '../../../engine/engine.ts';
import { FAIL_ON, type FailOn } from '../flag-values.ts';

/** As many exchanges, and findings of each kind, as the sandbox keeps exchanges itself. */
const MOST = 10_000;

export interface Finding {
  readonly exchange: number;
  readonly client_id: string | null;
  readonly text: string;
}

/** What was found of one kind. */
export interface Found {
  readonly count: number;
  /** By their text. */
  readonly counts: ReadonlyMap<string, number>;
  /** The first 10,000. */
  readonly findings: readonly Finding[];
}

export interface RunSummary {
  /** All of them; those listed are the newest 10,000. */
  readonly total: number;
  readonly exchanges: readonly ExchangeSummary[];
  readonly faults: number;
  readonly found: Readonly<Record<FailOn, Found>>;
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

/**
 * Begins to gather. The answer ends it, and waits for what is still coming.
 * @param most exchanges, and findings of each kind, to list; all are counted
 */
export async function gather(engine: Engine, most = MOST): Promise<() => Promise<RunSummary>> {
  // Loaded in advance, so that details are read before a command can reset the sandbox.
  const control = await engine.getControl();
  let total = 0;
  let faults = 0;
  const exchanges: ExchangeSummary[] = [];
  const none = () => ({ count: 0, counts: new Map<string, number>(), findings: [] as Finding[] });
  const found = { redundant: none(), throttled: none(), refused: none(), deviation: none() };
  /** Resolves when what was found in all noteworthy exchanges so far is counted. */
  let counted = Promise.resolve();
  const count = (exchange: Exchange) => {
    const now = foundIn(exchange);
    for (const kind of FAIL_ON) {
      const { counts, findings } = found[kind];
      found[kind].count += now[kind].length;
      for (const { text } of now[kind]) {
        if (counts.has(text) || counts.size < most) counts.set(text, (counts.get(text) ?? 0) + 1);
      }
      findings.push(...now[kind].slice(0, most - findings.length));
    }
  };
  const forget = engine.onExchange((exchange) => {
    const { number } = exchange;
    total += 1;
    if (exchange.fault !== null) faults += 1;
    exchanges.push(exchange);
    if (exchanges.length > most) exchanges.shift();
    if (!isNoteworthy(exchange)) return;
    // null if it is no longer kept.
    const details = control.exchanges.get({ number }).catch(() => null);
    counted = counted.then(async () => {
      const noteworthy = await details;
      if (noteworthy !== null) count(noteworthy);
    });
  });
  return async () => {
    // Exchanges are reported a turn after their responses.
    await new Promise((resolve) => setImmediate(resolve));
    forget();
    await counted;
    return { total, exchanges, faults, found };
  };
}
