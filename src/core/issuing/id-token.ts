// The id_token of an authorization that had `openid` (OpenID Connect Core 2 and 3.1.3.3).

import type { AccessTokenRecord, CodeRecord } from '../model/credentials.ts';
import { subOf } from '../model/credentials.ts';
import type { IssuingExchange } from '../model/issued.ts';
import { noteIssuedIdToken } from '../model/issued.ts';
import type { Sha256 } from '../model/ports.ts';
import type { Client, SigningAlg, User } from '../records/schemas.ts';
import type { Keyring } from './keyring.ts';

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
  readonly code: CodeRecord;
  readonly access: AccessTokenRecord & { readonly value: string };
  readonly scopes: readonly string[];
  readonly issuer: string;
  readonly alg: SigningAlg;
  /** The exchange it is issued in. */
  readonly by: IssuingExchange;
}

/** Whether one can be signed: HS256 takes the client's secret, which must be long enough for it. */
export function canSignIdToken({ client_secret: secret }: Client, alg: SigningAlg): boolean {
  if (alg !== 'HS256') return true;
  return secret !== null && new TextEncoder().encode(secret).length >= HS256_OCTETS;
}

/** Signs the id_token: its audience is the client, its life that of the access token. */
export async function signIdToken(
  { client, user, code, access, scopes, issuer, alg, by }: IdTokenOrder,
  keyring: Keyring,
  sha256: Sha256,
): Promise<string> {
  const at_hash = accessTokenHash(access.value, alg, sha256);
  const claims = {
    iss: issuer,
    sub: subOf(code.lineage),
    aud: client.client_id,
    iat: access.issued_at / 1000,
    exp: access.expires_at / 1000,
    auth_time: Math.floor(code.auth_time / 1000),
    ...(code.nonce === null ? {} : { nonce: code.nonce }),
    ...(at_hash === null ? {} : { at_hash }),
    ...(scopes.includes('profile') && user?.name ? { name: user.name } : {}),
    ...(scopes.includes('email') && user?.email ? { email: user.email } : {}),
  };
  const secret = alg === 'HS256' ? (client.client_secret ?? undefined) : undefined;
  const token = await keyring.sign(claims, 'JWT', alg, secret);
  noteIssuedIdToken(by, code.lineage.id);
  return token;
}
