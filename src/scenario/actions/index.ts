// All actions. A step has exactly one.

import { isJsonObject, membersOf } from '../../json.ts';
import {
  chooseParties,
  type Action,
  type Composing,
  type Members,
  type Needed,
  type Run,
} from './action.ts';
import type { Answer } from './answer.ts';
import { signClientAssertion, signsAssertion } from './assertion.ts';
import { authorize, issueCode } from './authorization.ts';
import { approveDevice, authorizeDevice, denyDevice } from './device.ts';
import { expire, issueTokens, revoke } from './issued-tokens.ts';
import { ACTION_NAMES, actionOf, type ActionName } from './names.ts';
import { request } from './request.ts';
import { clock, fault, hold } from './sandbox.ts';
import { token } from './token.ts';
import { VARIABLE } from './variables.ts';
import type { WireRequest } from '../runner/scenario-sandbox.ts';

export const ACTIONS = {
  issue_code: issueCode,
  issue_tokens: issueTokens,
  authorize,
  authorize_device: authorizeDevice,
  approve_device: approveDevice,
  deny_device: denyDevice,
  sign_assertion: signsAssertion,
  token,
  request,
  clock,
  fault,
  hold,
  revoke,
  expire,
} as const satisfies Readonly<Record<ActionName, unknown>>;

type ParametersOf<A> = A extends Action<infer P> ? P : never;

/** The member of a step that names its action and has the parameters. */
type StepAction = {
  readonly [A in ActionName]?: ParametersOf<(typeof ACTIONS)[A]> | undefined;
};

interface TitledStep extends StepAction {
  readonly name?: string | undefined;
  readonly repeat?:
    number | { readonly times: number; readonly until?: number | undefined } | undefined;
}

const withParameters = (step: StepAction) => {
  const name = actionOf(step);
  return { action: ACTIONS[name] as Action<unknown>, parameters: step[name] as unknown };
};

/** Performs a step once. @throws MissingValueError, and errors of control */
export function performStep(step: StepAction, run: Run): Promise<Answer | null> {
  const { action, parameters } = withParameters(step);
  chooseParties(run, membersOf(parameters));
  return action.perform(parameters, run);
}

/** Signs the assertion that the request of a step sends, so that the request can be composed. */
export async function signFor(step: StepAction, run: Run): Promise<void> {
  chooseParties(run, membersOf(withParameters(step).parameters));
  await signClientAssertion(step.token ?? step.authorize_device ?? {}, run);
}

/** Returns the request that a step would send now; null unless it sends exactly one. @throws MissingValueError */
export function composeStep(step: StepAction, run: Composing): WireRequest | null {
  const { action, parameters } = withParameters(step);
  chooseParties(run, membersOf(parameters));
  return action.compose?.(parameters, run) ?? null;
}

/** Returns the title of a step in reports: its name, or a short description. */
export function titleOf(step: TitledStep): string {
  if (step.name !== undefined) return step.name;
  const { action, parameters } = withParameters(step);
  const { repeat = 1 } = step;
  const { times, until } = typeof repeat === 'object' ? repeat : { times: repeat };
  const most = until === undefined ? '' : 'up to ';
  return `${action.title(parameters)}${times === 1 ? '' : `, ${most}${times} times`}`;
}

export interface Use {
  readonly name: string;
  readonly filter: string | undefined;
  readonly path: readonly (string | number)[];
}

export function usesIn(value: unknown, path: Use['path']): Use[] {
  if (typeof value === 'string') {
    return [...value.matchAll(VARIABLE)].map(([, name = '', filter]) => ({ name, filter, path }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    usesIn(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** Returns the member `dpop` of a step; undefined without one. */
export const proofOf = ({ authorize: asked, token: sent, request: other }: Members): unknown =>
  membersOf(asked ?? sent ?? other)['dpop'];

/** Whether the step uses the key that dpop_jkt names. */
function provesOwnKey(step: Members): boolean {
  const proof = proofOf(step);
  if (!isJsonObject(proof)) return proof === true;
  return proof['key'] === undefined && proof['replay'] === undefined;
}

function actionIn(step: Members) {
  const name = ACTION_NAMES.find((action) => step[action] !== undefined);
  if (name === undefined) return null;
  return { action: ACTIONS[name] as Action<unknown>, members: membersOf(step[name]) };
}

/** Returns the credential that a step sends by default; null if it sends none or a field replaces it. */
export function neededBy(step: Members): Needed | null {
  const found = actionIn(step);
  return found?.action.needs?.(found.members) ?? null;
}

/** Returns the variables of a step, which may be incomplete: those that it sends, expects and provides. */
export function variablesOf(step: unknown): {
  readonly uses: readonly string[];
  readonly expects: readonly string[];
  readonly provides: readonly string[];
} {
  const members = membersOf(step);
  const { name: _name, expect, ...sent } = members;
  const needed = neededBy(members);
  const found = actionIn(members);
  return {
    uses: [
      ...usesIn(sent, []).map(({ name }) => name),
      ...(needed === null ? [] : [needed.variable]),
    ],
    expects: usesIn(expect, []).map(({ name }) => name),
    provides: [
      ...Object.keys(membersOf(members['save'])),
      ...(provesOwnKey(members) ? ['dpop_jkt'] : []),
      ...(found?.action.provides(found.members) ?? []),
    ],
  };
}
