// What the steps of one running scenario work with: its sandbox, the values that earlier steps brought,
// and answers together with the exchange that the sandbox recorded of each.

import type { Exchange } from '../../control/schemas.ts';
import type { HttpRequest } from '../../oauth/fields.ts';
import { answerOf, type Answer } from './answer.ts';
import type { CodeFacts } from './codes.ts';
import { createRunProofs, type RunProofs } from './proofs.ts';
import type { HttpAnswer, ScenarioControl, ScenarioSandbox } from './sandbox.ts';
import { createVariables, type Variables } from './variables.ts';

export interface RunState {
  readonly sandbox: ScenarioSandbox;
  readonly variables: Variables;
  /** What the paths of the endpoints begin with; empty unless the issuer has a path. */
  readonly base: string;
  /** The answer with its exchange. */
  readonly request: (request: HttpRequest) => Promise<Answer>;
  readonly proofs: RunProofs;
  /** Every code that a step brought. */
  readonly codes: Map<string, CodeFacts>;
}

/** Seconds to wait for an exchange to be recorded: the server is the last to learn of a broken connection. */
const LATE_S = 2;

/** The exchange of the newest answer: by its number, or when the answer names none, the next one recorded. */
function createExchangeFinder(control: ScenarioControl) {
  let last = 0;
  return async ({ exchange }: HttpAnswer): Promise<Exchange | null> => {
    const after = exchange === null ? last : exchange - 1;
    const { items } = await control.exchanges.list({ after, wait_seconds: LATE_S });
    const [newest] = items;
    if (newest === undefined) return null;
    // In a sandbox that others use too, the newest one may be theirs.
    last = exchange ?? newest.number;
    return control.exchanges.get({ number: last });
  };
}

export function createRunState(sandbox: ScenarioSandbox): RunState {
  const { control, issuer, send } = sandbox;
  const exchangeOf = createExchangeFinder(control);
  const variables = createVariables();
  variables.set('issuer', issuer);
  const request = async (outgoing: HttpRequest): Promise<Answer> => {
    const answer = await send(outgoing);
    return answerOf(answer, await exchangeOf(answer));
  };
  return {
    sandbox,
    variables,
    base: new URL(issuer).pathname.replace(/\/$/, ''),
    request,
    codes: new Map(),
    proofs: createRunProofs({ sandbox, variables, request }),
  };
}
