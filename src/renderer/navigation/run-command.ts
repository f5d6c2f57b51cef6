// A command of the palette, run by its id: for a view's button or a native menu that does what the
// palette does. Which commands there are is the frame's to say; this module must not know them.

import { page } from '../connection/state.ts';
import { isEnabled, type Command } from './command.ts';

let loadCommands = (): Promise<readonly Command[]> => Promise.resolve([]);

/** The frame offers its commands once, at start; their code is loaded when one is first run. */
export function offerCommands(load: () => Promise<readonly Command[]>): void {
  loadCommands = load;
}

/** Does nothing where there is no such command, or where it cannot be run now. */
export async function runCommand(id: string): Promise<void> {
  const command = (await loadCommands()).find((one) => one.id === id);
  if (command !== undefined && isEnabled(command, page.getState())) await command.run();
}
