// Runs a command of the palette by its id, for a view's button or a native menu. The frame supplies the commands; this
// module must not know them.

import { page } from '../connection/state.ts';
import { isEnabled, type Command } from './command.ts';

let loadCommands = (): Promise<readonly Command[]> => Promise.resolve([]);

/** Sets the commands once, at startup. Their code is loaded when the first one runs. */
export function offerCommands(load: () => Promise<readonly Command[]>): void {
  loadCommands = load;
}

/** Does nothing if there is no such command, or if it cannot run now. */
export async function runCommand(id: string): Promise<void> {
  const command = (await loadCommands()).find((one) => one.id === id);
  if (command !== undefined && isEnabled(command, page.getState())) await command.run();
}
