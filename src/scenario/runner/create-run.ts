// Creates the context of the steps in one run from the runner's ports.

import type { Exchange } from '../../control/schemas.ts';
import type { Run } from '../actions/action.ts';
import { answerOf } from '../actions/answer.ts';
import { createRunProofs, createRunProver } from '../actions/proofs.ts';
import type { Prover } from '../../oauth/dpop.ts';
import { createVariables, type Variables } from '../actions/variables.ts';
import { serverPathsOf } from '../server-paths.ts';
import type { HttpAnswer, ScenarioControl, ScenarioSandbox } from './scenario-sandbox.ts';

/** Seconds to wait until an exchange is recorded, because the server detects a broken connection late. */
const LATE_S = 2;

/** Returns the exchange of the newest response: by its number or, without one, the next recorded exchange. */
function createExchangeFinder(control: ScenarioControl) {
  let last = 0;
  return async ({ exchange }: HttpAnswer): Promise<Exchange | null> => {
    if (typeof exchange === 'object' && exchange !== null) return exchange;
    const after = exchange === null ? last : exchange - 1;
    const { items } = await control.exchanges.list({ after, wait_seconds: LATE_S });
    const [newest] = items;
    if (newest === undefined) return null;
    // In a shared sandbox, the newest exchange may belong to another user.
    last = exchange ?? newest.number;
    return control.exchanges.get({ number: last });
  };
}

interface RunParts {
  readonly variables?: Variables;
  /** The proofs of an earlier run whose tokens are bound to its key. */
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
    serverPath: serverPathsOf(sandbox),
    request,
    codes: new Map(),
    prover,
    proofs: createRunProofs({ prover, variables, request }),
  };
}

/** Returns the run with a signal that aborts its requests. */
export function during(
  { prover, variables, request: send, ...run }: Run,
  signal: AbortSignal,
): Run {
  const request: Run['request'] = (outgoing) => send(outgoing, signal);
  const proofs = createRunProofs({ prover, variables, request });
  return { ...run, prover, variables, request, proofs };
}

/** Returns a copy of the run with separate variables and the same keys for proofs. */
export function forkRun({ prover, request, variables: parent, ...run }: Run): Run {
  const variables = parent.fork();
  const proofs = createRunProofs({ prover, variables, request });
  return { ...run, prover, request, variables, proofs, codes: new Map(run.codes) };
}
