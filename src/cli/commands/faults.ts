// `grantbench faults`: its subcommands.

import type { Command } from 'commander';
import { GROUPS } from './command.ts';
import { begin, connected, type Connection } from './connection.ts';
import type { FaultOptions } from '../steering/faults.ts';

const count = (value: string) => (/^\d{1,9}$/.test(value) ? Number(value) : Number.NaN);

function declareLists(group: Command): void {
  connected(
    group.command('list').description('list the rules, in the order they are tried'),
    '  grantbench faults',
  ).action(async (given: Connection) => {
    await begin();
    const { listFaults } = await import('../steering/faults.ts');
    await listFaults(given);
  });
  connected(
    group.command('presets').description('list the ready-made rules'),
    '  grantbench faults presets',
  ).action(async (given: Connection) => {
    await begin();
    const { listPresets } = await import('../steering/faults.ts');
    await listPresets(given);
  });
}

function declareChanges(group: Command): void {
  const add = group
    .command('add')
    .description('add a rule as the last one')
    .argument('[preset]', 'a ready-made one; see faults presets')
    .argument('[members...]', 'members in the place of its own: name=value, a.b=value')
    .option('--times <count>', 'how often it strikes', count)
    .option('--file <file>', 'a rule of one’s own from this JSON file; - is standard input');
  connected(
    add,
    '  grantbench faults add throttled_twice\n  grantbench faults add server_error --times 3\n  grantbench faults add --file fault.json',
  ).action(async (preset: string | undefined, pairs: readonly string[], given: FaultOptions) => {
    await begin();
    const { addFault } = await import('../steering/faults.ts');
    await addFault(preset, pairs, given);
  });
  connected(
    group.command('remove').description('remove a rule').argument('<id>'),
    '  grantbench faults remove Zk3vq0aR',
  ).action(async (id: string, given: Connection) => {
    await begin();
    const { removeFault } = await import('../steering/faults.ts');
    await removeFault(id, given);
  });
  connected(
    group.command('clear').description('remove all rules'),
    '  grantbench faults clear',
  ).action(async (given: Connection) => {
    await begin();
    const { removeFault } = await import('../steering/faults.ts');
    await removeFault(null, given);
  });
}

export const fallback = 'list';

export function declare(program: Command): void {
  const group = program
    .command('faults')
    .helpGroup(GROUPS.steer)
    .description('make the service misbehave on demand');
  declareLists(group);
  declareChanges(group);
}
