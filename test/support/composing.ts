// What requests of steps are composed of, where nothing is sent.

import type { Composing } from '../../src/scenario/actions/action.ts';
import { composeStep } from '../../src/scenario/actions/index.ts';
import { exactly } from '../../src/scenario/actions/request.ts';
import { createVariables } from '../../src/scenario/actions/variables.ts';
import type { WireRequest } from '../../src/scenario/runner/sandbox.ts';

export const composing = (values: Readonly<Record<string, string>> = {}): Composing => ({
  variables: createVariables(new Map(Object.entries(values))),
  base: '',
  sandbox: { clients: [], users: [] },
});

/** The request that the step which sends exactly this one comes to. */
export function sentExactly(request: WireRequest): WireRequest | null {
  const run = composing({ code: 'filled in' });
  return composeStep(exactly(request, run), run);
}
