// Calls one control operation for a command: makes its input from arguments and flags, and prints the result as a
// table, a record or JSON.

import { type Column, memberRows, table } from '../../terminal/table.ts';
import { isJsonObject, jsonOrText, textOf } from '../../../json.ts';
import type { ControlClient } from '../../../control/contract.ts';
import { CommandError } from '../../command-error.ts';
import { withControl } from '../../connect.ts';
import { readText } from '../../files.ts';
import { print, printJson, remark } from '../../terminal/print.ts';
import type { Connection } from '../command.ts';
import { given } from '../flag-values.ts';
import type { Operation } from './operation.ts';

/** A flag for a member of a record: `--redirect-uri` for `redirect_uris`. */
export interface MemberFlag {
  readonly flags: string;
  readonly member: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** Whether the flag may be repeated. */
  readonly is_list?: boolean;
}

/** A flag without a value that sets several members, such as `--public`. */
export interface SwitchFlag {
  readonly flags: string;
  readonly description: string;
  readonly sets: Readonly<Record<string, unknown>>;
}

/** How an operation is presented as a command; every member has a default. */
export interface Presentation {
  /** The name of the command, if it differs from that of the operation. */
  readonly name?: string;
  /** Examples, each without `grantbench <resource> <command>`. */
  readonly examples?: readonly string[];
  readonly columns?: readonly Column<never>[];
  readonly empty?: string;
  /** How many items a list shows without --limit; all of them if undefined. */
  readonly newest?: number;
  /** What was done to the record, if the operation returns nothing; `Removed` by default. */
  readonly done?: string;
}

export type OperationOptions = Connection & Readonly<Record<string, unknown>>;

export interface OperationCommand {
  readonly operation: Operation;
  readonly presentation: Presentation;
  readonly flags: readonly MemberFlag[];
  readonly switches: readonly SwitchFlag[];
  /** The member that is the optional key of a new record; null without one. */
  readonly key: string | null;
}

type Named = readonly (string | readonly string[] | undefined)[];
type Call = (input: Members) => Promise<unknown>;

interface Page {
  readonly items: readonly Members[];
  readonly next: string | null;
  /** Such as totals. */
  readonly [about: string]: unknown;
}

const PAGE = 1000;

/** Returns the name under which commander stores the value of `--redirect-uri <uri>`. */
function optionName(flag: string): string {
  const [name = ''] = flag.replace(/^--/, '').split(' ');
  return name.replace(/-[a-z]/g, (letters) => letters.charAt(1).toUpperCase());
}

/** Whether the first argument of `add` is a name=value pair and not a key. A URI is a key. */
const isPair = (text: string) => /^[\w.]+=/.test(text);

/** Merges the members of the file, the switches, the flags and the pairs; later ones win. */
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
    ...given(Object.fromEntries(fromFlags) as Members),
    ...pairMembers(pairs),
  };
}

/** Splits the arguments into the key of the record, if given, and the pairs after it. */
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
  const { about, pairs } = subjectOf(named, command);
  const members = {
    ...given(Object.fromEntries(flags) as Members),
    ...(await recordMembers(command, pairs, options)),
  };
  if (
    operation.name === 'update' &&
    operation.accepts_record &&
    Object.keys(members).length === 0
  ) {
    throw new CommandError(
      2,
      'Nothing to change. Give members as name=value, with flags or with --file.',
    );
  }
  for (const [name, key] of Object.entries(about)) {
    const { [name]: other = key } = members;
    if (other !== key) {
      throw new CommandError(2, `${name} is given twice: ${key} and ${textOf(other)}.`);
    }
  }
  return { ...members, ...about };
}

const kebab = (name: string) => name.replaceAll('_', '-');

/** Returns all pages, or the newest items if the list is presented that way, and where the rest begins. */
async function readList(call: Call, input: Members, { newest }: Presentation): Promise<Page> {
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
    if (limit !== undefined || page.next === null) return { ...page, items };
    after = page.next;
  }
}

/** Returns the members of the first item that fit into a column. */
function plainColumns([first = {}]: readonly Members[]): readonly Column<Members>[] {
  return Object.entries(first)
    .filter(([, value]) => typeof value !== 'object')
    .slice(0, 6)
    .map(([name]) => ({ title: name.toUpperCase(), cell: (item) => textOf(item[name]) }));
}

/** Members of a list's input that select no records. */
const NO_FILTERS: readonly string[] = ['limit', 'after', 'live_counts', 'secrets'];

/** With --json, standard output has only the array of items. */
function printList(
  { items, next, ...about }: Page,
  input: Members,
  { columns, empty = 'The list is empty.' }: Presentation,
  json: boolean,
): void {
  const shown = (columns as readonly Column<Members>[] | undefined) ?? plainColumns(items);
  const isFiltered = Object.keys(input).some((name) => !NO_FILTERS.includes(name));
  if (json) printJson(items);
  else print(table(items, shown, isFiltered ? 'No matching records.' : empty));
  if (Object.keys(about).length > 0) (json ? remark : print)(memberRows(about));
  if (next) remark(`There are more. Continue with --after ${next}.`);
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
    const { done: verb = 'Removed' } = presentation;
    if (json) printJson({ [verb.toLowerCase()]: done });
    else remark(done === 'all' ? `${operation.summary}: done.` : `${verb} ${done}.`);
  } else if (isList(answer)) printList(answer, input, presentation, json);
  else if (json) printJson(answer);
  else print(memberRows(answer as Members));
}

function callOf(control: ControlClient, { resource, name }: Operation): Call {
  const operations = control as unknown as Readonly<Record<string, Readonly<Record<string, Call>>>>;
  const call = operations[resource]?.[name];
  if (call === undefined) throw new Error(`The contract has no operation ${resource}.${name}.`);
  return call;
}

/** @throws CommandError if a file cannot be read or the service rejects the request */
export async function runOperation(
  command: OperationCommand,
  named: Named,
  options: OperationOptions,
): Promise<void> {
  const input = await inputOf(command, named, options);
  const answer = await withControl(options, async (control) => {
    const call = callOf(control, command.operation);
    if (!command.operation.pages) return call(input);
    return readList(call, input, command.presentation);
  });
  printAnswer(answer, input, command, options.json === true);
}

export type Members = Readonly<Record<string, unknown>>;

function put(members: Members, [name = '', ...deeper]: readonly string[], value: unknown): Members {
  if (deeper.length === 0) return { ...members, [name]: value };
  const former = members[name];
  return { ...members, [name]: put(isJsonObject(former) ? former : {}, deeper, value) };
}

/** Returns the names in `a.b`. A claim may be named by a URL, whose dots separate nothing. */
function namesIn(path: string): readonly string[] {
  const url = path.search(/\bhttps?:\/\//);
  if (url < 0) return path.split('.');
  const outer = path.slice(0, url).split('.').slice(0, -1);
  return [...outer, path.slice(url)];
}

/** Parses `name=value`, or `a.b=value` for a nested member. @throws CommandError */
export function pairMembers(pairs: readonly string[]): Members {
  return pairs.reduce<Members>((members, pair) => {
    const mark = pair.indexOf('=');
    if (mark < 1) {
      throw new CommandError(2, `A member must have the form name=value, not "${pair}".`);
    }
    return put(members, namesIn(pair.slice(0, mark)), jsonOrText(pair.slice(mark + 1)));
  }, {});
}

/** @param file a path; - is standard input. @throws CommandError naming the file and the problem */
export async function readJson(file: string): Promise<Members> {
  const name = file === '-' ? 'standard input' : file;
  const text = await readText(file, 'JSON');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandError(2, `${name} is not JSON: ${(error as Error).message}.`);
  }
  if (isJsonObject(value)) return value;
  throw new CommandError(2, `${name} must contain a JSON object.`);
}
