// The tables of the documentation that are made of the schemas, the contract and the command line, each by
// the name that its markers in docs/*.md have. Nothing here reads or writes a file.

import { Command, type Option } from 'commander';
import { loadCommands } from '../src/cli/commands/index.ts';
import { contract } from '../src/control/contract.ts';
import { faultSchema } from '../src/control/fault-schemas.ts';
import { optionsOf } from '../src/control/fields.ts';
import {
  audienceSchema,
  clientSchema,
  settingsSchema,
  userSchema,
} from '../src/control/schemas.ts';
import { z } from '../src/control/zod.ts';

type Schema = z.core.$ZodType;
type Row = readonly string[];

interface Member {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Member[];
  readonly oneOf?: readonly Member[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Member>>;
  readonly required?: readonly string[];
}

const cell = (text: string) => text.replaceAll('|', String.raw`\|`);

const table = (heading: Row, rows: readonly Row[]) =>
  [heading, heading.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
    .join('\n');

const code = (text: string) => `\`${text}\``;
const written = (figure: number) => figure.toLocaleString('en');
const sentence = (text = '') => text.replace(/\.$/, '');

function accepts({ type, enum: values, anyOf, oneOf, minimum, maximum }: Member): string {
  if (oneOf !== undefined) return [...new Set(oneOf.map(accepts))].join(' or ');
  if (anyOf !== undefined) return anyOf.map(accepts).join(' or ');
  if (values !== undefined) return values.map((value) => code(String(value))).join(', ');
  if (minimum !== undefined && maximum !== undefined) {
    return `${written(minimum)} to ${written(maximum)}`;
  }
  const names: Readonly<Record<string, string>> = { boolean: 'true or false', string: 'text' };
  return names[type ?? ''] ?? type ?? 'any';
}

function defaultOf(member: Member, required: boolean): string {
  if (member.default !== undefined) return code(JSON.stringify(member.default));
  return required ? 'required' : '';
}

/** Members of members by their path; a list or a union is one member. */
function rowsOf(record: Member, path = ''): Row[] {
  return Object.entries(record.properties ?? {}).flatMap(([name, member]) => {
    const required = record.required?.includes(name) ?? false;
    if (member.properties !== undefined) return rowsOf(member, `${path}${name}.`);
    const words = [sentence(member.description), accepts(member), defaultOf(member, required)];
    return [[code(path + name), ...words]];
  });
}

const jsonSchema = (schema: Schema) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Member;

const members = (schema: Schema, under = '') =>
  table(
    ['Member', 'Meaning', 'Accepts', 'Default'],
    rowsOf(jsonSchema(schema)).filter(([path = '']) => path.startsWith(`\`${under}`)),
  );

function effects(): string {
  const rows = Object.entries(optionsOf(faultSchema.shape.effect)).map(([kind, option]) => {
    const { kind: _kind, ...own } = jsonSchema(option).properties ?? {};
    const described = Object.entries(own).map(([name, member]) => {
      const otherwise = member.default === undefined ? '' : `, default ${defaultOf(member, false)}`;
      return `${code(name)}: ${accepts(member)}${otherwise}`;
    });
    const { description } = z.globalRegistry.get(option) ?? {};
    return [code(kind), sentence(description), described.join('; ')];
  });
  return table(['`effect.kind`', 'What is done', 'Its members'], rows);
}

interface Route {
  readonly method?: string;
  readonly path?: string;
  readonly summary?: string;
}

interface Operation {
  readonly '~orpc': { readonly route: Route };
}

function operations(): string {
  const routes = Object.values<Operation | Readonly<Record<string, Operation>>>(contract).flatMap(
    (node) => ('~orpc' in node ? [node as Operation] : Object.values(node)),
  );
  const rows = routes.map(({ '~orpc': { route } }) => [
    code(`${route.method ?? ''} /api${route.path ?? ''}`),
    route.summary ?? '',
  ]);
  return table(['Request', 'What it does'], rows);
}

async function programOf(): Promise<Command> {
  const program = new Command('grantbench').enablePositionalOptions();
  const whole = () => Promise.resolve(program);
  for (const { declare } of await loadCommands()) {
    declare(program, { app: '', page: '', version: '', whole });
  }
  return program;
}

const commands = (program: Command) =>
  table(
    ['Command', 'What it does', 'With'],
    program.commands.map((command) => [
      code(command.name()),
      command.description(),
      command.commands.map((one) => code(one.name())).join(', '),
    ]),
  );

/** Switches name their variable in the description, since commander would misread their values. */
function flag({ flags, description, envVar, defaultValue }: Option): Row {
  const [, inWords = ''] = /\(env: ([^)]*)\)/.exec(description) ?? [];
  const variable = envVar ?? inWords;
  const value = defaultValue === undefined ? '' : code(String(defaultValue));
  const meaning = description.replace(/ \((env|default): [^)]*\)/g, '');
  return [code(flags), meaning, variable === '' ? '' : code(variable), value];
}

const flags = (program: Command, name: string) =>
  table(
    ['Flag', 'Meaning', 'Variable', 'Default'],
    program.commands
      .filter((command) => command.name() === name)
      .flatMap(({ options }) => options.map(flag)),
  );

const program = await programOf();

/** By the name in their markers. */
export const TABLES: Readonly<Record<string, string>> = {
  settings: members(settingsSchema),
  'settings throttle': members(settingsSchema, 'throttle.'),
  client: members(clientSchema),
  user: members(userSchema),
  audience: members(audienceSchema),
  'fault rule': members(faultSchema),
  'fault effects': effects(),
  operations: operations(),
  commands: commands(program),
  'serve flags': flags(program, 'serve'),
};

const PLACE = /(<!-- generated: ([a-z ]+) -->\n)[^]*?(\n<!-- \/generated -->)/g;

/** The document with its tables as they are to be. @throws Error for a name that no table has */
export function filled(text: string): string {
  return text.replace(PLACE, (_all, head: string, name: string, foot: string) => {
    if (TABLES[name] === undefined) throw new Error(`there is no table "${name}"`);
    return `${head}${TABLES[name]}${foot}`;
  });
}

/** The names of the tables that a document shows. */
export const shownIn = (text: string): string[] =>
  [...text.matchAll(PLACE)].map(([, , name = '']) => name);
