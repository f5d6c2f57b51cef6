// Commands run by their id, while their code loads and after.

import { notifications, notificationsStore } from '@mantine/notifications';
import type { ReactElement } from 'react';
import { expect, it, vi } from 'vitest';
import {
  EMPTY,
  page,
  type State,
  withConnection,
  withLists,
} from '../../src/renderer/connection/state.ts';
import { runOrExplain } from '../../src/renderer/frame/commands/all.ts';
import {
  type Command,
  isEnabled,
  offerCommands,
  runCommand,
} from '../../src/renderer/navigation/command.ts';

it('a command that cannot run is not run, and says why: what it needs, or that it is not possible now', async () => {
  const run = vi.fn();
  const command: Command = {
    id: 'run-all',
    title: 'Run',
    group: 'Flow',
    needs: 'server',
    enabled: ({ clients }) => clients.length > 0,
    run,
  };
  const explained = async (state: State) => {
    page.setState(state, true);
    expect(isEnabled(command, state)).toBe(false);
    notifications.clean();
    await runOrExplain(command);
    const [notice] = notificationsStore.getState().notifications;
    const { props } = notice?.message as ReactElement<{ readonly children: string }>;
    return [notice?.title, props.children];
  };
  const title = '“Run” was not run.';
  const lost = withConnection(EMPTY, 'lost', 0);
  expect(await explained(lost)).toEqual([title, 'The connection to Grantbench is lost.']);
  const server = { state: 'running' } as never;
  const open = withLists({ ...withConnection(EMPTY, 'open', 0), server });
  expect(await explained(open)).toEqual([title, 'It is not possible now.']);
  expect(run).not.toHaveBeenCalled();
  page.setState({ ...open, clients: [{}] as never }, true);
  await runOrExplain(command);
  expect(run).toHaveBeenCalledOnce();
});

it('commands asked for while their code loads run once, in the order in which they were asked for, although a second import could resolve first; a failed load is repeated by the next command', async () => {
  const ran: string[] = [];
  const loads = [
    Promise.reject(new Error('cut')),
    // Resolves several turns of the event loop after the one below.
    new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))),
    Promise.resolve(),
  ];
  offerCommands(async () => {
    await loads.shift();
    return async (id) => void ran.push(id);
  });
  await expect(runCommand('flow')).rejects.toThrow('cut');
  await Promise.all(['flow', 'tokens', 'clients'].map(runCommand));
  expect(ran).toEqual(['flow', 'tokens', 'clients']);
});
