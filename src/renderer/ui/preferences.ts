// Preferences for the page, stored in localStorage: theme, sidebar, whose requests the displayed rates count,
// desktop notifications, the library of the app and column widths. Mantine gets the theme from here, so that a command
// can change it.

import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import type { CSSProperties } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { jsonOrText, membersOf } from '../../json.ts';
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
  /** The id of the library whose settings are shown in every view; null until one is chosen. */
  readonly library: string | null;
  /** By table. */
  readonly columns: Readonly<Record<string, ColumnWidths>>;
}

export type Listing = 'logins' | 'exchanges';

export const THEMES = ['auto', 'light', 'dark'] as const;
export const LEAST_WIDTH = 40;
export const MOST_WIDTH = 1200;

/** The stored value; texts are stored as they are, all else as JSON. */
const stored = (name: keyof Preferences): unknown =>
  jsonOrText(localStorage.getItem(`grantbench.${name}`) ?? 'null');

const isWidth = (value: unknown): value is number =>
  typeof value === 'number' && value >= LEAST_WIDTH && value <= MOST_WIDTH;

const readColumns = (): Preferences['columns'] =>
  Object.fromEntries(
    Object.entries(membersOf(stored('columns'))).map(([table, widths]) => [
      table,
      Object.fromEntries(
        Object.entries(membersOf(widths)).filter((entry): entry is [string, number] =>
          isWidth(entry[1]),
        ),
      ),
    ]),
  );

function readPreferences(): Preferences {
  const { theme, rail } = membersOf(stored('appearance'));
  const library = stored('library');
  return {
    appearance: {
      theme: THEMES.find((known) => known === theme) ?? 'auto',
      rail: rail === 'wide' || rail === 'narrow' ? rail : 'auto',
    },
    whose: stored('whose') === 'all' ? 'all' : 'app',
    notifications: stored('notifications') === true,
    listing: stored('listing') === 'exchanges' ? 'exchanges' : 'logins',
    library: typeof library === 'string' ? library : null,
    columns: readColumns(),
  };
}

const store = createStore(readPreferences);

// Another tab may have changed these, which the next change here would overwrite otherwise.
addEventListener('storage', () => {
  const { appearance, columns } = readPreferences();
  store.setState({ appearance, columns });
});

export const preferences = (): Preferences => store.getState();

export const usePreference = <K extends keyof Preferences>(name: K): Preferences[K] =>
  useStore(store, (all) => all[name]);

export function setPreference<K extends keyof Preferences>(name: K, value: Preferences[K]): void {
  store.setState({ [name]: value });
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  localStorage.setItem(`grantbench.${name}`, text);
}

export const setTheme = (theme: Theme): void =>
  setPreference('appearance', { ...preferences().appearance, theme });

/** @returns a function that removes the listener */
export const onTheme = (listener: (theme: Theme) => void): (() => void) =>
  store.subscribe(({ appearance: { theme } }, before) => {
    if (theme !== before.appearance.theme) listener(theme);
  });

export function themeManager(): MantineColorSchemeManager {
  let release = () => {};
  return {
    get: () => preferences().appearance.theme,
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
  const { appearance } = preferences();
  const rail = isRailNarrow(appearance.rail) ? 'wide' : 'narrow';
  setPreference('appearance', { ...appearance, rail });
}

export const toggleWhose = (): void =>
  setPreference('whose', preferences().whose === 'app' ? 'all' : 'app');

export const toggleListing = (): void =>
  setPreference('listing', preferences().listing === 'logins' ? 'exchanges' : 'logins');

const NONE: ColumnWidths = {};

/** The chosen widths of a table’s columns; a column without one has the width in the style sheet. */
export const useColumnWidths = (table: string): ColumnWidths =>
  usePreference('columns')[table] ?? NONE;

/** @param width null resets it */
export function setColumnWidth(table: string, column: string, width: number | null): void {
  const { columns } = preferences();
  const { [column]: _former, ...others } = columns[table] ?? NONE;
  const fitting =
    width === null
      ? others
      : { ...others, [column]: Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, Math.round(width))) };
  setPreference('columns', { ...columns, [table]: fitting });
}

/** The widths as custom properties, such as --w-path; a style sheet gives the default after the comma. */
export const widthStyle = (widths: ColumnWidths): CSSProperties =>
  Object.fromEntries(
    Object.entries(widths).map(([column, width]) => [`--w-${column}`, `${width}px`]),
  );
