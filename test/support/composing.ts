// Composes the requests of steps without sending them.

import type { Composing } from '../../src/scenario/actions/action.ts';
import { composeStep } from '../../src/scenario/actions/index.ts';
import { exactly } from '../../src/scenario/actions/request.ts';
import { createVariables } from '../../src/scenario/actions/variables.ts';
import type { WireRequest } from '../../src/scenario/runner/scenario-sandbox.ts';

export const composing = (values: Readonly<Record<string, string>> = {}): Composing => ({
  variables: createVariables(new Map(Object.entries(values))),
  serverPath: (path) => path,
  sandbox: { clients: [], users: [] },
});

/** The composed request of a step that sends exactly this request. */
export function sentExactly(request: WireRequest): WireRequest | null {
  const run = composing({ code: 'filled in' });
  return composeStep(exactly(request, run), run);
}
