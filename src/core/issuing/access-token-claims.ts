// The claim sets of self-contained access tokens: RFC 9068, and the one that Auth0 has by default.

import type { AccessTokenFormat, Client, User } from '../records/schemas.ts';

/** Formats that carry claims. */
export type ClaimsFormat = Exclude<AccessTokenFormat, 'opaque'>;

export interface ClaimFacts {
  readonly client: Client;
  readonly user: User | undefined;
  readonly issuer: string;
  readonly sub: string;
  readonly audience: string;
  readonly scope: string;
  /** `<epoch>.<lineage>.<n>` */
  readonly id: string;
  /** Whole seconds. */
  readonly iat: number;
  readonly exp: number;
}

type Claims = Record<string, unknown>;

const rfc9068 = ({ issuer, sub, audience, client, iat, exp, id }: ClaimFacts): Claims => ({
  iss: issuer,
  sub,
  aud: audience,
  client_id: client.client_id,
  iat,
  exp,
  jti: id,
});

const auth0 = ({ issuer, sub, audience, client, iat, exp, id }: ClaimFacts): Claims => ({
  iss: issuer,
  sub,
  aud: audience,
  azp: client.client_id,
  iat,
  exp,
  sid: id,
});

const CLAIM_SETS: Readonly<Record<ClaimsFormat, (facts: ClaimFacts) => Claims>> = {
  rfc9068,
  auth0,
};

/** The `typ` of the header (RFC 9068 2.1). */
export const TYPES: Readonly<Record<ClaimsFormat, string>> = { rfc9068: 'at+jwt', auth0: 'JWT' };

/** Claims of their own that the client and the user have come last, and win. */
export function accessTokenClaims(format: ClaimsFormat, facts: ClaimFacts): Claims {
  const claims = CLAIM_SETS[format](facts);
  if (facts.scope !== '') claims['scope'] = facts.scope;
  return Object.assign(claims, facts.client.claims, facts.user?.claims);
}
