// The tables of the documentation that are generated from the schemas, the contract and the command line, and the
// settings of client libraries, each under the name in its markers in docs/. Nothing here reads or writes a file.

import type { Command, Option } from 'commander';
import { programOf } from '../src/cli/program.ts';
import { contract } from '../src/control/contract.ts';
import { faultSchema } from '../src/control/fault-schemas.ts';
import { optionsOf } from '../src/control/fields.ts';
import { GROUPS } from '../src/core/checks/refusals/index.ts';
import { CASE_GROUPS } from '../src/core/records/client-checks.ts';
import { CLIENT_CASES } from '../src/core/client-checks/cases.ts';
import { TOKEN_MISTAKES } from '../src/core/records/token-mistakes.ts';
import { allAddresses } from '../src/core/shape/address.ts';
import {
  apiSchema,
  audienceSchema,
  clientSchema,
  type Refusal,
  type RefusalPlace,
  savedFlowSchema,
  savedRequestSchema,
  settingsSchema,
  userSchema,
  workspaceSchema,
} from '../src/control/schemas.ts';
import { z } from '../src/control/zod.ts';
import { createEngine } from '../src/engine/engine.ts';
import { SNIPPETS } from '../src/renderer/connect-app/libraries.ts';
import { scenarioSchema } from '../src/scenario/schema.ts';
import { proofMistakes } from '../src/scenario/actions/proofs.ts';
import { ACTION_NAMES } from '../src/scenario/actions/names.ts';
import { LIMITS } from './docs-limits.ts';

type Schema = z.core.$ZodType;
type Row = readonly string[];

interface Member {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: string | number | boolean;
  readonly anyOf?: readonly Member[];
  readonly oneOf?: readonly Member[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Member>>;
  readonly items?: Member;
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

function accepts(member: Member): string {
  const { type, enum: values, const: only, anyOf, oneOf, minimum, maximum } = member;
  if (only !== undefined) return code(String(only));
  if (oneOf !== undefined) return [...new Set(oneOf.map(accepts))].join(' or ');
  if (anyOf !== undefined) return anyOf.map(accepts).join(' or ');
  if (typeof type === 'object') return type.map((one) => accepts({ type: one })).join(' or ');
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

/** Returns nested members by path; a list or a union is one member. */
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

const membersOf = (record: Member, under = '') =>
  table(
    ['Member', 'Meaning', 'Accepts', 'Default'],
    rowsOf(record).filter(([path = '']) => path.startsWith(`\`${under}`)),
  );

const members = (schema: Schema, under?: string) => membersOf(jsonSchema(schema), under);

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

/** A step of a scenario with all of its members. */
const STEP = jsonSchema(scenarioSchema).properties?.['steps']?.items?.properties ?? {};

const scenarioSteps = () =>
  table(
    ['Step', 'What it does'],
    ACTION_NAMES.map((name) => [code(name), sentence(STEP[name]?.description)]),
  );

/** Returns the members of all steps; a member that several steps share is one row. */
function scenarioMembers(): string {
  const steps = new Map<string, string[]>();
  for (const name of ACTION_NAMES) {
    for (const [member = '', meaning = '', accepted = ''] of rowsOf(STEP[name] ?? {})) {
      const row = JSON.stringify([member, meaning, accepted]);
      steps.set(row, [...(steps.get(row) ?? []), code(name)]);
    }
  }
  return table(
    ['Member', 'Steps', 'Meaning', 'Accepts'],
    [...steps].map(([row, names]) => {
      const [member = '', ...rest] = JSON.parse(row) as string[];
      return [member, names.join(', '), ...rest];
    }),
  );
}

const scenarioProofs = () =>
  table(
    ['Member', 'Meaning', 'Accepts'],
    rowsOf(jsonSchema(proofMistakes)).map((row) => row.slice(0, 3)),
  );

const scenarioExpectations = () =>
  table(
    ['Member', 'What is compared'],
    rowsOf(STEP['expect'] ?? {}).map(([member = '', meaning = '']) => [member, meaning]),
  );

const limits = () =>
  table(
    ['Resource', 'At most', 'In the code'],
    LIMITS.map(({ resource, at_most, in_code }) => [resource, at_most, in_code]),
  );

const controlLimits = () =>
  table(
    ['What', 'At most'],
    LIMITS.filter(({ control }) => control).map(({ resource, at_most }) => [resource, at_most]),
  );

/** The members of a workspace file without its records, which have their own tables. */
const workspaceMembers = () =>
  table(
    ['Member', 'Meaning'],
    Object.entries(jsonSchema(workspaceSchema).properties ?? {}).map(([name, { description }]) => [
      code(name),
      sentence(description),
    ]),
  );

const tokenMistakes = () =>
  table(
    ['`wrong`', 'What is wrong', 'Rule'],
    Object.entries(TOKEN_MISTAKES).map(([name, { text, rule }]) => [code(name), text, rule]),
  );

/** Returns the responses of a sandbox with default settings. */
async function readRefusals(): Promise<readonly Refusal[]> {
  const engine = await createEngine({ port: 0, version: '' });
  try {
    return (await (await engine.getControl()).refusals.list()).items;
  } finally {
    await engine.close();
  }
}

const DELIVERIES: Readonly<Record<RefusalPlace['delivery'], string>> = {
  json: '',
  page: ' on a page',
  redirect: ' to the app',
  none: ' without an error',
};

function responseAt({ delivery, rfc6749, auth0 }: RefusalPlace): string {
  const words = ({ status, error }: RefusalPlace['rfc6749']) =>
    status === 0
      ? 'no response'
      : `${status}${error === null ? '' : ` ${code(error)}`}${DELIVERIES[delivery]}`;
  const usual = words(rfc6749);
  return words(auth0) === usual ? usual : `${usual} (auth0: ${words(auth0)})`;
}

const OTHERS = 'other paths';

const CLIENTS = ['token', 'par', 'revoke', 'introspect', 'device_authorization'];

/** Replaces the full list of endpoints with client authentication with one phrase. */
function endpointsInWords(endpoints: readonly string[]): string {
  const all = CLIENTS.every((endpoint) => endpoints.includes(endpoint));
  const others = endpoints
    .filter((endpoint) => !all || !CLIENTS.includes(endpoint))
    .map((endpoint) => (endpoint === OTHERS ? endpoint : code(endpoint)));
  return [...(all ? ['_client endpoints_'] : []), ...others].join(', ');
}

/** Groups endpoints with the same response. */
function responsesOf({ places }: Refusal): string {
  const endpointsOf = new Map<string, string[]>();
  for (const place of places) {
    const response = responseAt(place);
    const endpoints = endpointsOf.get(response) ?? [];
    endpointsOf.set(response, [...new Set([...endpoints, place.endpoint ?? OTHERS])]);
  }
  return [...endpointsOf]
    .map(([response, at]) => (at[0] === OTHERS ? response : `${endpointsInWords(at)}: ${response}`))
    .join('; ');
}

const asText = (words: string) => words.replaceAll('<', '&lt;');

function causesOf(reasons: readonly string[], refusals: readonly Refusal[]): string {
  const rows = refusals
    .filter(({ id }) => reasons.includes(id))
    .map((refusal) => [
      `<a id="${refusal.id}"></a>${code(refusal.id)}: ${asText(refusal.summary)}`,
      asText(refusal.usual_cause),
      responsesOf(refusal),
      asText(refusal.advice ?? ''),
    ]);
  return table(['Cause', 'What usually leads to it', 'Response', 'What to do'], rows);
}

function causes(refusals: readonly Refusal[]): Record<string, string> {
  const tables = Object.entries(GROUPS).map(([name, group]) => {
    const own = name === 'requests' ? ['fault'] : [];
    return [`causes ${name}`, causesOf([...Object.keys(group), ...own], refusals)];
  });
  return Object.fromEntries(tables) as Record<string, string>;
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

const usesInstance = ({ options }: Command) => options.some(({ long }) => long === '--control');

/** Whether the command uses a running instance; names subcommands that do not. */
function needs(command: Command): string {
  const under = command.commands;
  const alone = under.filter((one) => !usesInstance(one)).map((one) => code(one.name()));
  if (under.length === 0) return usesInstance(command) ? 'yes' : 'no';
  if (alone.length === 0) return 'yes';
  return alone.length === under.length ? 'no' : `yes, but for ${alone.join(', ')}`;
}

const commands = (program: Command) =>
  table(
    ['Command', 'What it does', 'Subcommands', 'Uses a running instance'],
    program.commands.map((command) => [
      code(command.name()),
      command.description(),
      command.commands.map((one) => code(one.name())).join(', '),
      needs(command),
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

const libraries = () =>
  table(
    ['Library', 'Language', 'About', 'Needs'],
    SNIPPETS.filter(({ group }) => group !== 'Any').map(({ name, group, about, interop }) => [
      code(name),
      group,
      about,
      interop ? 'the profile `interop`' : '',
    ]),
  );

/** Returns the language of a group for a fenced block. */
const FENCES: Readonly<Record<string, string>> = {
  Python: 'python',
  Ruby: 'ruby',
  Go: 'go',
  Apache: 'apache',
  Java: 'yaml',
  'C#': 'csharp',
};

/** Returns the settings of a library for the demo client, as on the page. */
function settingsOf(id: string): string {
  const snippet = SNIPPETS.find((one) => one.id === id);
  if (snippet === undefined) throw new Error(`there are no settings of "${id}"`);
  const issuer = 'http://localhost:4280';
  const text = snippet.text({
    issuer,
    endpoints: allAddresses(issuer, null),
    client_id: 'demo-app',
    client_secret: 'demo-secret',
    signs: false,
    redirect_uri: 'http://localhost:3000/callback',
    post_logout_redirect_uri: 'http://localhost:3000/',
    audience: issuer,
  });
  return `\`\`\`${FENCES[snippet.group] ?? ''}\n${text}\n\`\`\``;
}

const clientCases = (): string =>
  table(
    ['Case', 'Part', 'The server', 'The client', 'Section', 'What to check'],
    CLIENT_CASES.map(({ id, group, text, expected, level, section, advice }) => [
      code(id),
      CASE_GROUPS[group],
      sentence(text),
      expected === 'either' ? 'may do either' : `${level} ${expected}`,
      section,
      sentence(advice),
    ]),
  );

/** What libraries say, once for the cases that it is the same for. */
function caseLibraries(): string {
  const topics = new Map<string, (typeof CLIENT_CASES)[number][]>();
  for (const one of CLIENT_CASES) {
    const key = JSON.stringify(one.libraries);
    topics.set(key, [...(topics.get(key) ?? []), one]);
  }
  const rows = [...topics.values()].flatMap((cases) =>
    (cases[0]?.libraries ?? []).map(({ library, text }, index) => [
      index > 0 ? '' : cases.map(({ id }) => code(id)).join(', '),
      library,
      text,
    ]),
  );
  return table(['Cases', 'Library', 'How'], rows);
}

const program = await programOf({ app: '', page: '', version: '' });

/** The tables by the name in their markers. */
export const TABLES: Readonly<Record<string, string>> = {
  settings: members(settingsSchema),
  'settings throttle': members(settingsSchema, 'throttle.'),
  client: members(clientSchema),
  user: members(userSchema),
  audience: members(audienceSchema),
  api: members(apiSchema),
  'api rule': membersOf(jsonSchema(apiSchema).properties?.['rules']?.items ?? {}),
  'saved flow': members(savedFlowSchema),
  'saved request': members(savedRequestSchema),
  'fault rule': members(faultSchema),
  'fault effects': effects(),
  'client cases': clientCases(),
  'client case libraries': caseLibraries(),
  'scenario steps': scenarioSteps(),
  'scenario members': scenarioMembers(),
  'scenario expectations': scenarioExpectations(),
  'scenario proofs': scenarioProofs(),
  limits: limits(),
  'control limits': controlLimits(),
  workspace: workspaceMembers(),
  'token mistakes': tokenMistakes(),
  operations: operations(),
  commands: commands(program),
  'serve flags': flags(program, 'serve'),
  'client libraries': libraries(),
  ...causes(await readRefusals()),
};

const PLACE = /(<!-- generated: ([a-z ]+) -->\n)[^]*?(\n<!-- \/generated -->)/g;

const SETTINGS = /(<!-- settings: ([a-z0-9-]+) -->\n)[^]*?(\n<!-- \/settings -->)/g;

/** Returns the document with current tables and settings. @throws Error for an unknown name */
export function filled(text: string): string {
  const tabled = text.replace(PLACE, (_all, head: string, name: string, foot: string) => {
    if (TABLES[name] === undefined) throw new Error(`there is no table "${name}"`);
    return `${head}${TABLES[name]}${foot}`;
  });
  return tabled.replace(
    SETTINGS,
    (_all, head: string, id: string, foot: string) => `${head}${settingsOf(id)}${foot}`,
  );
}

/** Returns the names of the tables in a document. */
export const shownIn = (text: string): string[] =>
  [...text.matchAll(PLACE)].map(([, , name = '']) => name);
