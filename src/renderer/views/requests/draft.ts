// The request being composed, and every way it is edited, as pure functions. The text is what is sent:
// fields are read from it and written back to it, and what cannot be read as fields stays as it was
// typed.

import { FORM_TYPE, JSON_TYPE, type BodyFormat } from '../../../oauth/fields.ts';
import {
  isBlank,
  parseRows,
  printRows,
  respelled,
  withHeader,
  type FieldRow,
} from './field-rows.ts';

export interface DraftBody {
  /** What its fields are written in. */
  readonly format: BodyFormat;
  /** What is sent. */
  readonly text: string;
  /** The same as fields; null when the text has none in this format. */
  readonly rows: readonly FieldRow[] | null;
  readonly view: 'fields' | 'raw';
}

export interface Draft {
  /** What it was started from: the id of a template, or null. */
  readonly template: string | null;
  /** Whose credentials are put in. */
  readonly client_id: string | null;
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** The query as fields; null when it has none that can be read. */
  readonly query: readonly FieldRow[] | null;
  readonly headers: readonly FieldRow[];
  readonly body: DraftBody;
}

const TYPES: Record<BodyFormat, string> = { json: JSON_TYPE, form: FORM_TYPE };

export const EMPTY_BODY: DraftBody = { format: 'form', text: '', rows: [], view: 'fields' };

export const EMPTY_DRAFT: Draft = {
  template: null,
  client_id: null,
  method: 'GET',
  target: '/',
  query: [],
  headers: [],
  body: EMPTY_BODY,
};

/** Before the question mark, and after it. */
export function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

export const withTarget = (draft: Draft, target: string): Draft => ({
  ...draft,
  target,
  query: parseRows(splitTarget(target)[1], 'form'),
});

export function withQuery(draft: Draft, query: readonly FieldRow[]): Draft {
  const [path] = splitTarget(draft.target);
  const text = printRows(query, 'form');
  return { ...draft, query, target: text === '' ? path : `${path}?${text}` };
}

export const withHeaders = (draft: Draft, headers: readonly FieldRow[]): Draft => ({
  ...draft,
  headers,
});

const withBody = (draft: Draft, body: Partial<DraftBody>): Draft => ({
  ...draft,
  body: { ...draft.body, ...body },
});

export const withBodyView = (draft: Draft, view: DraftBody['view']): Draft =>
  withBody(draft, { view });

export const withBodyText = (draft: Draft, text: string): Draft =>
  withBody(draft, { text, rows: parseRows(text, draft.body.format) });

export const withBodyRows = (draft: Draft, rows: readonly FieldRow[]): Draft =>
  withBody(draft, { rows, text: printRows(rows, draft.body.format) });

/** JSON values become the strings that a form has; a body that has no fields keeps its text. */
function rewritten({ text, rows }: DraftBody, format: BodyFormat): Partial<DraftBody> {
  if (rows === null) return { format, rows: parseRows(text, format) };
  const plain = respelled(rows);
  const fit = format === 'form' ? plain.map((row) => ({ ...row, literal: false })) : plain;
  return { format, rows: fit, text: printRows(fit, format) };
}

/** The same fields in another format, under its content type. */
export function withFormat(draft: Draft, format: BodyFormat): Draft {
  const changed = withBody(draft, rewritten(draft.body, format));
  return withHeaders(changed, withHeader(draft.headers, 'Content-Type', TYPES[format]));
}

/** Rows that say something, values without the white space that HTTP does not count. */
export const filledHeaders = ({ headers }: Draft): [string, string][] =>
  headers.filter((row) => !isBlank(row)).map(({ name, value }) => [name.trim(), value.trim()]);
