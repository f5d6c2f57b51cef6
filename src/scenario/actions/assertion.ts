// The action `sign_assertion`: the client signs a JWT that names a user (RFC 7523 3). The assertion with which a client
// authenticates itself (RFC 7523 2.2), and the request object of an authorization request (RFC 9101).

import {
  type AssertionKey,
  secretKey,
  signAssertion,
  signRequestObject,
} from '../../oauth/assertion.ts';
import { createProofKey } from '../../oauth/dpop.ts';
import { z } from '../../control/zod.ts';
import { given, inTitle, type Action, type Members, type Run } from './action.ts';
import { client, object, optional, record, strictRecord, user, whole } from './members.ts';
import { assertionMethod } from '../defaults.ts';
import { MissingValueError } from './variables.ts';

/** @throws MissingValueError if this run has no key of the client */
async function keyOf(client_id: string, { assertionKey }: Run['sandbox']): Promise<AssertionKey> {
  const key = await assertionKey?.(client_id);
  if (key !== undefined) return key;
  throw new MissingValueError(`${client_id} has no key here to sign with`);
}

const sandboxSeconds = async ({ control }: Run['sandbox']) =>
  Math.floor(Date.parse((await control.clock.get()).now) / 1000);

const MOST_SECONDS = 315_360_000;

/** The deliberate mistakes of a JWT that the client signs. @param replaced what `claims` replaces */
const mistakes = (replaced: string) => ({
  age_seconds: optional(
    whole(-MOST_SECONDS, MOST_SECONDS),
    'How many seconds iat is before the sandbox clock; negative for the future.',
  ),
  lifetime_seconds: optional(whole(1, MOST_SECONDS), 'Seconds from iat to exp; 300 by default.'),
  header: optional(
    record(z.unknown()),
    'Members that replace typ, alg and kid; null omits a member.',
  ),
  claims: optional(record(z.unknown()), `Claims that replace ${replaced}; null omits a claim.`),
  other_key: optional(
    z.literal(true, 'must be true'),
    'Signs with an unregistered key that has the same kid.',
  ),
});

type JwtMistakes = z.input<z.ZodMiniObject<ReturnType<typeof mistakes>>>;

/** Returns the key that signs, the time by the sandbox clock, and the mistakes of the JWT. */
async function signingOf(
  { other_key, ...wrong }: JwtMistakes,
  registered: AssertionKey,
  { sandbox, variables }: Pick<Run, 'sandbox' | 'variables'>,
) {
  const key =
    other_key === true ? { ...registered, sign: (await createProofKey()).sign } : registered;
  return { key, now: await sandboxSeconds(sandbox), order: given(variables.filled(wrong)) };
}

export const clientAssertion = optional(
  z.strictObject(mistakes('iss, sub, aud, iat, exp and jti'), object),
  'Deliberate mistakes in the assertion of client_auth client_secret_jwt or private_key_jwt.',
);

/** The members of a step that say how the client authenticates. */
interface Authentication {
  readonly client_auth?: string | undefined;
  readonly client_assertion?: z.input<typeof clientAssertion>;
}

/**
 * Signs the assertion with which the client authenticates, and saves {{client_assertion}}. Does nothing for a method
 * without an assertion.
 */
export async function signClientAssertion(
  { client_auth, client_assertion = {} }: Authentication,
  { sandbox, variables }: Run,
): Promise<void> {
  const method = assertionMethod(client_auth);
  if (method === undefined) return;
  const client_id = variables.filled('{{client.client_id}}');
  const registered =
    method === 'client_secret_jwt'
      ? secretKey(variables.filled('{{client.client_secret}}'))
      : await keyOf(client_id, sandbox);
  const { key, now, order } = await signingOf(client_assertion, registered, { sandbox, variables });
  const parties = { iss: client_id, sub: client_id, aud: sandbox.issuer };
  variables.set('client_assertion', await signAssertion(key, parties, now, order));
}

export const requestObject = strictRecord(
  mistakes('the parameters, iss, aud, iat, exp and jti'),
  "Sends the parameters as the claims of a request object (RFC 9101), which is signed with the run's key, or with the client_secret if the client is registered for an algorithm that needs it. Members make deliberate mistakes.",
);

/** Returns the parameters that are sent with the request object: itself, and those that OpenID Connect Core 6.1 requires. */
export async function asRequestObject(
  parameters: Members,
  step: z.input<typeof requestObject>,
  { sandbox, variables }: Run,
): Promise<Members> {
  const client_id = variables.filled('{{client.client_id}}');
  const client = sandbox.clients.find((one) => one.client_id === client_id);
  const registered = client?.request_object_signing_alg?.startsWith('HS')
    ? secretKey(variables.filled('{{client.client_secret}}'))
    : await keyOf(client_id, sandbox);
  const { key, now, order } = await signingOf(step, registered, { sandbox, variables });
  const request = await signRequestObject(key, { aud: sandbox.issuer, parameters }, now, order);
  const { response_type, scope } = parameters;
  return { ...given({ client_id: parameters['client_id'], response_type, scope }), request };
}

const order = strictRecord(
  {
    client: z.optional(client),
    user: z.optional(user),
    ...mistakes('iss, sub, aud, iat, exp and jti'),
  },
  "Signs an assertion of the client for the user (RFC 7523) with the run's key, which is registered for the client. Saves {{assertion}}.",
);

export const signsAssertion: Action<z.input<typeof order>> = {
  schema: order,
  answer: 'none',
  for_client: true,
  provides: () => ['assertion'],
  title: (step) => `sign an assertion${inTitle(step)}`,
  perform: async (step, { sandbox, variables }) => {
    const { client: _client, user: _user, ...wrong } = step;
    const iss = variables.filled('{{client.client_id}}');
    const sub = variables.filled('{{user.sub}}');
    const registered = await keyOf(iss, sandbox);
    const { key, now, order: wanted } = await signingOf(wrong, registered, { sandbox, variables });
    const parties = { iss, sub, aud: sandbox.issuer };
    variables.set('assertion', await signAssertion(key, parties, now, wanted));
    return null;
  },
};
