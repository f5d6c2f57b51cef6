// Checks that steps only name existing things: variables of earlier steps, clients and users of the workspace, fault
// presets. Steps may be incomplete.

import { FAULT_PRESETS } from '../core/faults/presets.ts';
import { IN_WORDS, pathOf, type Problem, problemsOf } from '../core/records/problems.ts';
import { faultSchema, type Workspace } from '../core/records/schemas.ts';
import { membersOf } from '../json.ts';
import type { Members } from './actions/action.ts';
import { ACTIONS, neededBy, proofOf, usesIn, variablesOf, type Use } from './actions/index.ts';
import { ACTION_NAMES, type ActionName } from './actions/names.ts';
import { FILTERS } from './actions/variables.ts';
import { distance } from 'fastest-levenshtein';

// Suggestions for misspelt words. The time for comparing grows with length and number of words, so both are limited.

/** Longer words are not compared. */
const LONGEST = 100;
/** Maximum number of known words to list. */
const MOST_LISTED = 50;
/** Maximum number of problems with hints. */
const MOST_HINTS = 100;

/** Returns the most similar word; null if none is similar enough. */
function nearest(word: string, known: readonly string[]): string | null {
  if (word.length > LONGEST) return null;
  const mostTypos = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
  const measured = known
    .filter((name) => Math.abs(name.length - word.length) <= mostTypos)
    .map((name) => ({ name, far: distance(word.toLowerCase(), name.toLowerCase()) }));
  const [best] = measured.sort((a, b) => a.far - b.far);
  return best !== undefined && best.far <= mostTypos ? best.name : null;
}

function listOf(known: readonly string[]): string {
  if (known.length === 0) return '';
  const listed = known.filter((name) => name.length <= LONGEST).slice(0, MOST_LISTED);
  const more = known.length - listed.length;
  const all = more > 0 ? [...listed, `${more} more`] : listed;
  return `; there ${known.length === 1 ? 'is' : 'are'} ${all.join(', ')}`;
}

/** Returns the end of a sentence: "; did you mean body?", or a list of known words; empty after many hints. */
export type Hint = (word: string, known: Iterable<string>) => string;

export function createHint(): Hint {
  let given = 0;
  return (word, known) => {
    if (given === MOST_HINTS) return '';
    given += 1;
    const words = [...known];
    const near = nearest(word, words);
    return near === null ? listOf(words) : `; did you mean ${near}?`;
  };
}

type Path = readonly (string | number)[];

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
function missingCredential(step: Members, known: ReadonlySet<string>): string | null {
  const needed = neededBy(step);
  if (needed === null || needed.optional === true || known.has(needed.variable)) return null;
  const { variable, provided_by, field } = needed;
  return `sends {{${variable}}}, but no earlier step provides it: add ${provided_by} before this step, or set fields.${field}`;
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
    const unknown = usesIn(rest, ['steps', index])
      .filter(({ name }) => !known.has(name))
      .map(problem);
    const filters = usesIn(members, ['steps', index]).flatMap(({ filter, path }) =>
      filter === undefined || Object.hasOwn(FILTERS, filter)
        ? []
        : [
            {
              path: pathOf(path),
              message: `uses the filter ${filter}, which is unknown${hint(filter, Object.keys(FILTERS))}`,
            },
          ],
    );
    const missing = missingCredential(members, known);
    for (const name of variablesOf(members).provides) known.add(name);
    const after = usesIn(expect, ['steps', index, 'expect']).filter(({ name }) => !known.has(name));
    const credential =
      missing === null ? [] : [{ path: pathOf(['steps', index, 'token']), message: missing }];
    return [...unknown, ...filters, ...credential, ...after.map(problem)];
  });
}

/** Without push, an authorization request only names the key and has no proof. */
const sendsProof = (step: Members): boolean =>
  proofOf(step) !== undefined &&
  (step['authorize'] === undefined || membersOf(step['authorize'])['push'] === true);

/** Reports a replayed proof without an earlier one. */
function checkReplay(steps: readonly unknown[]): Problem[] {
  const first = steps.findIndex((step) => sendsProof(membersOf(step)));
  const step = membersOf(steps[first]);
  if (membersOf(proofOf(step))['replay'] !== true) return [];
  const action = step['token'] === undefined ? 'request' : 'token';
  const path = pathOf(['steps', first, action, 'dpop', 'replay']);
  return [{ path, message: 'needs a proof, but no earlier step sends one' }];
}

/** The clients and users that a step can name. */
interface Names {
  readonly ids: ReadonlySet<string>;
  readonly subs: ReadonlySet<string>;
  readonly hint: Hint;
}

const actsForClient = (name: ActionName): boolean => 'for_client' in ACTIONS[name];

function checkRecords(action: ActionName, order: Members, at: Path, names: Names): Problem[] {
  const { client, user } = order;
  const { ids, subs, hint } = names;
  const problems: Problem[] = [];
  if (ids.size === 0 && actsForClient(action)) {
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

/** @param workspace the workspace of the steps; null if it is invalid */
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
