// Which exchanges the list shows: filters by text and by column.

import type { Sender, ExchangeSummary } from '../../../control/schemas.ts';
import { SENDER_SHORT, SENDERS } from '../../../control/names.ts';
import { faultWords } from '../../exchange/answer.ts';
import type { ExchangeWindow } from '../../connection/exchange-window.ts';

export const SENDER_NAMES: Record<Sender, string> = {
  app: 'App',
  workbench: 'Workbench',
  command_line: 'Command line',
  scenario: 'Scenario',
  server: 'Server',
};

export const SENDER_SENTENCES: Record<Sender, string> = {
  app: 'Sent by the app under test',
  workbench: 'Sent by the workbench',
  command_line: 'Sent by a grantbench command',
  scenario: 'Sent by a scenario or a saved flow',
  server: 'Sent by Grantbench to your app',
};

// Marks that an exchange may have, in addition to its status.

const MARKS = ['throttled', 'fault', 'retry', 'deviation', 'over_fetch'] as const;
export type Mark = (typeof MARKS)[number];

export const MARK_WORDS: Record<Mark, string> = {
  throttled: 'Throttled',
  fault: 'Fault',
  retry: 'Retry',
  deviation: 'Deviation',
  over_fetch: 'Advisory',
};

const HAS: Record<Mark, (exchange: ExchangeSummary) => boolean> = {
  throttled: ({ throttled }) => throttled,
  fault: ({ fault }) => fault !== null,
  retry: ({ retry_of }) => retry_of !== null,
  deviation: ({ deviations }) => deviations > 0,
  over_fetch: ({ advisories, sent_by }) => advisories > 0 && sent_by === 'app',
};

export const marksOf = (exchange: ExchangeSummary): Mark[] =>
  MARKS.filter((mark) => HAS[mark](exchange));

/** The sentence in a mark's tooltip. */
export function markSentence(mark: Mark, { fault, retry_of }: ExchangeSummary): string {
  switch (mark) {
    case 'throttled':
      return 'Throttled: over the limit for this credential and address';
    case 'fault':
      return fault === null ? '' : faultWords(fault);
    case 'retry':
      return `Retry: repeats exchange #${retry_of}, which failed`;
    case 'deviation':
      return 'Deviation: fails in strict, or is noted there too';
    case 'over_fetch':
      return 'Advisory: the previous token was still valid';
  }
}

export const COLUMNS = ['status', 'error', 'client', 'sender', 'request', 'mark'] as const;
export type Column = (typeof COLUMNS)[number];

export const COLUMN_NAMES: Record<Column, string> = {
  status: 'Status',
  error: 'Error',
  client: 'Client',
  sender: 'Sent by',
  request: 'Request',
  mark: 'Mark',
};

export interface Filter {
  /** Words that must all occur; a word after a minus must not. */
  readonly text: string;
  /** The wanted values of each column; an empty list shows all. */
  readonly columns: Readonly<Record<Column, readonly string[]>>;
}

export const NO_FILTER: Filter = {
  text: '',
  columns: { status: [], error: [], client: [], sender: [], request: [], mark: [] },
};

export const isFiltered = ({ text, columns }: Filter): boolean =>
  text.trim() !== '' || COLUMNS.some((column) => columns[column].length > 0);

const NO_ANSWER = 'none';

export const pathOf = ({ path }: ExchangeSummary): string => path.split(/[?#]/, 1)[0] ?? path;

/** The values of an exchange in each column of the filter. */
const VALUES: Record<Column, (exchange: ExchangeSummary) => readonly string[]> = {
  status: ({ status }) => [status === 0 ? NO_ANSWER : `${Math.floor(status / 100)}xx`],
  error: ({ error }) => (error === null ? [] : [error]),
  client: ({ client_id }) => (client_id === null ? [] : [client_id]),
  sender: ({ sent_by }) => [sent_by],
  request: (exchange) => [`${exchange.method} ${pathOf(exchange)}`],
  mark: marksOf,
};

const STATUS_WORDS: Readonly<Record<string, string>> = {
  '2xx': '2xx success',
  '3xx': '3xx redirect',
  '4xx': '4xx rejected',
  '5xx': '5xx failed',
  [NO_ANSWER]: 'no response',
};

/** The display name of a value. */
export function valueWords(column: Column, value: string): string {
  if (column === 'status') return STATUS_WORDS[value] ?? value;
  if (column === 'sender') return SENDER_NAMES[SENDERS.find((one) => one === value) ?? 'app'];
  if (column === 'mark') return MARK_WORDS[MARKS.find((mark) => mark === value) ?? 'fault'];
  return value;
}

function textOf(exchange: ExchangeSummary): string {
  const { number, method, path, grant_type, client_id, ip, status, error, cause, fault } = exchange;
  const sender = exchange.sent_by === 'app' ? null : SENDER_SHORT[exchange.sent_by];
  const words = [
    `#${number}`,
    method,
    path,
    grant_type,
    client_id,
    ip,
    sender,
    status,
    error,
    cause,
    fault?.name,
    ...marksOf(exchange).map((mark) => MARK_WORDS[mark]),
  ];
  return words.join(' ').toLowerCase();
}

type Predicate = (exchange: ExchangeSummary) => boolean;

function textPredicate(text: string): Predicate | null {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const unwanted = words.filter((word) => word.length > 1 && word.startsWith('-'));
  const wanted = words.filter((word) => word !== '-' && !unwanted.includes(word));
  if (wanted.length + unwanted.length === 0) return null;
  return (exchange) => {
    const found = textOf(exchange);
    return (
      wanted.every((word) => found.includes(word)) &&
      !unwanted.some((word) => found.includes(word.slice(1)))
    );
  };
}

function columnPredicate(column: Column, wanted: readonly string[]): Predicate | null {
  if (wanted.length === 0) return null;
  return (exchange) => VALUES[column](exchange).some((value) => wanted.includes(value));
}

/** Whether an exchange is shown; null shows all. */
export function predicateOf({ text, columns }: Filter): Predicate | null {
  const predicates = [
    textPredicate(text),
    ...COLUMNS.map((column) => columnPredicate(column, columns[column])),
  ].filter((predicate) => predicate !== null);
  if (predicates.length === 0) return null;
  return (exchange) => predicates.every((fits) => fits(exchange));
}

export function withValue(filter: Filter, column: Column, value: string): Filter {
  const now = filter.columns[column];
  const values = now.includes(value) ? now.filter((one) => one !== value) : [...now, value];
  return { ...filter, columns: { ...filter.columns, [column]: values } };
}

interface Facet {
  readonly value: string;
  readonly count: number;
}

/** The values in a column, the most frequent first; includes the wanted values even if they no longer occur. */
export function facetsOf(
  { chunks }: ExchangeWindow,
  column: Column,
  wanted: readonly string[],
  most: number,
): readonly Facet[] {
  const counts = new Map(wanted.map((value) => [value, 0]));
  for (const chunk of chunks) {
    for (const exchange of chunk) {
      for (const value of VALUES[column](exchange)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const facets = [...counts].map(([value, count]) => ({ value, count }));
  if (column === 'status') return facets.sort((a, b) => a.value.localeCompare(b.value));
  return facets.sort((a, b) => b.count - a.count).slice(0, most);
}
