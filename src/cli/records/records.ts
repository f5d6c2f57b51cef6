// `grantbench clients | users | audiences`: the registry, read and changed.

import { CommandError } from '../command-error.ts';
import { withControl } from '../instance/connect.ts';
import { print, printJson, remark } from '../terminal/print.ts';
import { rows } from '../terminal/table.ts';
import {
  operationsOf,
  recordTable,
  type Members,
  type Operations,
  type RecordKind,
} from './kinds.ts';
import { givenMembers, type RecordOptions } from './members.ts';

const PAGE = 1000;

async function readAll({ list }: Operations): Promise<Members[]> {
  const items: Members[] = [];
  let after: string | null = null;
  do {
    const page = await list({ limit: PAGE, ...(after === null ? {} : { after }) });
    items.push(...page.items);
    after = page.next;
  } while (after !== null);
  return items;
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function tell(record: Members, { json }: RecordOptions): void {
  if (json) printJson(record);
  else print(rows(Object.entries(record).map(([name, value]) => [name, asText(value)])));
}

export async function listRecords(kind: RecordKind, options: RecordOptions): Promise<void> {
  const items = await withControl(options, (control) => readAll(operationsOf(control, kind)));
  if (options.json) printJson(items);
  else print(recordTable(kind, items));
}

export async function getRecord(kind: RecordKind, id: string, options: RecordOptions) {
  await withControl(options, async (control) => {
    const { key, get } = operationsOf(control, kind);
    tell(await get({ [key]: id }), options);
  });
}

/** `add name=value` without a key of its own: what looks like a pair is one, except for a URI. */
const isPair = (text: string | undefined) => text !== undefined && /^[\w.]+=/.test(text);

export async function addRecord(
  kind: RecordKind,
  id: string | undefined,
  pairs: readonly string[],
  options: RecordOptions,
): Promise<void> {
  const all = id !== undefined && isPair(id) ? [id, ...pairs] : pairs;
  const members = await givenMembers(kind, all, options);
  await withControl(options, async (control) => {
    const { key, create } = operationsOf(control, kind);
    tell(
      await create(isPair(id) || id === undefined ? members : { ...members, [key]: id }),
      options,
    );
  });
}

export async function setRecord(
  kind: RecordKind,
  id: string,
  pairs: readonly string[],
  options: RecordOptions,
): Promise<void> {
  const members = await givenMembers(kind, pairs, options);
  if (Object.keys(members).length === 0) {
    throw new CommandError(2, 'Nothing to change: name members as name=value, by flags or --file.');
  }
  await withControl(options, async (control) => {
    const { key, update } = operationsOf(control, kind);
    tell(await update({ ...members, [key]: id }), options);
  });
}

export async function removeRecord(kind: RecordKind, id: string, options: RecordOptions) {
  await withControl(options, async (control) => {
    const { key, remove } = operationsOf(control, kind);
    await remove({ [key]: id });
  });
  if (options.json) printJson({ removed: id });
  else remark(`Removed ${id}.`);
}
