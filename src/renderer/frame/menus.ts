// Runs the commands that the window's native menus name, and tells the window the theme.

import { currentTheme, onTheme, type Theme } from '../ui/preferences.ts';
import { windowControl } from '../connection/control.ts';
import { page } from '../connection/state.ts';
import { runCommand } from '../navigation/command.ts';

async function runAsked(window: NonNullable<typeof windowControl>): Promise<void> {
  try {
    for await (const id of await window.window.commands()) void runCommand(id);
  } catch {
    // The connection is lost; the next one asks again.
  }
}

/** Makes the window use the theme of the page. */
function reportTheme(window: NonNullable<typeof windowControl>, theme: Theme): void {
  const sent = window.window.setTheme({ theme: theme === 'auto' ? 'system' : theme });
  // Without a connection this fails; it is repeated after reconnecting.
  sent.catch(() => undefined);
}

/** Follows the menus over every connection; does nothing in a browser tab. */
export function followMenus(): void {
  if (windowControl === null) return;
  const window = windowControl;
  onTheme((theme) => reportTheme(window, theme));
  page.subscribe(({ connection }, before) => {
    if (connection !== 'open' || before.connection === 'open') return;
    void runAsked(window);
    reportTheme(window, currentTheme());
  });
}
