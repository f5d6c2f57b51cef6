// The member `dpop` of a step: the request has a DPoP proof (RFC 9449), or one with deliberate mistakes.

import { z } from '../control/zod.ts';
import { isJsonObject } from '../oauth/json-object.ts';

const object = 'must be a JSON object';
const members = z.record(z.string(), z.unknown(), object);

/** iat may be this many seconds away from the sandbox clock. */
const MOST_AWAY = 3_153_600_000;

/** A proof with deliberate mistakes. */
export const proofMistakes = z.strictObject(
  {
    key: z
      .optional(z.string('must be a string').check(z.minLength(1, 'must not be empty')))
      .check(
        z.describe('The name of another key to sign with, which is made when it is first named.'),
      ),
    replay: z
      .optional(z.literal(true, 'must be true'))
      .check(z.describe('Sends the proof of an earlier step again: the newest one.')),
    age_seconds: z
      .optional(
        z
          .int('must be a whole number')
          .check(
            z.minimum(-MOST_AWAY, `must be at least -${MOST_AWAY}`),
            z.maximum(MOST_AWAY, `must be at most ${MOST_AWAY}`),
          ),
      )
      .check(
        z.describe('How many seconds iat is before the sandbox clock; less than 0 for the future.'),
      ),
    header: z
      .optional(members)
      .check(z.describe('Members that replace typ, alg and jwk; null omits one.')),
    claims: z
      .optional(members)
      .check(
        z.describe(
          'Claims that replace jti, htm, htu, iat, ath and nonce; null omits one. With a nonce of its own, the step does not answer a demand for another.',
        ),
      ),
  },
  object,
);

/** Of an object, the first rule that it breaks. */
function problem({ input, errors }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const [first] = isJsonObject(input) ? (errors[1] ?? []) : [];
  if (first === undefined) return 'must be true, or an object with deliberate mistakes';
  return [first.path.join('.'), first.message].filter((part) => part !== '').join(' ');
}

export const proofMember = z
  .union([z.literal(true), proofMistakes], { error: problem as z.core.$ZodErrorMap })
  .check(
    z.describe(
      'Sends a DPoP proof (RFC 9449), signed with a key that is made for the run, and once more with the nonce if one is demanded. An object has deliberate mistakes: see below.',
    ),
  );

export type ProofMember = z.input<typeof proofMember>;
