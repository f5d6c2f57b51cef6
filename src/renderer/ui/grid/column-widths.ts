// How wide a person made the columns of a table, remembered in localStorage. A column that nobody
// touched has no width of its own: the style sheet decides, by the room there is.

import type { CSSProperties } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** In CSS pixels, by column. */
export type ColumnWidths = Readonly<Record<string, number>>;
type Tables = Readonly<Record<string, ColumnWidths>>;

const KEY = 'grantbench.columns';
export const LEAST_WIDTH = 40;
export const MOST_WIDTH = 1200;

const isWidth = (value: unknown): value is number =>
  typeof value === 'number' && value >= LEAST_WIDTH && value <= MOST_WIDTH;

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** What can be used of a text that was remembered. */
export function readWidths(text: string | null): Tables {
  try {
    const tables = entriesOf(JSON.parse(text ?? '{}')).map(([table, widths]) => [
      table,
      Object.fromEntries(entriesOf(widths).filter(([, width]) => isWidth(width))),
    ]);
    return Object.fromEntries(tables) as Tables;
  } catch {
    return {};
  }
}

const store = createStore<{ readonly tables: Tables }>(() => ({
  tables: readWidths(localStorage.getItem(KEY)),
}));
store.subscribe(({ tables }) => localStorage.setItem(KEY, JSON.stringify(tables)));

const NONE: ColumnWidths = {};

const widthsOf = (table: string): ColumnWidths => store.getState().tables[table] ?? NONE;

export const useColumnWidths = (table: string): ColumnWidths =>
  useStore(store, ({ tables }) => tables[table] ?? NONE);

function setWidths(table: string, widths: ColumnWidths): void {
  store.setState(({ tables }) => ({ tables: { ...tables, [table]: widths } }));
}

/** @param width null: as the style sheet has it */
export function setColumnWidth(table: string, column: string, width: number | null): void {
  const { [column]: _former, ...others } = widthsOf(table);
  if (width === null) return setWidths(table, others);
  const fitting = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, Math.round(width)));
  setWidths(table, { ...others, [column]: fitting });
}

/** Of all tables. */
export const resetColumnWidths = (): void => store.setState({ tables: {} });

/** As custom properties, for a style sheet to use with its own width after the comma: --w-path. */
export const widthStyle = (widths: ColumnWidths): CSSProperties =>
  Object.fromEntries(
    Object.entries(widths).map(([column, width]) => [`--w-${column}`, `${width}px`]),
  );
