// Formats an exchange as one line: request, response and cause.

import { styleText } from 'node:util';
import type { ExchangeSummary } from '../../control/schemas.ts';

const LONGEST = 120;

/** Escapes and shortens received text, which could otherwise move the terminal's cursor or flood it. */
function tame(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST)}…` : plain;
}

/** Removes the query string, because clients may send credentials in it by mistake. */
function withoutQuery(path: string): string {
  const at = path.indexOf('?');
  return at === -1 ? path : `${path.slice(0, at)}?…`;
}

function paint(status: number): string {
  const colour = status === 0 || status >= 500 ? 'red' : status < 400 ? 'green' : 'yellow';
  return styleText(colour, String(status));
}

/** Returns the time on the sandbox clock, in UTC. */
export function exchangeLine(exchange: ExchangeSummary, colours: boolean): string {
  const { fault, held } = exchange;
  const status = colours ? paint(exchange.status) : String(exchange.status);
  const words = [
    `${exchange.at.slice(11, 23)}Z`,
    `#${exchange.number}`,
    tame(exchange.method),
    withoutQuery(tame(exchange.path)),
    status,
    tame(exchange.grant_type ?? '-'),
    tame(exchange.client_id ?? '-'),
  ];
  if (exchange.error !== null) words.push(tame(exchange.error));
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
