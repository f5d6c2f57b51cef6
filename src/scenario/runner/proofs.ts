// DPoP proofs of the steps of one run (RFC 9449), with the variables that they use and bring.

import type { HttpRequest } from '../../oauth/fields.ts';
import { createProver, NothingToReplayError } from '../../oauth/prover.ts';
import type { ProofMember } from '../proof.ts';
import type { Answer } from './answer.ts';
import type { ScenarioSandbox } from './sandbox.ts';
import { MissingValueError, type Variables } from './variables.ts';

export interface RunProofs {
  /** Of the key that proofs are signed with unless a step names another one. */
  readonly thumbprint: () => Promise<string>;
  /** Sends with a proof for the request; as it is without the member `dpop`. */
  readonly send: (request: HttpRequest, dpop: ProofMember | undefined) => Promise<Answer>;
}

interface Ports {
  readonly sandbox: Pick<ScenarioSandbox, 'control' | 'issuer' | 'uriOf'>;
  readonly variables: Variables;
  readonly request: (request: HttpRequest) => Promise<Answer>;
}

export function createRunProofs({ sandbox, variables, request }: Ports): RunProofs {
  const { control, issuer, uriOf = (path: string) => new URL(issuer).origin + path } = sandbox;
  const prover = createProver({
    now: async () => Date.parse((await control.clock.get()).now),
    uriOf,
  });
  const thumbprint = async (): Promise<string> => {
    const { jkt } = await prover.key();
    variables.set('dpop_jkt', jkt);
    return jkt;
  };
  const said = ({ error, headers }: Answer) => ({ error, headers: Object.entries(headers) });
  return {
    thumbprint,
    send: async (outgoing, dpop) => {
      if (dpop === undefined) return request(outgoing);
      const order = dpop === true ? {} : variables.filled(dpop);
      if (order.key === undefined && order.replay === undefined) await thumbprint();
      try {
        return await prover.send(outgoing, order, { send: request, said });
      } catch (error) {
        if (!(error instanceof NothingToReplayError)) throw error;
        throw new MissingValueError(error.message);
      }
    },
  };
}
