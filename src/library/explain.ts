// Formats exchanges as one line each, and finds the exchange of a response.

import type { AdvisoryEntry, Exchange } from '../control/schemas.ts';

/** An exchange number, or a response of any HTTP client that has headers. */
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

/** @throws TypeError if the response has no exchange number */
export function exchangeNumber(answer: AnsweredRequest): number {
  const named =
    typeof answer === 'number'
      ? answer
      : headerOf((Object(answer) as { headers?: unknown }).headers);
  const number = Number(named ?? Number.NaN);
  if (Number.isInteger(number) && number > 0) return number;
  throw new TypeError(
    'explain: the response has no Grantbench-Exchange header. Check that it is a response of this server and that settings.exchange_header is true.',
  );
}

const present = (text: string | null | undefined): text is string => Boolean(text);

/** Returns the request, the response, the cause and the advice of an exchange as one line. */
export function explainExchange(exchange: Exchange): string {
  const { number, method, path, status, error, why, fault, advisory_notes } = exchange;
  const answer = status === 0 ? 'got no response' : `got ${status}`;
  const head = [`exchange ${number}: ${method} ${path} ${answer}`, error].filter(present).join(' ');
  const reasons = [
    fault === null ? null : `injected fault: ${fault.what}`,
    why?.summary,
    why?.detail === why?.summary ? null : why?.detail,
    why?.advice,
    ...advisory_notes.map(({ text }) => text),
  ].filter(present);
  const line = reasons.length === 0 ? head : `${head}: ${reasons.join(' ')}`;
  return line.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ');
}

/** Returns one line for each redundant token request. */
export function overFetchText(advisories: readonly AdvisoryEntry[]): string {
  const lines = advisories.map(
    ({ exchange, client_id, text }) => `  exchange ${exchange} (${client_id}): ${text}`,
  );
  const count =
    advisories.length === 1
      ? '1 redundant token request'
      : `${advisories.length} redundant token requests`;
  return [`${count}:`, ...lines].join('\n');
}
