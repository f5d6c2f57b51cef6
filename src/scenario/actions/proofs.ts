// The member `dpop` of a step, which sends a DPoP proof (RFC 9449), optionally with deliberate mistakes; and the
// proofs of one run, with the variables they use and provide.

import { headerOf, type HttpRequest } from '../../oauth/fields.ts';
import { createProver, NothingToReplayError, type Prover } from '../../oauth/dpop.ts';
import type { Answer } from './answer.ts';
import type { ScenarioSandbox, WireRequest } from '../runner/scenario-sandbox.ts';
import { MissingValueError, type Variables } from './variables.ts';
import { z } from '../../control/zod.ts';
import { described } from '../../core/records/zod.ts';
import { isJsonObject } from '../../json.ts';
import { object, optional, record, text, whole } from './members.ts';

const members = record(z.unknown());

/** Maximum difference between iat and the sandbox clock, in seconds. */
const MOST_AWAY = 3_153_600_000;

/** A proof with deliberate mistakes. */
export const proofMistakes = z.strictObject(
  {
    key: optional(
      text.check(z.minLength(1, 'must not be empty')),
      'The name of another key to sign with, which is generated on first use.',
    ),
    replay: optional(
      z.literal(true, 'must be true'),
      'Sends the newest proof of an earlier step again.',
    ),
    age_seconds: optional(
      whole(-MOST_AWAY, MOST_AWAY),
      'How many seconds iat is before the sandbox clock; negative for the future.',
    ),
    header: optional(members, 'Members that replace typ, alg and jwk; null omits a member.'),
    claims: optional(
      members,
      'Claims that replace jti, htm, htu, iat, ath and nonce; null omits a claim. If this sets nonce, the step does not repeat the request when the server requires another nonce.',
    ),
  },
  object,
);

/** For an object, returns the first broken rule. */
function problem({ input, errors }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const [first] = isJsonObject(input) ? (errors[1] ?? []) : [];
  if (first === undefined) return 'must be true, or an object with deliberate mistakes';
  return [first.path.join('.'), first.message].filter((part) => part !== '').join(' ');
}

export const proofMember = described(
  z.union([z.literal(true), proofMistakes], { error: problem as z.core.$ZodErrorMap }),
  'Sends a DPoP proof (RFC 9449), signed with a key that is generated for the run. If the server requires a nonce, the request is repeated once with it. An object makes deliberate mistakes: see below.',
);

type ProofMember = z.input<typeof proofMember>;

export type RunProofs = ReturnType<typeof createRunProofs>;

interface Ports {
  /** Holds the keys; runs that share it have the same keys. */
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

export function createRunProofs({ prover, variables, request }: Ports) {
  const thumbprint = async (): Promise<string> => {
    const { jkt } = await prover.key();
    variables.set('dpop_jkt', jkt);
    return jkt;
  };
  const responseOf = ({ error, headers }: Answer) => ({ error, headers: Object.entries(headers) });
  return {
    /** Returns the thumbprint of the default key for proofs. */
    thumbprint,
    /**
     * Sends the request with a proof, or unchanged if the step has no member `dpop`.
     * @param compose called again for a repeated request, which must not have the same client assertion (RFC 7523 3)
     */
    send: async (
      compose: () => WireRequest | Promise<WireRequest>,
      dpop: ProofMember | undefined,
    ) => {
      const first = await compose();
      let outgoing: WireRequest | null = first;
      if (dpop === undefined) return request(first);
      const order = dpop === true ? {} : variables.filled(dpop);
      if (order.key === undefined && order.replay === undefined) await thumbprint();
      try {
        // Headers for the proof are read by name; sent headers keep their order and spelling.
        const { method, path, headers } = first;
        const named = { method, path, headers: Object.fromEntries(headers) };
        const send = async (proven: HttpRequest) => {
          const proof = headerOf(Object.entries(proven.headers), 'dpop') ?? '';
          const sent = outgoing ?? (await compose());
          outgoing = null;
          return request({ ...sent, headers: [...sent.headers, ['DPoP', proof]] });
        };
        return await prover.send(named, order, { send, responseOf });
      } catch (error) {
        if (!(error instanceof NothingToReplayError)) throw error;
        throw new MissingValueError(error.message);
      }
    },
  };
}
