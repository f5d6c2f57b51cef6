// How the page looks to this person: theme and rail, remembered in localStorage. Mantine is handed the
// theme from here, so that a command can change it without a component.

import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { isJsonObject } from '../../oauth/json-object.ts';

export type Theme = MantineColorScheme;
/** `auto`: wide where there is room. */
export type RailWidth = 'auto' | 'wide' | 'narrow';

interface Appearance {
  readonly theme: Theme;
  readonly rail: RailWidth;
}

const KEY = 'grantbench.appearance';
export const THEMES = ['auto', 'light', 'dark'] as const;

/** Where the rail shows icons only unless the person wants it wide. */
export const TIGHT = '(max-width: 1100px)';

export const isRailNarrow = (rail: RailWidth, tight = matchMedia(TIGHT).matches): boolean =>
  rail === 'auto' ? tight : rail === 'narrow';

function remembered(): Appearance {
  const look: Appearance = { theme: 'auto', rail: 'auto' };
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (!isJsonObject(found)) return look;
    const { theme, rail } = found;
    return {
      theme: THEMES.find((known) => known === theme) ?? look.theme,
      rail: rail === 'wide' || rail === 'narrow' ? rail : look.rail,
    };
  } catch {
    return look;
  }
}

const store = createStore<Appearance>(remembered);
store.subscribe((look) => localStorage.setItem(KEY, JSON.stringify(look)));

export const setTheme = (theme: Theme): void => store.setState({ theme });
export const currentTheme = (): Theme => store.getState().theme;

export function onTheme(listener: (theme: Theme) => void): void {
  store.subscribe(({ theme }, before) => {
    if (theme !== before.theme) listener(theme);
  });
}

const setRail = (rail: RailWidth): void => store.setState({ rail });
/** The other width than the one shown; what `auto` shows hangs on the room there is. */
export const toggleRail = (): void =>
  setRail(isRailNarrow(store.getState().rail) ? 'wide' : 'narrow');
export const useAppearance = (): Appearance => useStore(store);

/** Gives Mantine the theme that is remembered here. */
export function themeManager(): MantineColorSchemeManager {
  let release = () => {};
  return {
    get: () => store.getState().theme,
    set: setTheme,
    subscribe: (onUpdate) => {
      release = store.subscribe((look, before) => {
        if (look.theme !== before.theme) onUpdate(look.theme);
      });
    },
    unsubscribe: () => release(),
    clear: () => setTheme('auto'),
  };
}
