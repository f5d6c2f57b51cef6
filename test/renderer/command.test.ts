// Commands run by their id, while their code loads and after.

import { expect, it } from 'vitest';
import { commandsIn, offerCommands, runCommand } from '../../src/renderer/navigation/command.ts';

it('commands asked for while their code loads run once, in the order in which they were asked for, although a second import could resolve first; a failed load is repeated by the next command', async () => {
  const ran: string[] = [];
  const commands = commandsIn(
    'Go to',
    ['flow', 'tokens', 'clients'].map((id) => ({ id, title: id, run: () => ran.push(id) })),
  );
  const loads = [
    Promise.reject(new Error('cut')),
    // Resolves several turns of the event loop after the one below.
    new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))),
    Promise.resolve(),
  ];
  offerCommands(() => (loads.shift() ?? Promise.resolve()).then(() => commands));
  await expect(runCommand('flow')).rejects.toThrow('cut');
  await Promise.all(['flow', 'tokens', 'clients', 'no-such'].map(runCommand));
  expect(ran).toEqual(['flow', 'tokens', 'clients']);
});
