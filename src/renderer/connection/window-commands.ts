// What the native menus of the window have the page do: they name commands of the palette.

import { isEnabled } from '../navigation/command.ts';
import { windowControl } from './control.ts';
import { page } from './state.ts';

async function runById(id: string): Promise<void> {
  const { COMMANDS } = await import('../frame/commands/all.ts');
  const command = COMMANDS.find((one) => one.id === id);
  if (command !== undefined && isEnabled(command, page.getState())) await command.run();
}

/** Follows the menus for as long as this connection lasts. */
export async function followMenus(): Promise<void> {
  if (windowControl === null) return;
  try {
    for await (const id of await windowControl.window.commands()) void runById(id);
  } catch {
    // The connection is lost; the next one follows them again.
  }
}
