// `grantbench faults`: fault rules, listed, added and removed.

import type { FaultDraft, FaultPreset, FaultState } from '../../control/fault-schemas.ts';
import type { Connection } from '../commands/connection.ts';
import { CommandError } from '../command-error.ts';
import { withControl } from '../instance/connect.ts';
import { pairMembers, readJson } from '../records/members.ts';
import { print, printJson, remark } from '../terminal/print.ts';
import { rows, table, type Column } from '../terminal/table.ts';

export interface FaultOptions extends Connection {
  readonly times?: number;
  readonly file?: string;
}

const MOST = 1000;

const RULES: readonly Column<FaultState>[] = [
  { title: 'ID', cell: ({ id }) => ({ text: id, style: 'bold' }) },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'ARMED', cell: ({ enabled, remaining }) => (enabled && remaining !== 0 ? 'yes' : 'no') },
  { title: 'EFFECT', cell: ({ effect }) => effect.kind },
  { title: 'HITS', right: true, cell: ({ hits }) => String(hits) },
  { title: 'LEFT', right: true, cell: ({ remaining }) => String(remaining ?? 'no end') },
];

const PRESETS: readonly Column<FaultPreset>[] = [
  { title: 'PRESET', cell: ({ id }) => ({ text: id, style: 'bold' }) },
  { title: 'WHAT THE CLIENT SEES', cell: ({ text }) => text },
];

export async function listFaults(options: Connection): Promise<void> {
  const { items } = await withControl(options, (control) => control.faults.list({ limit: MOST }));
  if (options.json) printJson(items);
  else print(table(items, RULES, 'No fault is armed.'));
}

export async function listPresets(options: Connection): Promise<void> {
  const { items } = await withControl(options, (control) => control.faults.presets());
  if (options.json) printJson(items);
  else print(table(items, PRESETS, 'There are none.'));
}

async function draft(preset: string | undefined, pairs: readonly string[], options: FaultOptions) {
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

export async function addFault(
  preset: string | undefined,
  pairs: readonly string[],
  options: FaultOptions,
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
        ['left', String(rule.remaining ?? 'no end')],
      ]),
    );
  }
}

/** @param id null for all */
export async function removeFault(id: string | null, options: Connection): Promise<void> {
  await withControl(options, async ({ faults }) => {
    await (id === null ? faults.removeAll() : faults.remove({ id }));
  });
  if (options.json) printJson({ removed: id ?? 'all' });
  else remark(id === null ? 'Removed all rules.' : `Removed ${id}.`);
}
