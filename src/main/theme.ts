// The theme that the person chose in the page, for what the system draws: title bar, menus, dialogs, and the window
// before the page is there. `prefers-color-scheme` in the page follows it too.

import { nativeTheme } from 'electron';
import type { WindowSettingsStore } from './window-settings.ts';

export function followTheme(settings: WindowSettingsStore): void {
  const follow = () => {
    const { theme } = settings.get();
    if (nativeTheme.themeSource !== theme) nativeTheme.themeSource = theme;
  };
  settings.onChange(follow);
  follow();
}
