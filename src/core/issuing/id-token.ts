// The id_token of an authorization that had `openid` (OpenID Connect Core 2, 3.1.3.3 and 12.2).

import { OAuthError } from '../checks/errors.ts';
import type { AccessTokenRecord, Lineage } from '../model/credentials.ts';
import { lineageId, subOf } from '../model/credentials.ts';
import type { IssuingExchange } from '../model/issued.ts';
import { noteIssuedIdToken } from '../model/issued.ts';
import type { Sha256 } from '../model/ports.ts';
import type { Client, SigningAlg, User } from '../records/schemas.ts';
import { shaped } from '../shape/claims.ts';
import type { ResolvedShape } from '../shape/shape.ts';
import type { Keyring } from './keyring.ts';
import { userClaims } from './user-claims.ts';

/** Octets that an HS256 key must have (RFC 7518 3.2). */
const HS256_OCTETS = 32;

/**
 * `at_hash`: the left half of the access token's hash. SHA-256 for the algorithms that end in 256;
 * left out for EdDSA, whose hash is another one and for which the claim is optional in this flow.
 */
function accessTokenHash(token: string, alg: SigningAlg, sha256: Sha256): string | null {
  if (alg === 'EdDSA') return null;
  const half = atob(sha256(token).replaceAll('-', '+').replaceAll('_', '/')).slice(0, 16);
  return btoa(half).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export interface IdTokenOrder {
  readonly client: Client;
  readonly user: User | undefined;
  readonly lineage: Lineage;
  /** That of the authorization request; null without one, and after a refresh. */
  readonly nonce: string | null;
  readonly access: AccessTokenRecord & { readonly value: string };
  readonly scopes: readonly string[];
  readonly issuer: string;
  readonly alg: SigningAlg;
  /** The exchange it is issued in. */
  readonly by: IssuingExchange;
  readonly shape: ResolvedShape | null;
}

/**
 * HS256 signs with the client's secret, which must be long enough for it.
 * @throws OAuthError that says how long it is and must be (RFC 7518 3.2)
 */
export function checkIdTokenKey({ client_secret: secret }: Client, alg: SigningAlg): void {
  if (alg !== 'HS256') return;
  const octets = secret === null ? 0 : new TextEncoder().encode(secret).length;
  if (octets >= HS256_OCTETS) return;
  throw new OAuthError('id_token_secret_short', {
    expected: `a client_secret of at least ${HS256_OCTETS} bytes`,
    got: octets === 0 ? 'none' : `one of ${octets} bytes`,
    bytes: octets,
  });
}

/** Signs the id_token: its audience is the client, its life that of the access token. */
export async function signIdToken(
  { client, user, lineage, nonce, access, scopes, issuer, alg, by, shape }: IdTokenOrder,
  keyring: Keyring,
  sha256: Sha256,
): Promise<string> {
  const at_hash = accessTokenHash(access.value, alg, sha256);
  const own = {
    ...(user === undefined ? {} : userClaims(user, scopes, client)),
    iss: issuer,
    sub: subOf(lineage),
    aud: client.client_id,
    iat: access.issued_at / 1000,
    exp: access.expires_at / 1000,
    auth_time: Math.floor((lineage.auth_time ?? lineage.created_at) / 1000),
    ...(nonce === null ? {} : { nonce }),
    ...(at_hash === null ? {} : { at_hash }),
  };
  const about = { user, client, issuer, scope: scopes.join(' '), lineage: lineageId(lineage) };
  const { iat, exp, auth_time } = own;
  const facts = { ...about, iat, exp, auth_time, audience: access.audience, now: access.issued_at };
  const grant_type = by.grant_type ?? undefined;
  const claims = shaped(own, 'id_token', shape, { ...facts, grant_type, sha256 }, by);
  const secret = alg === 'HS256' ? (client.client_secret ?? undefined) : undefined;
  const token = await keyring.sign(claims, 'JWT', alg, secret);
  noteIssuedIdToken(by, lineageId(lineage));
  return token;
}
