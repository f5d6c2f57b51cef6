// Runs the commands that the window's native menus name, and tells the window the theme.

import { appWindow, type AppWindow } from '../actions/window.ts';
import { onTheme, preferences, type Theme } from '../ui/preferences.ts';
import { page } from '../connection/state.ts';
import { runCommand } from '../navigation/command.ts';

async function runAsked(window: AppWindow): Promise<void> {
  try {
    for await (const id of await window.commands()) void runCommand(id);
  } catch {
    // The connection is lost; the next one asks again.
  }
}

/** Makes the window use the theme of the page. */
function reportTheme(window: AppWindow, theme: Theme): void {
  const sent = window.setTheme({ theme: theme === 'auto' ? 'system' : theme });
  // Without a connection this fails; it is repeated after reconnecting.
  sent.catch(() => undefined);
}

/** Follows the menus over every connection; does nothing in a browser tab. */
export function followMenus(): void {
  const window = appWindow;
  if (window === null) return;
  onTheme((theme) => reportTheme(window, theme));
  page.subscribe(({ connection }, before) => {
    if (connection !== 'open' || before.connection === 'open') return;
    void runAsked(window);
    reportTheme(window, preferences().appearance.theme);
  });
}
