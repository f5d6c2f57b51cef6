// Makes commands from the contract: one for each operation of a resource, with flags and arguments for its input. The
// file of a resource adds shorter flags, columns and examples.

import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { type CommandFile, connected, GROUPS } from '../command.ts';
import { collect } from '../flag-values.ts';
import { RESOURCES, type Member, type Operation } from './operation.ts';
import type { MemberFlag, OperationOptions, Presentation, SwitchFlag } from './run-operation.ts';

export interface ResourceDefinition {
  /** The heading in --help; that of the sandbox by default. */
  readonly heading?: string;
  readonly description?: string;
  readonly operations?: Readonly<Record<string, Presentation>>;
  readonly flags?: readonly MemberFlag[];
  readonly switches?: readonly SwitchFlag[];
  /** Commands written by hand, with the operations that they call. */
  readonly by_hand?: {
    readonly operations: readonly string[];
    readonly declare: (group: Command) => void;
  };
}

const VERBS: Readonly<Record<string, string>> = {
  create: 'add',
  update: 'set',
  removeAll: 'clear',
};

/** Returns the name of the command: `saved-flows` for `savedFlows`. */
export const kebab = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

function parseNumber(value: string): number {
  if (value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  throw new InvalidArgumentError('It must be a number.');
}

/** Parses a flag that is repeated for each value of a list. */
function repeatable(option: Option): Option {
  const { parseArg } = option;
  return option.argParser((value, former: readonly string[] | undefined) => {
    parseArg?.(value, undefined);
    return collect(value, former);
  });
}

function memberOption({ name, type, choices, description }: Member): Option {
  const flag = `--${name.replaceAll('_', '-')}`;
  const option = new Option(
    type === 'switch' ? flag : `${flag} <${type === 'list' ? 'text' : type}>`,
    description,
  );
  if (choices !== null) option.choices(choices);
  if (type === 'list') return repeatable(option);
  return type === 'number' ? option.argParser(parseNumber) : option;
}

function declareRecord(command: Command, { flags = [], switches = [] }: ResourceDefinition): void {
  command.argument(
    '[members...]',
    'members as name=value; a value may be JSON; a.b=value sets a nested member',
  );
  for (const { flags: names, description, choices, is_list } of flags) {
    const option = new Option(names, description);
    if (choices !== undefined) option.choices(choices);
    command.addOption(is_list ? repeatable(option) : option);
  }
  for (const { flags: names, description } of switches) command.option(names, description);
  command.option('--file <file>', 'read the members from this JSON file; - is standard input');
}

/** @param key the member with which a new record may be named; null without one */
function declareOperation(
  group: Command,
  operation: Operation,
  resource: ResourceDefinition,
  key: string | null,
) {
  const presentation = resource.operations?.[operation.name] ?? {};
  const { name = VERBS[operation.name] ?? kebab(operation.name), examples = [''] } = presentation;
  const command = group.command(name).description(lowerFirst(operation.summary));
  if (operation.key !== null) command.addArgument(new Argument(`<${operation.key}>`));
  else if (key !== null) command.addArgument(new Argument(`[${key}]`, `its ${key}`));
  if (operation.accepts_record) declareRecord(command, resource);
  for (const member of operation.members) command.addOption(memberOption(member));
  const lines = examples.map((line) =>
    `  grantbench ${kebab(operation.resource)} ${name} ${line}`.trimEnd(),
  );
  connected(command, lines.join('\n')).action(async (...given: unknown[]) => {
    const { runOperation } = await import('./run-operation.ts');
    const options = given.at(-2) as OperationOptions;
    const names = given.slice(0, -2) as (string | readonly string[] | undefined)[];
    const { flags = [], switches = [] } = resource;
    await runOperation({ operation, presentation, flags, switches, key }, names, options);
  });
}

/** Whether the resource has an operation with this name that needs no record. */
const isAboutAll = (operations: readonly Operation[], name: string) =>
  operations.some((operation) => operation.name === name && operation.key === null);

/**
 * Returns the command of a resource, with a subcommand for each of its operations.
 * @param name in the contract
 */
export function resourceCommand(name: string, resource: ResourceDefinition = {}): CommandFile {
  const { about, operations } = RESOURCES[name] ?? { about: '', operations: [] };
  const key = operations.map((operation) => operation.key).find((one) => one !== null) ?? null;
  const byHand = resource.by_hand?.operations ?? [];
  const fallback = ['list', 'get'].find((one) => isAboutAll(operations, one));
  return {
    fallback,
    declare: (program) => {
      const group = program
        .command(kebab(name))
        .helpGroup(resource.heading ?? GROUPS.sandbox)
        .description(resource.description ?? about);
      for (const operation of operations) {
        if (byHand.includes(operation.name)) continue;
        const named = operation.name === 'create' && operation.accepts_record;
        declareOperation(group, operation, resource, named ? key : null);
      }
      resource.by_hand?.declare(group);
    },
  };
}
