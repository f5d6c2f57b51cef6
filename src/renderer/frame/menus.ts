// What the native menus of the window have the page do: they name commands of the palette.

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

/** Follows the menus over every connection there will be; a browser tab has none. */
export function followMenus(): void {
  if (windowControl === null) return;
  const window = windowControl;
  page.subscribe(({ connection }, before) => {
    if (connection === 'open' && before.connection !== 'open') void runAsked(window);
  });
}
