// What this person chose for the page, remembered in localStorage: theme, sidebar, whose requests the displayed rates
// count, and the widths of columns. Mantine is handed the theme from here, so that a command can change it.

import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import type { CSSProperties } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { isJsonObject } from '../../oauth/json-object.ts';
import type { Whose } from '../connection/rates.ts';

export type Theme = MantineColorScheme;
/** `auto`: wide where there is room. */
export type RailWidth = 'auto' | 'wide' | 'narrow';
/** In CSS pixels, by column. A column that nobody touched has the width that the style sheet says. */
type ColumnWidths = Readonly<Record<string, number>>;

interface Preferences {
  readonly appearance: { readonly theme: Theme; readonly rail: RailWidth };
  /** Those of the app under test alone, unless this person wants those of Grantbench, too. */
  readonly whose: Whose;
  /** By table. */
  readonly columns: Readonly<Record<string, ColumnWidths>>;
}

export const THEMES = ['auto', 'light', 'dark'] as const;
export const LEAST_WIDTH = 40;
export const MOST_WIDTH = 1200;

function stored(name: keyof Preferences): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`grantbench.${name}`) ?? '{}');
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function readAppearance(): Preferences['appearance'] {
  const { theme, rail } = stored('appearance');
  return {
    theme: THEMES.find((known) => known === theme) ?? 'auto',
    rail: rail === 'wide' || rail === 'narrow' ? rail : 'auto',
  };
}

const isWidth = (value: unknown): value is number =>
  typeof value === 'number' && value >= LEAST_WIDTH && value <= MOST_WIDTH;

const readColumns = (): Preferences['columns'] =>
  Object.fromEntries(
    Object.entries(stored('columns')).map(([table, widths]) => {
      const usable = isJsonObject(widths) ? Object.entries(widths) : [];
      return [
        table,
        Object.fromEntries(usable.filter((entry): entry is [string, number] => isWidth(entry[1]))),
      ];
    }),
  );

const store = createStore<Preferences>(() => ({
  appearance: readAppearance(),
  whose: localStorage.getItem('grantbench.whose') === 'all' ? 'all' : 'app',
  columns: readColumns(),
}));

function choose<K extends keyof Preferences>(name: K, value: Preferences[K]): void {
  store.setState({ [name]: value });
  localStorage.setItem(
    `grantbench.${name}`,
    typeof value === 'string' ? value : JSON.stringify(value),
  );
}

export const useAppearance = (): Preferences['appearance'] =>
  useStore(store, ({ appearance }) => appearance);

export const currentTheme = (): Theme => store.getState().appearance.theme;

export const setTheme = (theme: Theme): void =>
  choose('appearance', { ...store.getState().appearance, theme });

/** @returns a release */
export const onTheme = (listener: (theme: Theme) => void): (() => void) =>
  store.subscribe(({ appearance: { theme } }, before) => {
    if (theme !== before.appearance.theme) listener(theme);
  });

/** Gives Mantine the theme that is remembered here. */
export function themeManager(): MantineColorSchemeManager {
  let release = () => {};
  return {
    get: currentTheme,
    set: setTheme,
    subscribe: (onUpdate) => {
      release = onTheme(onUpdate);
    },
    unsubscribe: () => release(),
    clear: () => setTheme('auto'),
  };
}

/** Where the rail shows icons only unless the person wants it wide. */
export const TIGHT = '(max-width: 1100px)';

export const isRailNarrow = (rail: RailWidth, tight = matchMedia(TIGHT).matches): boolean =>
  rail === 'auto' ? tight : rail === 'narrow';

/** The other width than the one shown; what `auto` shows hangs on the room there is. */
export function toggleRail(): void {
  const { appearance } = store.getState();
  choose('appearance', { ...appearance, rail: isRailNarrow(appearance.rail) ? 'wide' : 'narrow' });
}

export const useWhose = (): Whose => useStore(store, ({ whose }) => whose);

export const toggleWhose = (): void =>
  choose('whose', store.getState().whose === 'app' ? 'all' : 'app');

const NONE: ColumnWidths = {};

/** What a person made of it so far, also between two renders; undefined for what the style sheet says. */
export const columnWidth = (table: string, column: string): number | undefined =>
  store.getState().columns[table]?.[column];

export const useColumnWidths = (table: string): ColumnWidths =>
  useStore(store, ({ columns }) => columns[table] ?? NONE);

/** @param width null: as the style sheet has it */
export function setColumnWidth(table: string, column: string, width: number | null): void {
  const { columns } = store.getState();
  const { [column]: _former, ...others } = columns[table] ?? NONE;
  const fitting =
    width === null
      ? others
      : { ...others, [column]: Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, Math.round(width))) };
  choose('columns', { ...columns, [table]: fitting });
}

/** Of all tables. */
export const resetColumnWidths = (): void => choose('columns', {});

/** As custom properties, for a style sheet to use with its own width after the comma: --w-path. */
export const widthStyle = (widths: ColumnWidths): CSSProperties =>
  Object.fromEntries(
    Object.entries(widths).map(([column, width]) => [`--w-${column}`, `${width}px`]),
  );
