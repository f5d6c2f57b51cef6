// Responses that are signed as a JWT instead of sent as JSON: userinfo (OpenID Connect Core 5.3.2) and introspection
// (RFC 9701).

import type { Domain } from '../model/domain.ts';
import type { RESPONSE_ALGS } from '../records/enumerations.ts';
import type { Client } from '../records/schemas.ts';

/** The media type of a signed introspection response (RFC 9701 5). */
export const INTROSPECTION_JWT = 'application/token-introspection+jwt';

/** The response as a compact JWS. */
export class SignedAnswer {
  readonly jwt: string;

  constructor(jwt: string) {
    this.jwt = jwt;
  }
}

/** Signs the claims for a client, with a key that is generated if there is none for the algorithm. */
export async function signAnswer(
  { keyring, issuer }: Domain,
  claims: object,
  typ: string,
  { client_id }: Client,
  alg: (typeof RESPONSE_ALGS)[number],
): Promise<SignedAnswer> {
  const members = { ...claims, iss: issuer(), aud: client_id };
  return new SignedAnswer(await keyring.sign(members, typ, alg));
}
