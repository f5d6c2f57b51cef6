// Exchanges in one line each, and which exchange an answer belongs to.

import type { AdvisoryEntry, Exchange } from '../control/schemas.ts';

/** An exchange's number, or an answer of any HTTP client that keeps its headers. */
export type AnsweredRequest =
  | number
  | { readonly headers: { get(name: string): unknown } }
  | { readonly headers: Readonly<Record<string, unknown>> };

const HEADER = 'grantbench-exchange';

function headerOf(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if ('get' in headers && typeof headers.get === 'function') {
    return (headers as { get(name: string): unknown }).get(HEADER);
  }
  return Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER)?.[1];
}

/** @throws TypeError when the answer does not say */
export function exchangeNumber(answer: AnsweredRequest): number {
  const named =
    typeof answer === 'number'
      ? answer
      : headerOf((Object(answer) as { headers?: unknown }).headers);
  const number = Number(named ?? Number.NaN);
  if (Number.isInteger(number) && number > 0) return number;
  throw new TypeError(
    'explain: the answer has no Grantbench-Exchange header: is it of this server, and is settings.exchange_header on?',
  );
}

const present = (text: string | null | undefined): text is string => Boolean(text);

/** What was asked, what was answered, why, and what to do about it. */
export function explainExchange(exchange: Exchange): string {
  const { number, method, path, status, error, why, fault, advisory_notes } = exchange;
  const answer = status === 0 ? 'got no answer' : `was answered ${status}`;
  const head = [`exchange ${number}: ${method} ${path} ${answer}`, error].filter(present).join(' ');
  const told = [
    fault === null ? null : `a fault on demand: ${fault.what}`,
    why?.summary,
    why?.detail === why?.summary ? null : why?.detail,
    why?.advice,
    ...advisory_notes.map(({ text }) => text),
  ].filter(present);
  const line = told.length === 0 ? head : `${head}: ${told.join(' ')}`;
  return line.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ');
}

/** One line for each. */
export function overFetchText(advisories: readonly AdvisoryEntry[]): string {
  const lines = advisories.map(
    ({ exchange, client_id, text }) => `  exchange ${exchange} (${client_id}): ${text}`,
  );
  const count = advisories.length === 1 ? 'A token was' : `${advisories.length} tokens were`;
  return [`${count} fetched while a good one was at hand:`, ...lines].join('\n');
}
