// What the steps of one run work with, over the ports that the runner was handed.

import type { Exchange } from '../../control/schemas.ts';
import type { Run } from '../actions/action.ts';
import { answerOf } from '../actions/answer.ts';
import { createRunProofs, createRunProver } from '../actions/proofs.ts';
import type { Prover } from '../../oauth/dpop.ts';
import { createVariables, type Variables } from '../actions/variables.ts';
import type { HttpAnswer, ScenarioControl, ScenarioSandbox } from './sandbox.ts';

/** Seconds to wait for an exchange to be recorded: the server is the last to learn of a broken connection. */
const LATE_S = 2;

/** The exchange of the newest answer: by its number, or when the answer names none, the next one recorded. */
function createExchangeFinder(control: ScenarioControl) {
  let last = 0;
  return async ({ exchange }: HttpAnswer): Promise<Exchange | null> => {
    if (typeof exchange === 'object' && exchange !== null) return exchange;
    const after = exchange === null ? last : exchange - 1;
    const { items } = await control.exchanges.list({ after, wait_seconds: LATE_S });
    const [newest] = items;
    if (newest === undefined) return null;
    // In a sandbox that others use too, the newest one may be theirs.
    last = exchange ?? newest.number;
    return control.exchanges.get({ number: last });
  };
}

interface RunParts {
  readonly variables?: Variables;
  /** Of an earlier run whose tokens are bound to its key. */
  readonly prover?: Prover;
}

export function createRun(
  sandbox: ScenarioSandbox,
  { variables = createVariables(), prover = createRunProver(sandbox) }: RunParts = {},
): Run {
  const { control, issuer, send } = sandbox;
  const exchangeOf = createExchangeFinder(control);
  variables.set('issuer', issuer);
  const request: Run['request'] = async (outgoing, signal) => {
    const answer = await send(outgoing, signal);
    return answerOf(answer, await exchangeOf(answer));
  };
  return {
    sandbox,
    variables,
    base: new URL(issuer).pathname.replace(/\/$/, ''),
    request,
    codes: new Map(),
    prover,
    proofs: createRunProofs({ prover, variables, request }),
  };
}

/** The same run as long as the signal allows: what it sends is given up then. */
export function during(
  { prover, variables, request: send, ...run }: Run,
  signal: AbortSignal,
): Run {
  const request: Run['request'] = (outgoing) => send(outgoing, signal);
  const proofs = createRunProofs({ prover, variables, request });
  return { ...run, prover, variables, request, proofs };
}

/** The same run with variables of its own: what it obtains never flows back, and its proofs have the same keys. */
export function forkRun({ prover, request, variables: parent, ...run }: Run): Run {
  const variables = parent.fork();
  const proofs = createRunProofs({ prover, variables, request });
  return { ...run, prover, request, variables, proofs, codes: new Map(run.codes) };
}
