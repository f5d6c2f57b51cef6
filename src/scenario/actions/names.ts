// The names of the actions, and the parties of a step. Needs no schemas, so that a page can show steps without them.

import { isJsonObject } from '../../json.ts';

export const ACTION_NAMES = [
  'issue_code',
  'issue_tokens',
  'authorize',
  'authorize_device',
  'approve_device',
  'deny_device',
  'sign_assertion',
  'token',
  'request',
  'clock',
  'fault',
  'hold',
  'revoke',
  'expire',
] as const;

export type ActionName = (typeof ACTION_NAMES)[number];

type NamedStep = Readonly<Partial<Record<ActionName, unknown>>>;

export const actionOf = (step: NamedStep): ActionName =>
  ACTION_NAMES.find((name) => step[name] !== undefined) ?? 'request';

/** Actions without a client, or for any user over control. */
const WITHOUT_CLIENT: readonly ActionName[] = [
  'approve_device',
  'deny_device',
  'clock',
  'fault',
  'hold',
  'revoke',
  'expire',
];
const WITHOUT_USER: readonly ActionName[] = [
  ...WITHOUT_CLIENT.filter((action) => action !== 'approve_device'),
  'authorize_device',
  'request',
];

/** Sets the client and user of a step whose action has them and that names none; null for none. */
export function withParties<S extends NamedStep>(
  step: S,
  client_id: string | null,
  sub: string | null,
): S {
  const action = actionOf(step);
  const order = step[action];
  if (!isJsonObject(order)) return step;
  const client = client_id === null || WITHOUT_CLIENT.includes(action) ? {} : { client: client_id };
  const user = sub === null || WITHOUT_USER.includes(action) ? {} : { user: sub };
  return { ...step, [action]: { ...client, ...user, ...order } };
}
