// The ID token of an authorization with the scope openid (OpenID Connect Core 2, 3.1.3.3 and 12.2).

import { base64url } from 'jose';
import { userOf } from '../model/sign-in-claims.ts';
import {
  type IssuingExchange,
  type Lineage,
  lineageId,
  noteIssuedIdToken,
  subOf,
} from '../model/credentials.ts';
import type { TokenResponse } from '../model/request.ts';
import type { GrantContext } from '../token-endpoint/grants/grant.ts';
import { OAuthError } from '../checks/errors.ts';
import { secondsOf } from '../model/clock.ts';
import type { Issuing } from '../model/domain.ts';
import type { Ports, Sha256 } from '../model/ports.ts';
import type { Client, SigningAlg, User } from '../records/schemas.ts';
import { shaped } from '../shape/shaped.ts';
import { accessTokenLifetime, type IssuedAccessToken } from './access-tokens.ts';
import { encodeRandom } from './random-text.ts';

const hasOpenid = (scope: string) => scope.split(' ').includes('openid');

/**
 * Checks that an ID token for this scope can be signed, before the grant consumes anything.
 * @throws OAuthError if the client_secret is not long enough for HS256
 */
export function checkIdToken({ client, settings }: GrantContext, scope: string): void {
  if (hasOpenid(scope)) checkIdTokenKey(client, settings.signing_alg);
}

interface IdTokenMember {
  readonly lineage: Lineage;
  readonly nonce: string | null;
  readonly access: IssuedAccessToken;
  readonly scope: string;
}

/**
 * Returns the member `id_token` of the token response, if the scope has `openid`. The caller has called checkIdToken.
 */
export async function idTokenMember(
  context: GrantContext,
  { lineage, nonce, access, scope }: IdTokenMember,
): Promise<Pick<TokenResponse, 'id_token'>> {
  if (!hasOpenid(scope)) return {};
  const { client, evaluation: by, settings, ports } = context;
  const at_hash = accessTokenHash(access.value, settings.signing_alg, ports.sha256);
  const hashes = at_hash === null ? {} : { at_hash };
  const { audience } = access;
  const times = { iat: access.issued_at / 1000, exp: access.expires_at / 1000 };
  const order = { client, lineage, nonce, hashes, scope, audience, ...times, by };
  return { id_token: await signIdToken(context, order) };
}

type ResponseIdToken = Pick<IdTokenOrder, 'client' | 'lineage' | 'nonce' | 'scope' | 'by'> & {
  /** The code in the same response; null without one. */
  readonly code: string | null;
};

/**
 * Returns the ID token of an authorization response, which is valid as long as an access token. The caller has called
 * checkIdTokenKey.
 */
export function idTokenOfResponse(
  issuing: Issuing,
  { code, ...about }: ResponseIdToken,
): Promise<string> {
  const { ports, settings, issuer } = issuing;
  const { client, lineage } = about;
  const iat = secondsOf(ports.clock);
  const exp = iat + accessTokenLifetime(client, settings);
  const hashes = code === null ? {} : { c_hash: codeHash(code, settings.signing_alg, ports) };
  const audience = lineage.audience ?? issuer;
  return signIdToken(issuing, { ...about, hashes, audience, iat, exp });
}

/** Minimum octets of an HS256 key (RFC 7518 3.2). */
const HS256_OCTETS = 32;

function leftHalf(hash: string): string {
  const bytes = base64url.decode(hash);
  return base64url.encode(bytes.subarray(0, bytes.length / 2));
}

/**
 * Returns `at_hash`: the left half of the SHA-256 hash of the access token, for the algorithms that end in 256. It is
 * omitted for EdDSA, which uses another hash, as the claim is optional in this flow.
 */
export const accessTokenHash = (token: string, alg: SigningAlg, sha256: Sha256): string | null =>
  alg === 'EdDSA' ? null : leftHalf(sha256(token));

/** Returns `c_hash` (OpenID Connect Core 3.3.2.11), for EdDSA with the SHA-512 that Ed25519 uses. */
export const codeHash = (code: string, alg: SigningAlg, { sha256, sha512 }: Ports): string =>
  leftHalf(alg === 'EdDSA' ? sha512(code) : sha256(code));

interface IdTokenOrder {
  readonly client: Client;
  readonly lineage: Lineage;
  /** The nonce of the authorization request; null if it had none, and after a refresh. */
  readonly nonce: string | null;
  /** `at_hash` or `c_hash`, or none. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly scope: string;
  /** Audience of the access token. */
  readonly audience: string;
  /** Whole seconds. */
  readonly iat: number;
  readonly exp: number;
  readonly by: IssuingExchange;
}

/**
 * Checks that the client's secret is long enough for HS256; other algorithms have keys of the service.
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

/** Signs the ID token: its audience is the client, and its lifetime that of the access token. */
async function signIdToken(
  { issuer, registry, keyring, settings, shape, ports }: Issuing,
  { client, lineage, nonce, hashes, scope, audience, iat, exp, by }: IdTokenOrder,
): Promise<string> {
  const user = userOf(registry, lineage);
  const alg = settings.signing_alg;
  const auth_time = Math.floor((lineage.auth_time ?? lineage.created_at) / 1000);
  const { acr = null, sid = null, id_token: requested = [] } = lineage.openid ?? {};
  const own = {
    ...(user === undefined ? {} : userClaims(user, scope.split(' '), client, requested)),
    iss: issuer,
    sub: subOf(lineage),
    aud: client.client_id,
    iat,
    exp,
    auth_time,
    ...(nonce === null ? {} : { nonce }),
    ...(sid === null ? {} : { sid }),
    ...(acr === null && !requested.includes('amr') ? {} : { amr: amrOf(user, acr) }),
    ...(acr === null ? {} : { acr }),
    ...hashes,
  };
  const lineage_id = lineageId(lineage);
  const facts = {
    user,
    client,
    issuer,
    scope,
    audience,
    lineage: lineage_id,
    sid,
    jti: shape === null ? undefined : encodeRandom(ports.random(16)),
    iat,
    exp,
    auth_time,
    grant_type: by.grant_type,
    now: iat * 1000,
    sha256: ports.sha256,
  };
  const claims = {
    ...shaped(own, 'id_token', shape, facts, by),
    // What the client or the request requires counts more than what the provider always does.
    ...(acr === null ? {} : { acr }),
    ...(client.require_auth_time || requested.includes('auth_time') ? { auth_time } : {}),
  };
  const secret = alg === 'HS256' ? (client.client_secret ?? undefined) : undefined;
  const token = await keyring.sign(claims, 'JWT', alg, secret);
  noteIssuedIdToken(by, lineage_id);
  return token;
}

/** Returns the methods of the sign-in (RFC 8176 2): those of the user's custom claim, or else what the acr implies. */
function amrOf(user: User | undefined, acr: string | null): unknown {
  const own = user?.claims['amr'];
  return Array.isArray(own) ? own : acr === null ? ['pwd'] : ['pwd', 'mfa'];
}

/** The standard claims that each scope requests (OpenID Connect Core 5.4). */
const CLAIMS_OF_SCOPE: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'profile',
    [
      'name',
      'family_name',
      'given_name',
      'middle_name',
      'nickname',
      'preferred_username',
      'profile',
      'picture',
      'website',
      'gender',
      'birthdate',
      'zoneinfo',
      'locale',
      'updated_at',
    ],
  ],
  ['email', ['email', 'email_verified']],
  ['address', ['address']],
  ['phone', ['phone_number', 'phone_number_verified']],
]);

export const STANDARD_CLAIMS: readonly string[] = [...CLAIMS_OF_SCOPE.values()].flat();

/** Claims that depend on the request or on the tokens issued with the ID token. */
export const OF_THE_REQUEST = ['auth_time', 'nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * Returns the user's claims for an ID token: standard ones by scope (OpenID Connect Core 5.1 and 5.4), custom ones if
 * the client is set to have them, and those that the request names (5.5).
 * @param scopes the granted scopes
 * @param names the claims that were requested one by one
 */
function userClaims(
  { name, email, claims }: User,
  scopes: readonly string[],
  { claims_in_id_token }: Pick<Client, 'claims_in_id_token'>,
  names: readonly string[],
): Record<string, unknown> {
  const requested = new Set(scopes.flatMap((scope) => CLAIMS_OF_SCOPE.get(scope) ?? []));
  for (const name of names) requested.add(name);
  const isIncluded = (claim: string) =>
    STANDARD_CLAIMS.includes(claim)
      ? requested.has(claim)
      : (claims_in_id_token || requested.has(claim)) && !OF_THE_REQUEST.includes(claim);
  const all = { ...claims, ...(name === '' ? {} : { name }), ...(email === '' ? {} : { email }) };
  return Object.fromEntries(Object.entries(all).filter(([claim]) => isIncluded(claim)));
}
