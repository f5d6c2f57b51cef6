// Preferences for the page, stored in localStorage: theme, sidebar, whose requests the displayed rates count,
// desktop notifications and column widths. Mantine gets the theme from here, so that a command can change it.

import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import type { CSSProperties } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { isJsonObject } from '../../json.ts';
import type { Whose } from '../connection/rates.ts';

export type Theme = MantineColorScheme;
/** `auto`: wide if the window is. */
export type RailWidth = 'auto' | 'wide' | 'narrow';
/** In CSS pixels, by column. Columns without an entry have the width in the style sheet. */
type ColumnWidths = Readonly<Record<string, number>>;

interface Preferences {
  readonly appearance: { readonly theme: Theme; readonly rail: RailWidth };
  /** Whether rates count only the app's requests or also Grantbench's own. */
  readonly whose: Whose;
  /** Whether requests of the app raise desktop notifications, if the browser permits it. */
  readonly notifications: boolean;
  /** How Traffic lists exchanges: by login, or each in a row of its own. */
  readonly listing: Listing;
  /** By table. */
  readonly columns: Readonly<Record<string, ColumnWidths>>;
}

export type Listing = 'logins' | 'exchanges';

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
  notifications: localStorage.getItem('grantbench.notifications') === 'true',
  listing: localStorage.getItem('grantbench.listing') === 'exchanges' ? 'exchanges' : 'logins',
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

/** @returns a function that removes the listener */
export const onTheme = (listener: (theme: Theme) => void): (() => void) =>
  store.subscribe(({ appearance: { theme } }, before) => {
    if (theme !== before.appearance.theme) listener(theme);
  });

/** Gives Mantine the stored theme. */
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

/** In a narrower window the rail shows only icons, unless it was chosen to be wide. */
export const TIGHT = '(max-width: 1100px)';

export const isRailNarrow = (rail: RailWidth, tight = matchMedia(TIGHT).matches): boolean =>
  rail === 'auto' ? tight : rail === 'narrow';

/** Switches to the width that is not shown now. */
export function toggleRail(): void {
  const { appearance } = store.getState();
  choose('appearance', { ...appearance, rail: isRailNarrow(appearance.rail) ? 'wide' : 'narrow' });
}

export const useWhose = (): Whose => useStore(store, ({ whose }) => whose);

export const toggleWhose = (): void =>
  choose('whose', store.getState().whose === 'app' ? 'all' : 'app');

export const areNotificationsOn = (): boolean => store.getState().notifications;

export const useNotificationsOn = (): boolean => useStore(store, (state) => state.notifications);

export const setNotificationsOn = (on: boolean): void => choose('notifications', on);

export const useListing = (): Listing => useStore(store, ({ listing }) => listing);

export const toggleListing = (): void =>
  choose('listing', store.getState().listing === 'logins' ? 'exchanges' : 'logins');

const NONE: ColumnWidths = {};

/** The chosen width, current even between two renders; undefined for the width in the style sheet. */
export const columnWidth = (table: string, column: string): number | undefined =>
  store.getState().columns[table]?.[column];

export const useColumnWidths = (table: string): ColumnWidths =>
  useStore(store, ({ columns }) => columns[table] ?? NONE);

/** @param width null resets it */
export function setColumnWidth(table: string, column: string, width: number | null): void {
  const { columns } = store.getState();
  const { [column]: _former, ...others } = columns[table] ?? NONE;
  const fitting =
    width === null
      ? others
      : { ...others, [column]: Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, Math.round(width))) };
  choose('columns', { ...columns, [table]: fitting });
}

export const resetColumnWidths = (): void => choose('columns', {});

/** The widths as custom properties, such as --w-path; a style sheet gives the default after the comma. */
export const widthStyle = (widths: ColumnWidths): CSSProperties =>
  Object.fromEntries(
    Object.entries(widths).map(([column, width]) => [`--w-${column}`, `${width}px`]),
  );
