// What self-contained access tokens say: the claim sets of RFC 9068 and of Auth0, and what a shape makes of them.

import type { ActClaim } from '../model/credentials.ts';
import type { IssuingExchange } from '../model/issued.ts';
import type { Sha256 } from '../model/ports.ts';
import type { AccessTokenFormat, Client, User } from '../records/schemas.ts';
import { shaped } from '../shape/claims.ts';
import type { ResolvedShape } from '../shape/shape.ts';

/** Formats that carry claims. */
export type ClaimsFormat = Exclude<AccessTokenFormat, 'opaque'>;

export interface ClaimFacts {
  readonly client: Client;
  readonly user: User | undefined;
  readonly issuer: string;
  readonly sub: string;
  readonly audience: string;
  readonly scope: string;
  /** null: nobody acts for the subject (RFC 8693 4.1). */
  readonly act: ActClaim | null;
  /** `<epoch>.<lineage>.<n>` */
  readonly id: string;
  /** Of the authorization that the token comes of. */
  readonly lineage: string;
  /** Whole seconds. */
  readonly iat: number;
  readonly exp: number;
  /** Thumbprint of the key that the token is bound to; null for a bearer token. */
  readonly jkt: string | null;
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
const TYPES: Readonly<Record<ClaimsFormat, string>> = { rfc9068: 'at+jwt', auth0: 'JWT' };

/** Claims of their own that the client and the user have come last, and win; but who acts is not theirs to say. */
function accessTokenClaims(format: ClaimsFormat, facts: ClaimFacts): Claims {
  const claims = CLAIM_SETS[format](facts);
  if (facts.scope !== '') claims['scope'] = facts.scope;
  Object.assign(claims, facts.client.claims, facts.user?.claims);
  if (facts.act !== null) claims['act'] = facts.act;
  if (facts.jkt !== null) claims['cnf'] = { jkt: facts.jkt };
  return claims;
}

export interface AccessTokenContent {
  readonly claims: Claims;
  /** Of the header (RFC 9068 2.1). */
  readonly typ: string;
}

/** @param by the exchange it is issued in, which is told what the shape changed; null over control */
export function accessTokenContent(
  format: ClaimsFormat,
  facts: ClaimFacts,
  shape: ResolvedShape | null,
  sha256: Sha256,
  by: IssuingExchange | null,
): AccessTokenContent {
  const own = accessTokenClaims(format, facts);
  if (shape === null) return { claims: own, typ: TYPES[format] };
  const grant_type = by?.grant_type ?? undefined;
  const known = { ...facts, grant_type, jti: facts.id, now: facts.iat * 1000, sha256 };
  return {
    claims: shaped(own, 'access_token', shape, known, by),
    typ: shape.access_token_typ ?? TYPES[format],
  };
}
