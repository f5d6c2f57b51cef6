// The action `sign_assertion`: the client signs a JWT that names a user (RFC 7523 3). The assertion with which a client
// authenticates itself (RFC 7523 2.2).

import { type AssertionKey, secretKey, signAssertion } from '../../oauth/assertion.ts';
import { createProofKey } from '../../oauth/dpop.ts';
import { z } from '../../control/zod.ts';
import {
  client,
  given,
  inTitle,
  object,
  record,
  user,
  whole,
  type Action,
  type Run,
} from './action.ts';
import { MissingValueError } from './variables.ts';

/** @throws MissingValueError if this run has no key of the client */
async function keyOf(client_id: string, { assertionKey }: Run['sandbox']): Promise<AssertionKey> {
  const key = await assertionKey?.(client_id);
  if (key !== undefined) return key;
  throw new MissingValueError(`${client_id} has no key here that can sign an assertion`);
}

const sandboxSeconds = async ({ control }: Run['sandbox']) =>
  Math.floor(Date.parse((await control.clock.get()).now) / 1000);

/**
 * Signs an assertion with which the client authenticates, and saves {{client_assertion}}.
 * @param method does nothing unless it is one with an assertion
 */
export async function signClientAssertion(
  method: string | undefined,
  { sandbox, variables }: Run,
): Promise<void> {
  if (method !== 'client_secret_jwt' && method !== 'private_key_jwt') return;
  const client_id = variables.filled('{{client.client_id}}');
  const key =
    method === 'client_secret_jwt'
      ? secretKey(variables.filled('{{client.client_secret}}'))
      : await keyOf(client_id, sandbox);
  const parties = { iss: client_id, sub: client_id, aud: sandbox.issuer };
  const assertion = await signAssertion(key, parties, await sandboxSeconds(sandbox));
  variables.set('client_assertion', assertion);
}

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
    const registered = await keyOf(iss, sandbox);
    const key =
      other_key === true ? { ...registered, sign: (await createProofKey()).sign } : registered;
    const now = await sandboxSeconds(sandbox);
    const parties = { iss, sub, aud: sandbox.issuer };
    variables.set(
      'assertion',
      await signAssertion(key, parties, now, given(variables.filled(wrong))),
    );
    return null;
  },
};
