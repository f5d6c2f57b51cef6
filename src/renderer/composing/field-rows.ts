// Converts a form, a query or a JSON object to rows for editing, and back. Rows that are not edited keep their spelling.

import { type BodyFormat, formBody } from '../../oauth/fields.ts';
import { parseJsonObject } from '../../json.ts';
import { afterBlanks, afterJsonValue, afterQuoted } from '../../redact/fields.ts';

export interface FieldRow {
  readonly name: string;
  readonly value: string;
  /** Whether the value is raw JSON (5, true, ["a"]) instead of a string. */
  readonly literal: boolean;
  /** The original spelling; null after an edit. */
  readonly source: string | null;
}

export const BLANK_ROW: FieldRow = { name: '', value: '', literal: false, source: null };

export const rowOf = (name: string, value: string): FieldRow => ({ ...BLANK_ROW, name, value });

export const isBlank = ({ name, value }: FieldRow): boolean => name === '' && value === '';

/** @throws URIError for a broken percent escape, or one that is not UTF-8 */
const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

function formRow(source: string): FieldRow {
  const [name = '', ...value] = source.split('=');
  return { name: decode(name), value: decode(value.join('=')), literal: false, source };
}

function formRows(text: string): readonly FieldRow[] | null {
  try {
    return text
      .split('&')
      .filter((pair) => pair !== '')
      .map(formRow);
  } catch {
    return null;
  }
}

function jsonRows(text: string): readonly FieldRow[] | null {
  const members = jsonMembers(text);
  if (members === null) return text.trim() === '' ? [] : null;
  return members.map(({ name, value, source }) => {
    const literal = !value.startsWith('"');
    return { name, value: literal ? value : (JSON.parse(value) as string), literal, source };
  });
}

/** The fields of a text; null when it cannot be parsed in this format. */
export const parseRows = (text: string, format: BodyFormat): readonly FieldRow[] | null =>
  format === 'json' ? jsonRows(text) : formRows(text);

const jsonMember = ({ name, value, literal, source }: FieldRow): string =>
  source ?? `${JSON.stringify(name)}: ${literal ? value : JSON.stringify(value)}`;

/** The text of the fields; empty when there are none. */
export function printRows(rows: readonly FieldRow[], format: BodyFormat): string {
  const filled = rows.filter((row) => !isBlank(row));
  if (format === 'form') {
    return filled.map(({ name, value, source }) => source ?? formBody([[name, value]])).join('&');
  }
  if (filled.length === 0) return '';
  return `{\n${filled.map((row) => `  ${jsonMember(row)}`).join(',\n')}\n}`;
}

export const valueIn = (rows: readonly FieldRow[] | null, name: string): string | null =>
  rows?.find((row) => row.name === name)?.value ?? null;

/** Maps the rows. Returns the same list when no row changes, so that the text keeps its spelling. */
export function mapRows(
  rows: readonly FieldRow[],
  how: (row: FieldRow) => FieldRow,
): readonly FieldRow[] {
  const next = rows.map(how);
  return next.every((row, index) => row === rows[index]) ? rows : next;
}

/** Compares header names case-insensitively. */
export const isHeader = (name: string) => (row: FieldRow) =>
  row.name.trim().toLowerCase() === name.toLowerCase();

export const headerValue = (rows: readonly FieldRow[], name: string): string | null =>
  rows.find(isHeader(name))?.value ?? null;

/** Sets a header at its first place, or at the end, and removes its other occurrences. */
export function withHeader(
  rows: readonly FieldRow[],
  name: string,
  value: string,
): readonly FieldRow[] {
  const at = rows.findIndex(isHeader(name));
  if (at < 0) return [...rows, rowOf(name, value)];
  const others = (row: FieldRow, index: number) => index <= at || !isHeader(name)(row);
  return rows.filter(others).map((row, index) => (index === at ? { ...row, value } : row));
}

export const withoutHeader = (rows: readonly FieldRow[], name: string): readonly FieldRow[] =>
  rows.filter((row) => !isHeader(name)(row));

export interface JsonMember {
  readonly name: string;
  /** The value as it is written. */
  readonly value: string;
  /** The whole member as it is written. */
  readonly source: string;
}

/** The members in the order of the text; null when it is not a JSON object. */
export function jsonMembers(text: string): readonly JsonMember[] | null {
  if (parseJsonObject(text) === null) return null;
  const members: JsonMember[] = [];
  let at = afterBlanks(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const nameEnd = afterQuoted(text, at);
    const start = afterBlanks(text, afterBlanks(text, nameEnd) + 1);
    const end = afterJsonValue(text, start);
    members.push({
      name: JSON.parse(text.slice(at, nameEnd)) as string,
      value: text.slice(start, end),
      source: text.slice(at, end),
    });
    // After the last member there is no comma.
    at = afterBlanks(text, afterBlanks(text, end) + 1);
  }
  return members;
}
