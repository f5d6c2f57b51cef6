// The ID token of an authorization with the scope openid (OpenID Connect Core 2, 3.1.3.3 and 12.2).

import {
  type AccessTokenRecord,
  type IssuingExchange,
  type Lineage,
  lineageId,
  noteIssuedIdToken,
  subOf,
} from '../model/credentials.ts';
import type { TokenResponse } from '../model/request.ts';
import type { GrantContext } from '../token-endpoint/grants/grant.ts';
import { OAuthError } from '../checks/errors.ts';
import type { Sha256 } from '../model/ports.ts';
import type { Client, SigningAlg, User } from '../records/schemas.ts';
import { shaped } from '../shape/shaped.ts';
import type { ResolvedShape } from '../shape/resolve.ts';
import type { Keyring } from './keyring.ts';

const hasOpenid = (scope: string) => scope.split(' ').includes('openid');

/**
 * Checks that an ID token for this scope can be signed, before the grant consumes anything.
 * @throws OAuthError if the client_secret is not long enough for HS256
 */
export function checkIdToken({ client, settings }: GrantContext, scope: string): void {
  if (hasOpenid(scope)) checkIdTokenKey(client, settings.signing_alg);
}

interface IdTokenMember extends Pick<IdTokenOrder, 'lineage' | 'nonce' | 'access'> {
  readonly scope: string;
}

/**
 * Returns the member `id_token` of the token response, if the scope has `openid`. The caller has called checkIdToken.
 */
export async function idTokenMember(
  { client, settings, shape, issuer, registry, keyring, ports, evaluation }: GrantContext,
  { lineage, nonce, access, scope }: IdTokenMember,
): Promise<Pick<TokenResponse, 'id_token'>> {
  if (!hasOpenid(scope)) return {};
  const user = registry.users.get(subOf(lineage));
  const alg = settings.signing_alg;
  const scopes = scope.split(' ');
  const about = { client, user, lineage, nonce, access, scopes };
  const order = { ...about, issuer, alg, by: evaluation, shape };
  return { id_token: await signIdToken(order, keyring, ports.sha256) };
}

/** Minimum octets of an HS256 key (RFC 7518 3.2). */
const HS256_OCTETS = 32;

/**
 * Returns `at_hash`: the left half of the SHA-256 hash of the access token, for the algorithms that end in 256. It is
 * omitted for EdDSA, which uses another hash, as the claim is optional in this flow.
 */
export function accessTokenHash(token: string, alg: SigningAlg, sha256: Sha256): string | null {
  if (alg === 'EdDSA') return null;
  const half = atob(sha256(token).replaceAll('-', '+').replaceAll('_', '/')).slice(0, 16);
  return btoa(half).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

interface IdTokenOrder {
  readonly client: Client;
  readonly user: User | undefined;
  readonly lineage: Lineage;
  /** The nonce of the authorization request; null if it had none, and after a refresh. */
  readonly nonce: string | null;
  readonly access: AccessTokenRecord & { readonly value: string };
  readonly scopes: readonly string[];
  readonly issuer: string;
  readonly alg: SigningAlg;
  /** The exchange in which it is issued. */
  readonly by: IssuingExchange;
  readonly shape: ResolvedShape | null;
}

/**
 * Returns the client's secret for HS256, if it is long enough.
 * @throws OAuthError that says how long it is and must be (RFC 7518 3.2)
 */
function checkIdTokenKey({ client_secret: secret }: Client, alg: SigningAlg): void {
  if (alg !== 'HS256') return;
  const octets = secret === null ? 0 : new TextEncoder().encode(secret).length;
  if (octets >= HS256_OCTETS) return;
  throw new OAuthError('id_token_secret_short', {
    expected: `a client_secret of at least ${HS256_OCTETS} bytes`,
    got: octets === 0 ? 'none' : `one of ${octets} bytes`,
    bytes: octets,
  });
}

/** Signs the ID token: its audience is the client, and its lifetime that of the access token. */
async function signIdToken(
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

/** Claims that depend on the request or on the tokens issued with the ID token. */
const OF_THE_SERVICE: readonly string[] = ['auth_time', 'nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * Returns the user's claims for an ID token: standard ones by scope (OpenID Connect Core 5.1 and 5.4), and custom
 * ones if the client is set to have them.
 * @param scopes the granted scopes
 */
function userClaims(
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
