// The control operations as the command line needs them, read from the contract, which alone describes them. This
// file knows nothing of commands, flags or a terminal. The build puts its value in its place (tsdown.config.ts): to read
// it from the schemas takes longer than all else that a command does before it connects.

import { contract, GROUP_WORDS } from '../../../control/contract.ts';
import { z } from '../../../control/zod.ts';

/** One member of an operation's input, by its JSON Schema. */
export interface Member {
  readonly name: string;
  readonly type: 'text' | 'number' | 'switch' | 'list';
  /** The allowed values; null if any value of the type is allowed. */
  readonly choices: readonly string[] | null;
  /** The description; empty if the contract has none. */
  readonly description: string;
}

export interface Operation {
  /** The group and name in the contract, such as `keys`, `create`. */
  readonly resource: string;
  readonly name: string;
  readonly summary: string;
  /** The member in the path, which names the record; null without one. */
  readonly key: string | null;
  readonly members: readonly Member[];
  /**
   * Whether members can be given as name=value, which the service validates: the members of a whole record, or those
   * without a flag.
   */
  readonly accepts_record: boolean;
  /** Whether the operation returns a list in pages. */
  readonly pages: boolean;
}

/** Every command has flags with these names, so members with these names are given as name=value. */
const TAKEN: readonly string[] = ['control', 'issuer', 'json', 'port'];

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: unknown;
}

interface Described {
  readonly '~orpc': {
    readonly route: { readonly path?: string; readonly summary?: string };
    readonly inputSchema?: unknown;
  };
}

const inputOf = (schema: unknown): JsonSchema =>
  schema === undefined
    ? {}
    : (z.toJSONSchema(schema as z.ZodMiniType, {
        io: 'input',
        unrepresentable: 'any',
      }) as JsonSchema);

const typesOf = ({ type = [] }: JsonSchema): readonly string[] => [type].flat();

/** Returns null for members that no flag can hold, such as nested records. */
function memberOf(name: string, schema: JsonSchema): Member | null {
  const types = typesOf(schema);
  const { description = '', items = {}, enum: choices = items.enum } = schema;
  const of = { name, description, choices: choices?.map(String) ?? null };
  if (types.includes('boolean')) return { ...of, type: 'switch' };
  if (types.includes('integer') || types.includes('number')) return { ...of, type: 'number' };
  if (types.includes('array') && typesOf(items).includes('string')) return { ...of, type: 'list' };
  return types.includes('string') ? { ...of, type: 'text' } : null;
}

/**
 * Whether the member needs name=value: every command has another flag with its name, or no flag can hold each of its
 * values. A switch can only be absent, which must mean false.
 */
const needsPair = (name: string, schema: JsonSchema, isRequired: boolean): boolean =>
  TAKEN.includes(name) ||
  schema.default === true ||
  (isRequired && typesOf(schema).includes('boolean')) ||
  (typesOf(schema).includes('object') && memberOf(name, schema) === null);

function operationOf(resource: string, name: string, { '~orpc': described }: Described): Operation {
  const { path = '', summary = '' } = described.route;
  const { properties = {}, required = [], additionalProperties } = inputOf(described.inputSchema);
  const start = path.indexOf('{');
  const key = start < 0 ? null : path.slice(start + 1, path.indexOf('}', start));
  const others = Object.entries(properties).filter(([member]) => member !== key);
  const members = others
    .filter(([member]) => !TAKEN.includes(member))
    .flatMap(([member, schema]) => memberOf(member, schema) ?? []);
  const open = additionalProperties !== undefined && additionalProperties !== false;
  const takes_record =
    open || others.some(([member, schema]) => needsPair(member, schema, required.includes(member)));
  const pages = 'after' in properties;
  return { resource, name, summary, key, members, accepts_record: takes_record, pages };
}

/** The style of help texts: no capital, no full stop. */
const helpText = (words: string) =>
  `${words.charAt(0).toLowerCase()}${words.slice(1).replace(/\.$/, '')}`;

export interface Resource {
  /** What it is, in the style of help texts. */
  readonly about: string;
  /** In the order of the contract. */
  readonly operations: readonly Operation[];
}

/** Every resource that has operations, by its name in the contract. */
export const RESOURCES: Readonly<Record<string, Resource>> = Object.fromEntries(
  Object.entries(GROUP_WORDS).map(([resource, words]) => {
    const group: Record<string, Described> = contract[resource as keyof typeof GROUP_WORDS];
    const operations = Object.entries(group).map(([name, one]) => operationOf(resource, name, one));
    return [resource, { about: helpText(words), operations }];
  }),
);
