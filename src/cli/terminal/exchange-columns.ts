// Exchanges in columns that stay the same from line to line, so that they can be told as they come.

import { shortGrantName, type ExchangeSummary } from '../../control/schemas.ts';
import { SENDER_SHORT } from '../../control/senders.ts';
import { paint, tame, type Style } from './print.ts';

interface Field {
  readonly title: string;
  readonly width: number;
  readonly right?: boolean;
  readonly text: (exchange: ExchangeSummary) => string;
  readonly style?: (exchange: ExchangeSummary) => Style | undefined;
}

const statusStyle = ({ status }: ExchangeSummary): Style =>
  status === 0 || status >= 500 ? 'red' : status < 400 ? 'green' : 'yellow';

/** Credentials sent in the query string by mistake must not be seen. */
const withoutQuery = (path: string) => path.replace(/\?.*$/s, '?…');

const FIELDS: readonly Field[] = [
  { title: 'TIME', width: 12, text: ({ at }) => at.slice(11, 23), style: () => 'dim' },
  { title: '#', width: 5, right: true, text: ({ number }) => String(number) },
  {
    title: 'STATUS',
    width: 6,
    right: true,
    text: ({ status }) => String(status),
    style: statusStyle,
  },
  {
    title: 'MS',
    width: 6,
    right: true,
    text: (one) => one.duration_ms.toFixed(1),
    style: () => 'dim',
  },
  { title: 'REQUEST', width: 22, text: ({ method, path }) => `${method} ${withoutQuery(path)}` },
  {
    title: 'GRANT',
    width: 8,
    text: ({ grant_type }) => (grant_type === null ? '-' : shortGrantName(grant_type)),
  },
  { title: 'CLIENT', width: 14, text: ({ client_id }) => client_id ?? '-' },
  { title: 'SENT BY', width: 9, text: ({ sent_by }) => SENDER_SHORT[sent_by] },
];

function fitted(text: string, { width, right = false }: Field): string {
  const plain = tame(text).replace(/\s+/g, ' ');
  const cut = plain.length > width ? `${plain.slice(0, width - 1)}…` : plain;
  return right ? cut.padStart(width) : cut.padEnd(width);
}

function remarks({
  error,
  cause,
  fault,
  advisories,
  deviations,
  throttled,
}: ExchangeSummary): string {
  const told = [
    error,
    throttled ? 'throttled' : null,
    cause,
    fault === null ? null : `fault: ${fault.name}`,
    deviations > 0 ? `${deviations} deviations` : null,
    advisories > 0 ? 'redundant' : null,
  ];
  return tame(told.filter((text) => text !== null).join('; ')).replace(/\s+/g, ' ');
}

export const exchangeTitles = (): string =>
  paint('dim', [...FIELDS.map((field) => fitted(field.title, field)), 'WHY'].join('  '));

export function exchangeRow(exchange: ExchangeSummary): string {
  const cells = FIELDS.map((field) => {
    const text = fitted(field.text(exchange), field);
    const style = field.style?.(exchange);
    return style === undefined ? text : paint(style, text);
  });
  return [...cells, remarks(exchange)].join('  ').trimEnd();
}
