// The claims about a user in an id_token: standard ones by scope (OpenID Connect Core 5.1 and 5.4), and the
// custom ones where the client has it so.

import type { Client, User } from '../records/schemas.ts';

/** The standard claims that each scope requests (OpenID Connect Core 5.4). */
const CLAIMS_OF_SCOPE: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'profile',
    [
      ...['name', 'family_name', 'given_name', 'middle_name', 'nickname', 'preferred_username'],
      ...['profile', 'picture', 'website', 'gender', 'birthdate', 'zoneinfo', 'locale'],
      'updated_at',
    ],
  ],
  ['email', ['email', 'email_verified']],
  ['address', ['address']],
  ['phone', ['phone_number', 'phone_number_verified']],
]);

export const STANDARD_CLAIMS: readonly string[] = [...CLAIMS_OF_SCOPE.values()].flat();

/** Claims that only the service can know: of the request, or of what is issued with the id_token. */
const OF_THE_SERVICE: readonly string[] = ['auth_time', 'nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * The claims of the user that an id_token has.
 * @param scopes those granted
 */
export function userClaims(
  { name, email, claims }: User,
  scopes: readonly string[],
  { claims_in_id_token }: Pick<Client, 'claims_in_id_token'>,
): Record<string, unknown> {
  const requested = new Set(scopes.flatMap((scope) => CLAIMS_OF_SCOPE.get(scope) ?? []));
  const isIncluded = (claim: string) =>
    STANDARD_CLAIMS.includes(claim)
      ? requested.has(claim)
      : claims_in_id_token && !OF_THE_SERVICE.includes(claim);
  const all = { ...claims, ...(name === '' ? {} : { name }), ...(email === '' ? {} : { email }) };
  return Object.fromEntries(Object.entries(all).filter(([claim]) => isIncluded(claim)));
}
