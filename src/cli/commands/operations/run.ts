// Carries out one control operation for a command: its arguments and flags become the operation's input,
// its answer is printed as a table, a record or JSON.

import { isJsonObject } from '../../../oauth/json-object.ts';
import type { ControlClient } from '../../../control/client.ts';
import { CommandError } from '../../command-error.ts';
import { withControl } from '../../instance/connect.ts';
import { print, printJson, remark } from '../../terminal/print.ts';
import { rows, table, type Column } from '../../terminal/table.ts';
import type { Connection } from '../connection.ts';
import { pairMembers, readJson, type Members } from './members.ts';
import type { MemberFlag, Presentation, SwitchFlag } from './presentation.ts';
import type { Operation } from './operation.ts';

export type OperationOptions = Connection & Readonly<Record<string, unknown>>;

export interface OperationCommand {
  readonly operation: Operation;
  readonly presentation: Presentation;
  readonly flags: readonly MemberFlag[];
  readonly switches: readonly SwitchFlag[];
  /** The member that a new record's optional key is; null where it has none. */
  readonly key: string | null;
}

type Named = readonly (string | readonly string[] | undefined)[];
type Call = (input: Members) => Promise<unknown>;

interface Page {
  readonly items: readonly Members[];
  readonly next: string | null;
}

const PAGE = 1000;

/** As commander names what `--redirect-uri <uri>` was given. */
function optionName(flag: string): string {
  const [name = ''] = flag.replace(/^--/, '').split(' ');
  return name.replace(/-[a-z]/g, (letters) => letters.charAt(1).toUpperCase());
}

const withoutUndefined = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** `add name=value` without a key of its own: what looks like a pair is one, except for a URI. */
const isPair = (text: string) => /^[\w.]+=/.test(text);

/** Of a file, then switches, flags and pairs: what comes later wins. */
async function recordMembers(
  { flags, switches }: OperationCommand,
  pairs: readonly string[],
  options: OperationOptions,
): Promise<Members> {
  const file = options['file'];
  const fromFile = typeof file === 'string' ? await readJson(file) : {};
  const fromFlags = flags.map(({ flags: names, member }) => [member, options[optionName(names)]]);
  const switchedOn = switches.filter(({ flags: names }) => options[optionName(names)] === true);
  const fromSwitches = switchedOn.flatMap(({ sets }) => Object.entries(sets));
  return {
    ...fromFile,
    ...Object.fromEntries(fromSwitches),
    ...withoutUndefined(Object.fromEntries(fromFlags) as Members),
    ...pairMembers(pairs),
  };
}

/** What the record is called, where the arguments say it, and the pairs behind it. */
function subjectOf(named: Named, { operation, key: optional }: OperationCommand) {
  const pairs = named.flatMap((one) => (Array.isArray(one) ? (one as string[]) : []));
  const key = operation.key ?? optional;
  const [first] = named;
  if (key === null || typeof first !== 'string') return { about: {}, pairs };
  if (operation.key === null && isPair(first)) return { about: {}, pairs: [first, ...pairs] };
  return { about: { [key]: first }, pairs };
}

async function inputOf(
  command: OperationCommand,
  named: Named,
  options: OperationOptions,
): Promise<Members> {
  const { operation } = command;
  const flags = operation.members.map(({ name }) => [name, options[optionName(kebab(name))]]);
  const given = withoutUndefined(Object.fromEntries(flags) as Members);
  const { about, pairs } = subjectOf(named, command);
  const members = await recordMembers(command, pairs, options);
  if (operation.name === 'update' && Object.keys(members).length === 0) {
    throw new CommandError(
      2,
      'Nothing to change. Give members as name=value, with flags or with --file.',
    );
  }
  return { ...given, ...members, ...about };
}

const kebab = (name: string) => name.replaceAll('_', '-');

/** All pages, or the newest where that is how the list is presented. */
async function readList(call: Call, input: Members, { newest }: Presentation): Promise<Members[]> {
  const limit = input['limit'] ?? newest;
  const items: Members[] = [];
  let after = input['after'];
  for (;;) {
    const page = (await call({
      ...input,
      limit: limit ?? PAGE,
      ...(after === undefined ? {} : { after }),
    })) as Page;
    items.push(...page.items);
    if (limit !== undefined || page.next === null) return items;
    after = page.next;
  }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The members of the first item that fit into a column. */
function plainColumns([first = {}]: readonly Members[]): readonly Column<Members>[] {
  return Object.entries(first)
    .filter(([, value]) => typeof value !== 'object')
    .slice(0, 6)
    .map(([name]) => ({ title: name.toUpperCase(), cell: (item) => asText(item[name]) }));
}

function printList(items: readonly Members[], { columns, empty }: Presentation): void {
  const shown = (columns as readonly Column<Members>[] | undefined) ?? plainColumns(items);
  print(table(items, shown, empty ?? 'The list is empty.'));
}

const isList = (answer: unknown): answer is Page => isJsonObject(answer) && 'items' in answer;

function printAnswer(
  answer: unknown,
  input: Members,
  { operation, presentation, key }: OperationCommand,
  json: boolean,
) {
  const about = input[operation.key ?? key ?? ''];
  if (answer === undefined) {
    const done = typeof about === 'string' ? about : 'all';
    if (json) printJson({ removed: done });
    else remark(done === 'all' ? `Removed all ${operation.resource}.` : `Removed ${done}.`);
  } else if (json) printJson(isList(answer) ? answer.items : answer);
  else if (isList(answer)) printList(answer.items, presentation);
  else print(rows(Object.entries(answer as Members).map(([name, value]) => [name, asText(value)])));
}

function callOf(control: ControlClient, { resource, name }: Operation): Call {
  const operations = control as unknown as Readonly<Record<string, Readonly<Record<string, Call>>>>;
  const call = operations[resource]?.[name];
  if (call === undefined) throw new Error(`the contract has no operation ${resource}.${name}`);
  return call;
}

/** @throws CommandError for what cannot be read, and for what the service refuses */
export async function runOperation(
  command: OperationCommand,
  named: Named,
  options: OperationOptions,
): Promise<void> {
  const input = await inputOf(command, named, options);
  const answer = await withControl(options, async (control) => {
    const call = callOf(control, command.operation);
    if (!command.operation.pages) return call(input);
    return { items: await readList(call, input, command.presentation), next: null };
  });
  printAnswer(answer, input, command, options.json === true);
}
