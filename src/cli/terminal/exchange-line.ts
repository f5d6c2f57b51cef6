// Formats an exchange as one line: request, response and cause; and its parts for other output.

import { styleText } from 'node:util';
import type { ExchangeSummary } from '../../control/schemas.ts';

const LONGEST = 120;

/** Escapes and shortens received text, which could otherwise move the terminal's cursor or flood it. */
function printable(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST)}…` : plain;
}

/** Removes the query string, because clients may send credentials in it by mistake. */
export const withoutQuery = (path: string): string => path.replace(/\?.*$/s, '?…');

/** @param status 0 without a response */
export const styleOf = (status: number) =>
  status === 0 || status >= 500 ? 'red' : status < 400 ? 'green' : 'yellow';

/** Returns `400 invalid_grant`, or only the status; `no response` for 0. */
export const answerInWords = (answer: {
  readonly status: number;
  readonly error: string | null;
}) => {
  const status = answer.status === 0 ? 'no response' : String(answer.status);
  return answer.error === null ? status : `${status} ${answer.error}`;
};

/** Returns the time on the sandbox clock, in UTC. */
export function exchangeLine(exchange: ExchangeSummary, colours: boolean): string {
  const { fault, held, status } = exchange;
  const words = [
    `${exchange.at.slice(11, 23)}Z`,
    `#${exchange.number}`,
    printable(exchange.method),
    withoutQuery(printable(exchange.path)),
    colours ? styleText(styleOf(status), String(status)) : String(status),
    printable(exchange.grant_type ?? '-'),
    printable(exchange.client_id ?? '-'),
  ];
  if (exchange.error !== null) words.push(printable(exchange.error));
  const line = words.join(' ');
  const reasons = [
    exchange.cause,
    fault === null ? null : `fault: ${fault.what}`,
    held?.what ?? null,
  ].filter((text) => text !== null);
  return reasons.length === 0
    ? line
    : `${line}: ${reasons.join('; ').replace(/[\x00-\x1f\x7f-\x9f]/g, '?')}`;
}
