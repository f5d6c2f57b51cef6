// What mistakes require of the run, such as a client with a secret.

import type { Client, Profile, Settings } from '../../control/schemas.ts';
import { assertionMethod } from '../defaults.ts';
import type { CalledApi } from '../protected-apis.ts';

/** The client and user that make the mistakes, and the settings that apply. */
export interface Requester {
  readonly client: Client;
  readonly user: { readonly sub: string; readonly has_password: boolean } | null;
  /** Whether correct token requests have a DPoP proof, because the client must bind its tokens. */
  readonly proves: boolean;
  /** Whether correct authorization requests are pushed (RFC 9126). */
  readonly pushes: boolean;
  /** Another client that may use the same grants; null if there is none. */
  readonly other_client: Client | null;
  /** The client for mistakes in client assertions, with the same profile; null if there is none. */
  readonly signing_client: Client | null;
  /** A registered audience for which the credentials are not valid; any other audience if there is none. */
  readonly other_audience: string;
  readonly profile: Profile;
  readonly settings: Pick<Settings, 'authorize' | 'access_token_format' | 'registration'>;
  /** An access token from before the last reset; null if there is none. */
  readonly former_token: string | null;
  /** A protected API that needs a scope; null if there is none. */
  readonly api: CalledApi | null;
}

/** Returns the method of a client that authenticates with assertions, in a profile that accepts them. */
export const assertionMethodOf = (client: Client | null, profile: Profile) =>
  profile === 'interop' ? assertionMethod(client?.token_endpoint_auth_method) : undefined;

/** Why there is no client that signs by one of these methods. */
const signingObstacle =
  (...methods: readonly Client['token_endpoint_auth_method'][]) =>
  ({ profile, signing_client }: Requester): string | null => {
    if (profile !== 'interop') return 'Only the interop profile accepts client assertions.';
    return signing_client !== null && methods.includes(signing_client.token_endpoint_auth_method)
      ? null
      : `Needs a client that is registered for ${methods.join(' or ')}.`;
  };

/** What a mistake can require of the run: returns a sentence if that is missing. */
export const MISSING = {
  other_client: ({ other_client }) =>
    other_client === null ? 'Needs a second client that may use the grant.' : null,
  secret: ({ client, profile }) => {
    if (client.client_secret === null) return 'This client has no secret.';
    return assertionMethodOf(client, profile) === undefined
      ? null
      : 'This client signs an assertion instead of sending its secret.';
  },
  client_id: ({ client, profile }) =>
    assertionMethodOf(client, profile) === undefined
      ? null
      : 'The assertion of this client also names the client.',
  client_assertion: signingObstacle('private_key_jwt', 'client_secret_jwt'),
  client_assertion_key: signingObstacle('private_key_jwt'),
  client_assertion_secret: signingObstacle('client_secret_jwt'),
  client_assertion_only: ({ signing_client }) =>
    (signing_client?.client_secret ?? null) === null
      ? null
      : 'This client may send its secret instead.',
  registration: ({ settings }) =>
    settings.registration.mode === 'open'
      ? null
      : `Needs open registration; the setting registration is ${settings.registration.mode}.`,
  sign_in_page: ({ settings }) =>
    settings.authorize === 'consent'
      ? null
      : `Needs the sign-in page; the setting authorize is ${settings.authorize}.`,
  approval: ({ settings }) =>
    settings.authorize === 'deny'
      ? 'Needs an approval of the user; the setting authorize is deny.'
      : null,
  user_password: ({ user }) =>
    user?.has_password === true ? null : 'This user has no password, so any password is accepted.',
  jwt_access_token: ({ client, settings }) =>
    (client.access_token_format ?? settings.access_token_format) === 'opaque'
      ? 'Needs a JWT; the access tokens of this client are opaque.'
      : null,
  refresh_token: ({ client }) =>
    client.grant_types.includes('refresh_token')
      ? null
      : 'This client may not use the grant refresh_token, so it has no refresh token.',
  id_token_response: ({ client, profile }) =>
    profile === 'interop' && client.grant_types.includes('implicit')
      ? null
      : 'Needs a client with the grant implicit, in the interop profile.',
  request_object_key: ({ client: { request_object_signing_alg: alg = 'ES256', jwks_uri } }) =>
    alg === 'ES256' && jwks_uri === undefined
      ? null
      : 'Needs a client whose keys are registered here and whose request objects are signed with ES256.',
  direct_request: ({ pushes }) =>
    pushes ? 'Needs an authorization request that is not pushed.' : null,
  required_proof: ({ proves }) =>
    proves ? null : 'Needs a client that must bind its tokens, in the interop profile.',
  optional_proof: ({ proves }) =>
    proves ? 'This client must always send a proof, even if its code is not bound to a key.' : null,
  bound_refresh_token: ({ client, profile }) =>
    client.client_secret === null &&
    client.token_endpoint_auth_method !== 'private_key_jwt' &&
    profile === 'interop'
      ? null
      : 'Only the refresh token of a public client is bound to a key, in the interop profile.',
  former_token: ({ former_token }) =>
    former_token === null ? 'Needs an access token from before a reset of the sandbox.' : null,
  protected_api: ({ api }) =>
    api === null ? 'Needs a protected API whose first rule for GET requires only a scope.' : null,
  interop: ({ profile }) =>
    profile === 'interop' ? null : 'Only the interop profile binds tokens to a key.',
} satisfies Readonly<Record<string, (requester: Requester) => string | null>>;

export type Need = keyof typeof MISSING;
