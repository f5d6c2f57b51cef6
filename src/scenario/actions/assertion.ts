// The action `sign_assertion`: the client signs a JWT that names a user (RFC 7523 3).

import { signAssertion } from '../../oauth/assertion.ts';
import { createProofKey } from '../../oauth/dpop.ts';
import { z } from '../../control/zod.ts';
import { client, given, inTitle, object, record, user, whole, type Action } from './action.ts';
import { MissingValueError } from './variables.ts';

const MOST_SECONDS = 315_360_000;

const order = z
  .strictObject(
    {
      client: z.optional(client),
      user: z.optional(user),
      age_seconds: z
        .optional(whole(-MOST_SECONDS, MOST_SECONDS))
        .check(
          z.describe('How many seconds iat is before the sandbox clock; negative for the future.'),
        ),
      lifetime_seconds: z
        .optional(whole(1, MOST_SECONDS))
        .check(z.describe('Seconds from iat to exp; 300 by default.')),
      header: z
        .optional(record(z.unknown()))
        .check(z.describe('Members that replace typ, alg and kid; null omits a member.')),
      claims: z
        .optional(record(z.unknown()))
        .check(
          z.describe('Claims that replace iss, sub, aud, iat, exp and jti; null omits a claim.'),
        ),
      other_key: z
        .optional(z.literal(true, 'must be true'))
        .check(z.describe('Signs with an unregistered key that has the same kid.')),
    },
    object,
  )
  .check(
    z.describe(
      "Signs an assertion of the client for the user (RFC 7523) with the run's key, which is registered for the client. Saves {{assertion}}.",
    ),
  );

export const signsAssertion: Action<z.input<typeof order>> = {
  schema: order,
  answer: 'none',
  for_client: true,
  provides: () => ['assertion'],
  title: (step) => `sign an assertion${inTitle(step)}`,
  perform: async (step, { sandbox, variables }) => {
    const { client: _client, user: _user, other_key, ...wrong } = step;
    const iss = variables.filled('{{client.client_id}}');
    const sub = variables.filled('{{user.sub}}');
    const registered = await sandbox.assertionKey?.(iss);
    if (registered === undefined) {
      throw new MissingValueError(`${iss} has no key here that can sign an assertion`);
    }
    const key =
      other_key === true ? { ...registered, sign: (await createProofKey()).sign } : registered;
    const now = Math.floor(Date.parse((await sandbox.control.clock.get()).now) / 1000);
    const parties = { iss, sub, aud: sandbox.issuer };
    variables.set(
      'assertion',
      await signAssertion(key, parties, now, given(variables.filled(wrong))),
    );
    return null;
  },
};
