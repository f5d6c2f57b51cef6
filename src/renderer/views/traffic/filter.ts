// Which exchanges the list shows: filters by text and by column.

import type { Sender, ExchangeSummary } from '../../../control/schemas.ts';
import { SENDER_SHORT } from '../../../control/names.ts';
import { faultWords } from '../../exchange/answer.ts';

export const SENDER_WORDS = {
  app: { name: 'App', sentence: 'Sent by the app under test' },
  workbench: { name: 'Workbench', sentence: 'Sent by the workbench' },
  command_line: { name: 'Command line', sentence: 'Sent by a grantbench command' },
  scenario: { name: 'Scenario', sentence: 'Sent by a scenario or a saved flow' },
  server: { name: 'Server', sentence: 'Sent by Grantbench to your app' },
} satisfies Record<Sender, { name: string; sentence: string }>;

interface MarkEntry {
  readonly word: string;
  readonly has: (exchange: ExchangeSummary) => boolean;
  /** Its tooltip. */
  readonly sentence: (exchange: ExchangeSummary) => string;
}

/** Marks that an exchange may have, in addition to its status. */
export const MARKS = {
  throttled: {
    word: 'Throttled',
    has: ({ throttled }) => throttled,
    sentence: () => 'Throttled: over the limit for this credential and address',
  },
  fault: {
    word: 'Fault',
    has: ({ fault }) => fault !== null,
    sentence: ({ fault }) => (fault === null ? '' : faultWords(fault)),
  },
  held: {
    word: 'Hold',
    has: ({ held }) => held !== null,
    sentence: ({ held }) => held?.what ?? '',
  },
  retry: {
    word: 'Retry',
    has: ({ retry_of }) => retry_of !== null,
    sentence: ({ retry_of }) => `Retry: repeats exchange #${retry_of}, which failed`,
  },
  deviation: {
    word: 'Deviation',
    has: ({ deviations }) => deviations > 0,
    sentence: () => 'Deviation: fails in strict, or is noted there too',
  },
  over_fetch: {
    word: 'Advisory',
    has: ({ advisories, sent_by }) => advisories > 0 && sent_by === 'app',
    sentence: () => 'Advisory: the previous token was still valid',
  },
} as const satisfies Record<string, MarkEntry>;

export type Mark = keyof typeof MARKS;

const MARK_NAMES = Object.keys(MARKS) as Mark[];

export const marksOf = (exchange: ExchangeSummary): Mark[] =>
  MARK_NAMES.filter((mark) => MARKS[mark].has(exchange));

const NO_ANSWER = 'none';

export const pathOf = ({ path }: ExchangeSummary): string => path.split(/[?#]/, 1)[0] ?? path;

interface FilterColumn {
  readonly name: string;
  /** The values of an exchange in this column. */
  readonly values: (exchange: ExchangeSummary) => readonly string[];
  /** The display names of values that have one. */
  readonly words?: Readonly<Record<string, string>>;
}

export type Column = 'status' | 'error' | 'client' | 'sender' | 'request' | 'mark';

export const COLUMNS: Readonly<Record<Column, FilterColumn>> = {
  status: {
    name: 'Status',
    values: ({ status }) => [status === 0 ? NO_ANSWER : `${Math.floor(status / 100)}xx`],
    words: {
      '2xx': '2xx success',
      '3xx': '3xx redirect',
      '4xx': '4xx rejected',
      '5xx': '5xx failed',
      [NO_ANSWER]: 'no response',
    },
  },
  error: { name: 'Error', values: ({ error }) => (error === null ? [] : [error]) },
  client: { name: 'Client', values: ({ client_id }) => (client_id === null ? [] : [client_id]) },
  sender: {
    name: 'Sent by',
    values: ({ sent_by }) => [sent_by],
    words: Object.fromEntries(
      Object.entries(SENDER_WORDS).map(([sender, { name }]) => [sender, name]),
    ),
  },
  request: {
    name: 'Request',
    values: (exchange) => [`${exchange.method} ${pathOf(exchange)}`],
  },
  mark: {
    name: 'Mark',
    values: marksOf,
    words: Object.fromEntries(MARK_NAMES.map((mark) => [mark, MARKS[mark].word])),
  },
};

export const COLUMN_NAMES = Object.keys(COLUMNS) as Column[];

/** The display name of a value. */
export const valueWords = (column: Column, value: string): string =>
  COLUMNS[column].words?.[value] ?? value;

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
  text.trim() !== '' || COLUMN_NAMES.some((column) => columns[column].length > 0);

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
    ...marksOf(exchange).map((mark) => MARKS[mark].word),
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
  return (exchange) => COLUMNS[column].values(exchange).some((value) => wanted.includes(value));
}

/** Whether an exchange is shown; null shows all. */
export function predicateOf({ text, columns }: Filter): Predicate | null {
  const predicates = [
    textPredicate(text),
    ...COLUMN_NAMES.map((column) => columnPredicate(column, columns[column])),
  ].filter((predicate) => predicate !== null);
  if (predicates.length === 0) return null;
  return (exchange) => predicates.every((fits) => fits(exchange));
}

export function withValue(filter: Filter, column: Column, value: string): Filter {
  const now = filter.columns[column];
  const values = now.includes(value) ? now.filter((one) => one !== value) : [...now, value];
  return { ...filter, columns: { ...filter.columns, [column]: values } };
}

/** The values in a column, the most frequent first; includes the wanted values even if they no longer occur. */
export function facetsOf(
  exchanges: readonly ExchangeSummary[],
  column: Column,
  wanted: readonly string[],
  most: number,
) {
  const counts = new Map(wanted.map((value) => [value, 0]));
  for (const value of exchanges.flatMap(COLUMNS[column].values)) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const facets = [...counts].map(([value, count]) => ({ value, count }));
  if (column === 'status') return facets.sort((a, b) => a.value.localeCompare(b.value));
  return facets.sort((a, b) => b.count - a.count).slice(0, most);
}
