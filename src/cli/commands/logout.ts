// `grantbench logout`: signs a user out, and sends logout tokens to the apps.

import type { Command } from 'commander';
import type { ControlClient } from '../../control/contract.ts';
import { CommandError } from '../command-error.ts';
import { withControl } from '../connect.ts';
import { print, printJson } from '../terminal/print.ts';
import { type Column, table } from '../terminal/table.ts';
import { connected, type Connection, GROUPS } from './command.ts';

interface LogoutOptions extends Connection {
  readonly user: string;
  readonly client?: string;
}

type Delivery = Awaited<ReturnType<ControlClient['logout']>>['deliveries'][number];

const COLUMNS: readonly Column<Delivery>[] = [
  { title: 'CLIENT', cell: ({ client_id }) => ({ text: client_id, style: 'bold' }) },
  { title: 'EXCHANGE', cell: ({ exchange }) => `#${exchange}` },
  {
    title: 'APP',
    cell: ({ accepted, status, problem }) => ({
      text: problem ?? `${accepted ? 'signed out' : 'refused'}, ${status}`,
      style: accepted ? 'green' : 'red',
    }),
  },
];

async function logout({ user: sub, client, ...options }: LogoutOptions): Promise<void> {
  const order = { sub, ...(client === undefined ? {} : { client_id: client }) };
  const { deliveries } = await withControl(options, (control) => control.logout(order));
  if (options.json) printJson(deliveries);
  else print(table(deliveries, COLUMNS, 'No client has a backchannel_logout_uri.'));
  if (!deliveries.every(({ accepted }) => accepted)) {
    throw new CommandError(1, 'An app did not accept its logout token.');
  }
}

export function declare(program: Command): void {
  const command = program
    .command('logout')
    .helpGroup(GROUPS.sandbox)
    .description('sign a user out, and send logout tokens to the apps')
    .requiredOption('--user <sub>', 'the user who signs out')
    .option('--client <client_id>', 'send a logout token to this client only');
  connected(
    command,
    '  grantbench logout --user ada\n  grantbench logout --user ada --client web',
  ).action(logout);
}
