// Whether a scenario's steps name only what exists when they are performed: variables that an earlier step
// brings, clients and users of its workspace, fault presets. Looks at steps that may be half written.

import { FAULT_PRESETS } from '../../core/faults/presets.ts';
import type { Problem } from '../../core/records/problems.ts';
import { IN_WORDS } from '../../core/records/in-words.ts';
import { pathOf, problemsOf } from '../../core/records/problems.ts';
import { faultSchema, type Workspace } from '../../core/records/schemas.ts';
import { isJsonObject } from '../../oauth/json-object.ts';
import { ACTION_NAMES } from '../step-rules.ts';
import type { Hint } from './nearest.ts';

type Members = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

const membersOf = (value: unknown): Members => (isJsonObject(value) ? value : {});

const VARIABLE = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** Variables that every step can use. */
const ALWAYS = [
  'issuer',
  'client.client_id',
  'client.client_secret',
  'client.redirect_uri',
  'user.sub',
];
const OF_A_CODE = ['code', 'redirect_uri', 'audience'];
const TOKENS = ['access_token', 'refresh_token', 'id_token'];

interface Use {
  readonly name: string;
  readonly path: Path;
}

function usesIn(value: unknown, path: Path): Use[] {
  if (typeof value === 'string') {
    return [...value.matchAll(VARIABLE)].map(([, name = '']) => ({ name, path }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    usesIn(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** Variables that later steps can use because of this one. */
function brings(step: Members): readonly string[] {
  const saved = Object.keys(membersOf(step['save']));
  const code = step['issue_code'] ?? step['authorize'];
  if (code !== undefined) {
    const pkce = membersOf(code)['pkce'] === undefined ? [] : ['code_verifier'];
    return [...saved, ...OF_A_CODE, ...pkce];
  }
  const tokens = [step['issue_tokens'], step['token'], step['request']];
  return tokens.some((action) => action !== undefined) ? [...saved, ...TOKENS] : saved;
}

/** The credential that a grant sends by default, and a step that brings it. */
const NEEDED = {
  authorization_code: ['code', '{"issue_code": {}}'],
  refresh_token: ['refresh_token', '{"issue_tokens": {}}'],
} as const;

function missingCredential({ token }: Members, known: ReadonlySet<string>): string | null {
  const { grant, fields } = membersOf(token);
  if (grant !== 'authorization_code' && grant !== 'refresh_token') return null;
  const [name, before] = NEEDED[grant];
  if (known.has(name) || Object.hasOwn(membersOf(fields), name)) return null;
  return `sends {{${name}}}, but no earlier step provides one: add ${before} before it, or set fields.${name}`;
}

function checkVariables(steps: readonly unknown[], hint: Hint): Problem[] {
  const known = new Set(ALWAYS);
  return steps.flatMap((step, index): Problem[] => {
    const members = membersOf(step);
    const { name: _name, expect, ...rest } = members;
    const problem = ({ name, path }: Use): Problem => ({
      path: pathOf(path),
      message: `uses {{${name}}}, which no earlier step provides${hint(name, known)}`,
    });
    const unknown = usesIn(rest, ['steps', index]).filter(({ name }) => !known.has(name));
    const missing = missingCredential(members, known);
    for (const name of brings(members)) known.add(name);
    const after = usesIn(expect, ['steps', index, 'expect']).filter(({ name }) => !known.has(name));
    const credential =
      missing === null ? [] : [{ path: pathOf(['steps', index, 'token']), message: missing }];
    return [...unknown.map(problem), ...credential, ...after.map(problem)];
  });
}

/** The records of the workspace by name. */
interface Names {
  readonly ids: ReadonlySet<string>;
  readonly subs: ReadonlySet<string>;
  readonly hint: Hint;
}

function checkRecords(action: string, order: Members, at: Path, names: Names): Problem[] {
  const { client, user } = order;
  const { ids, subs, hint } = names;
  const problems: Problem[] = [];
  if (ids.size === 0 && ['issue_code', 'issue_tokens', 'authorize', 'token'].includes(action)) {
    problems.push({ path: pathOf(at), message: 'needs a client, but the workspace has none' });
  } else if (typeof client === 'string' && !ids.has(client)) {
    const message = `is "${client}", which is not a client of the workspace${hint(client, ids)}`;
    problems.push({ path: pathOf([...at, 'client']), message });
  }
  if (typeof user === 'string' && !subs.has(user)) {
    const message = `is "${user}", which is not a user of the workspace${hint(user, subs)}`;
    problems.push({ path: pathOf([...at, 'user']), message });
  }
  return problems;
}

function checkFault(order: unknown, at: Path, hint: Hint): Problem[] {
  const { preset, ...rule } = typeof order === 'string' ? { preset: order } : membersOf(order);
  const ready = FAULT_PRESETS.find(({ id }) => id === preset);
  if (typeof preset === 'string' && ready === undefined) {
    const ids = FAULT_PRESETS.map(({ id }) => id);
    const path = typeof order === 'string' ? at : [...at, 'preset'];
    const message = `is "${preset}", which is not a preset${hint(preset, ids)}`;
    return [{ path: pathOf(path), message }];
  }
  const whole = { id: 'fault', ...ready?.fault, ...rule };
  const { error } = faultSchema.safeParse(whole, IN_WORDS);
  return problemsOf(error?.issues ?? [], whole).map(({ path, message }) => ({
    path: path === '' ? pathOf(at) : `${pathOf(at)}${path.startsWith('[') ? '' : '.'}${path}`,
    message,
  }));
}

/** @param workspace what the steps find registered; null when it has problems itself */
export function checkUses(
  steps: readonly unknown[],
  workspace: Workspace | null,
  hint: Hint,
): Problem[] {
  const names: Names | null = workspace && {
    ids: new Set(workspace.clients.map(({ client_id }) => client_id)),
    subs: new Set(workspace.users.map(({ sub }) => sub)),
    hint,
  };
  const named = steps.flatMap((step, index) =>
    ACTION_NAMES.flatMap((action): Problem[] => {
      const order = membersOf(step)[action];
      const at = ['steps', index, action];
      if (order === undefined) return [];
      if (action === 'fault') return checkFault(order, at, hint);
      return names === null ? [] : checkRecords(action, membersOf(order), at, names);
    }),
  );
  return [...checkVariables(steps, hint), ...named];
}
