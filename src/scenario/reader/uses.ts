// Whether a scenario's steps name only what exists when they are performed: variables that an earlier step
// brings, clients and users of its workspace, fault presets. Looks at steps that may be half written.

import { FAULT_PRESETS } from '../../core/faults/presets.ts';
import type { Problem } from '../../core/records/problems.ts';
import { IN_WORDS } from '../../core/records/in-words.ts';
import { pathOf, problemsOf } from '../../core/records/problems.ts';
import { faultSchema, type Workspace } from '../../core/records/schemas.ts';
import { isJsonObject } from '../../oauth/json-object.ts';
import { DEVICE_CODE_GRANT } from '../../oauth/token-request.ts';
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
  'client.basic',
  'client.redirect_uri',
  'user.sub',
  'user.password',
];
const OF_A_DEVICE = ['device_code', 'user_code'];
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

/** The proof that a step sends; undefined without one. */
const proofOf = ({ authorize, token, request }: Members): unknown =>
  membersOf(authorize ?? token ?? request)['dpop'];

/** Whether the step signs with the key that dpop_jkt is of. */
function provesOwnKey(step: Members): boolean {
  const proof = proofOf(step);
  if (!isJsonObject(proof)) return proof === true;
  return proof['key'] === undefined && proof['replay'] === undefined;
}

/** Variables that later steps can use because of this one. */
function brings(step: Members): readonly string[] {
  const proven = provesOwnKey(step) ? ['dpop_jkt'] : [];
  const saved = [...Object.keys(membersOf(step['save'])), ...proven];
  const code = step['issue_code'] ?? step['authorize'];
  if (code !== undefined) {
    const pkce = membersOf(code)['pkce'] === undefined ? [] : ['code_verifier'];
    return [...saved, ...OF_A_CODE, ...pkce];
  }
  if (step['authorize_device'] !== undefined) return [...saved, ...OF_A_DEVICE];
  const tokens = [step['issue_tokens'], step['token'], step['request']];
  return tokens.some((action) => action !== undefined) ? [...saved, ...TOKENS] : saved;
}

/** The credential that a grant sends by default, a step that brings it, and the field that it is sent in. */
const NEEDED = {
  authorization_code: ['code', '{"issue_code": {}}', 'code'],
  refresh_token: ['refresh_token', '{"issue_tokens": {}}', 'refresh_token'],
  'urn:ietf:params:oauth:grant-type:token-exchange': [
    'access_token',
    '{"issue_tokens": {}}',
    'subject_token',
  ],
  [DEVICE_CODE_GRANT]: ['device_code', '{"authorize_device": {}}', 'device_code'],
} as const;

const needsCredential = (grant: unknown): grant is keyof typeof NEEDED =>
  typeof grant === 'string' && Object.hasOwn(NEEDED, grant);

/** The variables of a step: those that it sends, those that it expects, and those that later steps can use. */
export function variablesOf(step: unknown): {
  readonly uses: readonly string[];
  readonly expects: readonly string[];
  readonly brings: readonly string[];
} {
  const members = membersOf(step);
  const { name: _name, expect, ...sent } = members;
  const { grant, fields } = membersOf(members['token']);
  const uses = usesIn(sent, []).map(({ name }) => name);
  if (needsCredential(grant)) {
    const [name, , field] = NEEDED[grant];
    if (!Object.hasOwn(membersOf(fields), field)) uses.push(name);
  }
  const expects = usesIn(expect, []).map(({ name }) => name);
  return { uses, expects, brings: brings(members) };
}

function missingCredential({ token }: Members, known: ReadonlySet<string>): string | null {
  const { grant, fields } = membersOf(token);
  if (!needsCredential(grant)) return null;
  const [name, before, field] = NEEDED[grant];
  if (known.has(name) || Object.hasOwn(membersOf(fields), field)) return null;
  return `sends {{${name}}}, but no earlier step provides one: add ${before} before it, or set fields.${field}`;
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

/** Without push, an authorization request names the key and proves nothing. */
const sendsProof = (step: Members): boolean =>
  proofOf(step) !== undefined &&
  (step['authorize'] === undefined || membersOf(step['authorize'])['push'] === true);

/** A proof that is sent again, though no earlier step sends one. */
function checkReplay(steps: readonly unknown[]): Problem[] {
  const first = steps.findIndex((step) => sendsProof(membersOf(step)));
  const step = membersOf(steps[first]);
  if (membersOf(proofOf(step))['replay'] !== true) return [];
  const action = step['token'] === undefined ? 'request' : 'token';
  const path = pathOf(['steps', first, action, 'dpop', 'replay']);
  return [{ path, message: 'needs a proof, but no earlier step sends one' }];
}

const NEEDS_CLIENT = ['issue_code', 'issue_tokens', 'authorize', 'authorize_device', 'token'];

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
  if (ids.size === 0 && NEEDS_CLIENT.includes(action)) {
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
  return [...checkVariables(steps, hint), ...checkReplay(steps), ...named];
}
