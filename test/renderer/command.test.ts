// Commands run by their id, while their code loads and after.

import { expect, it } from 'vitest';
import { EMPTY, withConnection, withLists } from '../../src/renderer/connection/state.ts';
import {
  type Command,
  commandsIn,
  isEnabled,
  offerCommands,
  reasonAgainst,
  runCommand,
} from '../../src/renderer/navigation/command.ts';

it('a command that cannot run says why: what it needs, or that it is no longer possible', () => {
  const command: Command = {
    id: 'run-all',
    title: 'Run',
    group: 'Flow',
    needs: 'server',
    enabled: ({ clients }) => clients.length > 0,
    run: () => undefined,
  };
  const lost = withConnection(EMPTY, 'lost', 0);
  expect(reasonAgainst(command, lost)).toBe('The connection to Grantbench is lost.');
  const server = { state: 'running' } as never;
  const open = withLists({ ...withConnection(EMPTY, 'open', 0), server });
  expect(reasonAgainst(command, open)).toBe('It is no longer possible.');
  expect(isEnabled(command, open)).toBe(false);
  const able = { ...open, clients: [{}] as never };
  expect([reasonAgainst(command, able), isEnabled(command, able)]).toEqual([null, true]);
});

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
