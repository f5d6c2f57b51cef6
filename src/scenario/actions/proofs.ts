// DPoP proofs of the steps of one run (RFC 9449), with the variables that they use and provide.

import { headerOf, type HttpRequest } from '../../oauth/fields.ts';
import { createProver, NothingToReplayError, type Prover } from '../../oauth/prover.ts';
import type { ProofMember } from '../proof.ts';
import type { Answer } from './answer.ts';
import type { ScenarioSandbox, WireRequest } from '../runner/sandbox.ts';
import { MissingValueError, type Variables } from './variables.ts';

export interface RunProofs {
  /** Of the key that proofs are signed with unless a step names another one. */
  readonly thumbprint: () => Promise<string>;
  /** Sends with a proof for the request; as it is without the member `dpop`. */
  readonly send: (request: WireRequest, dpop: ProofMember | undefined) => Promise<Answer>;
}

interface Ports {
  /** Holds the keys; runs that share it prove the same ones. */
  readonly prover: Prover;
  readonly variables: Variables;
  readonly request: (request: WireRequest) => Promise<Answer>;
}

type Proven = Pick<ScenarioSandbox, 'control' | 'issuer' | 'uriOf'>;

export function createRunProver({ control, issuer, uriOf }: Proven): Prover {
  return createProver({
    now: async () => Date.parse((await control.clock.get()).now),
    uriOf: uriOf ?? ((path) => new URL(issuer).origin + path),
  });
}

export function createRunProofs({ prover, variables, request }: Ports): RunProofs {
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
        // The headers of the proof are read by name; those that are sent keep their order and spelling.
        const { method, path, headers } = outgoing;
        const named = { method, path, headers: Object.fromEntries(headers) };
        const send = (proven: HttpRequest) => {
          const proof = headerOf(Object.entries(proven.headers), 'dpop') ?? '';
          return request({ ...outgoing, headers: [...headers, ['DPoP', proof]] });
        };
        return await prover.send(named, order, { send, said });
      } catch (error) {
        if (!(error instanceof NothingToReplayError)) throw error;
        throw new MissingValueError(error.message);
      }
    },
  };
}
