// Finds secrets in saved flows and requests, which must not contain any, and names their members.

import { pathOf, type Problem, within } from '../../core/records/problems.ts';
import type { SavedFlow, SavedRequest, Workspace } from '../../core/records/schemas.ts';

type HoldsSecret = (text: string) => boolean;

const MESSAGE = 'contains a secret of this sandbox, which is not saved';

function* membersOf(value: object): Generator<readonly [PropertyKey, unknown]> {
  if (Array.isArray(value)) yield* value.entries();
  else yield* Object.entries(value);
}

function problemsIn(value: unknown, path: readonly PropertyKey[], is: HoldsSecret): Problem[] {
  if (typeof value === 'string') {
    return is(value) ? [{ path: pathOf(path), message: MESSAGE }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return [...membersOf(value)].flatMap(([name, member]) =>
    typeof name === 'string' && is(name)
      ? [{ path: pathOf(path), message: MESSAGE }]
      : problemsIn(member, [...path, name], is),
  );
}

/** Texts that every scenario contains are not secrets. */
const ALWAYS_THERE = 'format';

export const flowSecrets = ({ scenario }: SavedFlow, holdsSecret: HoldsSecret): Problem[] => {
  const { [ALWAYS_THERE]: _format, ...own } = scenario;
  return problemsIn(own, ['scenario'], holdsSecret);
};

export const requestSecrets = (
  { template, client_id, method, path, headers, body }: SavedRequest,
  holdsSecret: HoldsSecret,
): Problem[] => problemsIn({ template, client_id, method, path, headers, body }, [], holdsSecret);

/** Returns the problems of a workspace document. */
export const savedSecrets = (
  { saved_flows = [], saved_requests = [] }: Workspace,
  holdsSecret: HoldsSecret,
): Problem[] => [
  ...saved_flows.flatMap((flow, n) => within(`saved_flows[${n}]`, flowSecrets(flow, holdsSecret))),
  ...saved_requests.flatMap((request, n) =>
    within(`saved_requests[${n}]`, requestSecrets(request, holdsSecret)),
  ),
];
