// `grantbench faults`.

import type { Command } from 'commander';
import type { FaultDraft, FaultPreset, FaultState } from '../../control/fault-schemas.ts';
import { CommandError } from '../command-error.ts';
import { withControl } from '../connect.ts';
import { print, printJson } from '../terminal/print.ts';
import { rows, type Column } from '../terminal/table.ts';
import { connected, type Connection } from './command.ts';
import { parseWhole } from './flag-values.ts';
import { pairMembers, readJson } from './operations/run-operation.ts';
import { resourceCommand } from './operations/resource.ts';

interface AddOptions extends Connection {
  readonly times?: number;
  readonly file?: string;
}

const RULES: readonly Column<FaultState>[] = [
  { title: 'ID', cell: ({ id }) => ({ text: id, style: 'bold' }) },
  { title: 'NAME', cell: ({ name }) => name },
  {
    title: 'STATE',
    cell: ({ enabled, remaining }) => (!enabled ? 'off' : remaining === 0 ? 'used up' : 'active'),
  },
  { title: 'EFFECT', cell: ({ effect }) => effect.kind },
  { title: 'HITS', right: true, cell: ({ hits }) => String(hits) },
  { title: 'LEFT', right: true, cell: ({ remaining }) => String(remaining ?? 'unlimited') },
];

const PRESETS: readonly Column<FaultPreset>[] = [
  { title: 'PRESET', cell: ({ id }) => ({ text: id, style: 'bold' }) },
  { title: 'WHAT THE CLIENT SEES', cell: ({ text }) => text },
];

async function draft(preset: string | undefined, pairs: readonly string[], options: AddOptions) {
  const { times, file } = options;
  const isPair = preset?.includes('=') === true;
  if (preset === undefined && file === undefined) {
    throw new CommandError(2, 'Name a preset (see faults presets), or a rule with --file.');
  }
  return {
    ...(file === undefined ? {} : await readJson(file)),
    ...(preset === undefined || isPair ? {} : { preset }),
    ...(times === undefined ? {} : { times }),
    ...pairMembers(isPair ? [preset, ...pairs] : pairs),
  } as FaultDraft;
}

async function add(
  preset: string | undefined,
  pairs: readonly string[],
  options: AddOptions,
): Promise<void> {
  const wanted = await draft(preset, pairs, options);
  const rule = await withControl(options, (control) => control.faults.create(wanted));
  if (options.json) printJson(rule);
  else {
    print(
      rows([
        ['id', { text: rule.id, style: 'bold' }],
        ['name', rule.name],
        ['effect', rule.effect.kind],
        ['left', String(rule.remaining ?? 'unlimited')],
      ]),
    );
  }
}

function declareAdd(group: Command): void {
  const command = group
    .command('add')
    .description('add a rule after the others')
    .argument('[preset]', 'a preset (see faults presets)')
    .argument('[members...]', 'members to override: name=value, a.b=value')
    .option('--times <count>', 'the number of requests the rule applies to', parseWhole(1))
    .option('--file <file>', 'a custom rule from this JSON file; - is standard input');
  connected(
    command,
    '  grantbench faults add throttled_twice\n  grantbench faults add server_error --times 3\n  grantbench faults add --file fault.json',
  ).action(add);
}

export const { declare, fallback } = resourceCommand('faults', {
  description: 'list, add, change and remove fault rules',
  operations: {
    list: { columns: RULES, empty: 'No fault rules.' },
    presets: { columns: PRESETS },
    get: { examples: ['Zk3vq0aR'] },
    update: { examples: ['Zk3vq0aR enabled=false'] },
    move: { examples: ['Zk3vq0aR --position 0'] },
    remove: { examples: ['Zk3vq0aR'] },
  },
  by_hand: { operations: ['create'], declare: declareAdd },
});
