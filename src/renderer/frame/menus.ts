// What the native menus of the window have the page do: they name commands of the palette; and the theme, which the
// window follows.

import { currentTheme, onTheme, type Theme } from '../ui/preferences.ts';
import { windowControl } from '../connection/control.ts';
import { page } from '../connection/state.ts';
import { runCommand } from '../navigation/run-command.ts';

async function runAsked(window: NonNullable<typeof windowControl>): Promise<void> {
  try {
    for await (const id of await window.window.commands()) void runCommand(id);
  } catch {
    // The connection is lost; the next one asks again.
  }
}

/** The window is drawn in the theme of the page. */
function tellTheme(window: NonNullable<typeof windowControl>, theme: Theme): void {
  const told = window.window.setTheme({ theme: theme === 'auto' ? 'system' : theme });
  // Without a connection it is told again when there is one.
  told.catch(() => undefined);
}

/** Follows the menus over every connection there will be; a browser tab has none. */
export function followMenus(): void {
  if (windowControl === null) return;
  const window = windowControl;
  onTheme((theme) => tellTheme(window, theme));
  page.subscribe(({ connection }, before) => {
    if (connection !== 'open' || before.connection === 'open') return;
    void runAsked(window);
    tellTheme(window, currentTheme());
  });
}
