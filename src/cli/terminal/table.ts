// Formats text in columns that fit their content.

import { textOf } from '../../json.ts';
import { inOneLine, paint, withoutControls, type Style } from './print.ts';

export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

export interface Column<T> {
  readonly title: string;
  readonly cell: (item: T) => string | Cell;
  /** Aligns the column right, for numbers. */
  readonly right?: boolean;
}

const GAP = '  ';

const asCell = (cell: string | Cell): Cell => (typeof cell === 'string' ? { text: cell } : cell);

function padded({ text, style }: Cell, width: number, right: boolean, last: boolean): string {
  const space = ' '.repeat(Math.max(0, width - text.length));
  const painted = style === undefined || text === '' ? text : paint(style, text);
  if (right) return space + painted;
  return last ? painted : painted + space;
}

/** Returns a table with titles, or the given message if there are no items. */
export function table<T>(
  items: readonly T[],
  columns: readonly Column<T>[],
  nothing: string,
): string {
  if (items.length === 0) return nothing;
  const titles = columns.map(({ title }): Cell => ({ text: title, style: 'dim' }));
  const rows = items.map((item) =>
    columns.map(({ cell }): Cell => {
      const { text, style } = asCell(cell(item));
      return { text: inOneLine(text), style };
    }),
  );
  const widths = columns.map((_, index) =>
    Math.max(...[titles, ...rows].map((row) => row[index]?.text.length ?? 0)),
  );
  const line = (row: readonly Cell[]) =>
    row
      .map((cell, index) => {
        const last = index === columns.length - 1;
        return padded(cell, widths[index] ?? 0, columns[index]?.right === true, last);
      })
      .join(GAP)
      .trimEnd();
  return [titles, ...rows].map(line).join('\n');
}

export type Row = readonly [name: string, value: string | Cell, words?: string];

export const memberRows = (record: object): string =>
  rows(Object.entries(record).map(([name, value]) => [name, textOf(value)]));

/** Returns rows of names, values and optional remarks. */
export function rows(all: readonly Row[], indent = ''): string {
  const cells = all.map(([name, value, words = '']) => ({ name, value: asCell(value), words }));
  const nameWidth = Math.max(0, ...cells.map(({ name }) => name.length));
  const withWords = cells.filter(({ words }) => words !== '');
  const valueWidth = Math.max(0, ...withWords.map(({ value }) => value.text.length));
  return cells
    .map(({ name, value, words }) => {
      const cell = { text: inOneLine(value.text), style: value.style };
      const title = paint('dim', withoutControls(name)) + ' '.repeat(nameWidth - name.length);
      const rest =
        words === '' ? padded(cell, 0, false, true) : padded(cell, valueWidth, false, false);
      const about = words === '' ? '' : GAP + paint('dim', withoutControls(words));
      return `${indent}${title}${GAP}${rest}${about}`.trimEnd();
    })
    .join('\n');
}
