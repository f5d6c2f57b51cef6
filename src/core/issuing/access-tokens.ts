// Issues access tokens: opaque ones, and self-contained ones with the claims of RFC 9068 or Auth0, which a shape may
// change.

import { signInMembers, userOf } from '../model/sign-in-claims.ts';
import type { SignInClaims } from '../model/credentials.ts';
import { keptText } from '../collections/kept-text.ts';
import { formatAccessTokenId } from '../model/access-token-id.ts';
import {
  type AccessTokenRecord,
  acrOf,
  type ActClaim,
  actOf,
  credentialBytes,
  type IssuingExchange,
  type Lineage,
  lineageId,
  noteIssued,
  signedInAt,
  subOf,
} from '../model/credentials.ts';
import type { AccessTokenFormat, Client, Settings, User } from '../records/schemas.ts';
import { secondsOf } from '../model/clock.ts';
import type { Issuing } from '../model/domain.ts';
import { encodeRandom } from './random-text.ts';
import type { Sha256 } from '../model/ports.ts';
import { shaped } from '../shape/shaped.ts';
import type { ResolvedShape } from '../shape/resolve.ts';

export interface AccessTokenOrder {
  readonly client: Client;
  readonly lineage: Lineage;
  readonly audience: string;
  readonly scope: string;
  /** Lifetime in seconds; null for that of the client or the workspace. */
  readonly expires_in: number | null;
  /** The exchange in which it is issued; null for the control API. */
  readonly by: IssuingExchange | null;
}

/** Returns the usual lifetime of a client's access tokens in seconds: its own, or that of the workspace. */
export const accessTokenLifetime = (client: Client, { lifetimes }: Settings): number =>
  client.access_token_expires_in ?? lifetimes.access_token;

export const accessTokenFormat = (client: Client, settings: Settings): AccessTokenFormat =>
  client.access_token_format ?? settings.access_token_format;

export type IssuedAccessToken = AccessTokenRecord & { value: string };

/** Returns the text of the token, the `kid` of the key that signed it, and the issuer that it names. */
async function write(
  { ports, registry, keyring, settings, shape, issuer }: Issuing,
  { client, lineage, audience, scope, by }: AccessTokenOrder,
  format: AccessTokenFormat,
  { id, iat, exp, jkt }: Pick<ClaimFacts, 'id' | 'iat' | 'exp' | 'jkt'>,
): Promise<Pick<IssuedAccessToken, 'value' | 'kid' | 'iss'>> {
  if (format === 'opaque') {
    return { value: encodeRandom(ports.random(32)), kid: null, iss: null };
  }
  const user = userOf(registry, lineage);
  const facts = {
    client,
    user,
    issuer,
    sub: subOf(lineage),
    act: actOf(lineage),
    audience,
    scope,
    id,
    iat,
    exp,
    jkt,
    lineage: lineageId(lineage),
    sid: lineage.openid?.sid,
    // A protected API may require a recent sign-in (RFC 9470 6.1).
    ...(registry.servesApi(audience)
      ? { auth_time: signedInAt(lineage) ?? undefined, acr: acrOf(lineage) ?? undefined }
      : {}),
    userinfo_claims: lineage.openid?.userinfo ?? [],
    sign_in_claims: lineage.openid?.claims ?? null,
  };
  const { claims, typ } = accessTokenContent(format, facts, shape, ports.sha256, by);
  const key = await keyring.signing(settings.signing_alg);
  const value = await keyring.sign(claims, typ, key);
  return { value, kid: key.kid, iss: registry.sharedAudience(issuer) };
}

export async function issueAccessToken(
  issuing: Issuing,
  order: AccessTokenOrder,
): Promise<IssuedAccessToken> {
  const { ports, registry, epoch, settings } = issuing;
  const { client, lineage, by } = order;
  const seconds = order.expires_in ?? accessTokenLifetime(client, settings);
  // iat and exp are whole seconds, and the record expires exactly when the token does.
  const iat = secondsOf(ports.clock);
  const exp = iat + seconds;
  const jkt = by?.dpop?.jkt ?? null;
  const seq = epoch.nextCredential();
  const n = ++lineage.count;
  const id = formatAccessTokenId({ epoch: lineage.epoch, lineage: lineageId(lineage), n });
  const format = accessTokenFormat(client, settings);
  const token: IssuedAccessToken = {
    kind: 'access_token',
    ...(await write(issuing, order, format, { id, iat, exp, jkt })),
    format,
    audience: registry.sharedAudience(order.audience),
    scope: order.scope === lineage.scope ? lineage.scope : keptText(order.scope),
    state: 'active',
    seq,
    n,
    lineage,
    bytes: credentialBytes(lineage, [jkt]),
    issued_at: iat * 1000,
    expires_at: exp * 1000,
    jkt,
    issued_by: by?.exchange ?? null,
    end: null,
  };
  // A request that was in progress during a reset must not store anything.
  if (lineage.epoch === epoch.name) {
    ports.stores.recordAccessToken(token);
    epoch.cover(token.expires_at);
    noteIssued(by, token);
  }
  ports.emit({ type: 'credentials' });
  return token;
}

type ClaimsFormat = Exclude<AccessTokenFormat, 'opaque'>;

interface ClaimFacts {
  readonly client: Client;
  readonly user: User | undefined;
  readonly issuer: string;
  readonly sub: string;
  readonly audience: string;
  readonly scope: string;
  /** null if nobody acts for the subject (RFC 8693 4.1). */
  readonly act: ActClaim | null;
  /** `<epoch>.<lineage>.<n>` */
  readonly id: string;
  /** The lineage of the token's authorization. */
  readonly lineage: string;
  /** The session of the browser, for a provider's shape. */
  readonly sid?: string | null | undefined;
  /** Whole seconds. */
  readonly iat: number;
  readonly exp: number;
  /** Thumbprint of the key to which the token is bound; null for a bearer token. */
  readonly jkt: string | null;
  /** When the user signed in, in whole seconds; only for a token for a protected API. */
  readonly auth_time?: number | undefined;
  readonly acr?: string | undefined;
  /** Claims that userinfo returns besides those of the scopes; the token says so itself, as it may have no record. */
  readonly userinfo_claims?: readonly string[];
  readonly sign_in_claims?: SignInClaims | null;
}

type Claims = Record<string, unknown>;

/** The `typ` of the header (RFC 9068 2.1), and the claims that name the client and the token. */
const FORMATS = {
  rfc9068: { typ: 'at+jwt', client: 'client_id', id: 'jti' },
  auth0: { typ: 'JWT', client: 'azp', id: 'sid' },
} as const;

/** Returns the typ of access tokens in the format; that of RFC 9068 for opaque ones, which have none. */
export const accessTokenTyp = (format: AccessTokenFormat, shape: ResolvedShape | null): string =>
  shape?.access_token_typ ?? FORMATS[format === 'opaque' ? 'rfc9068' : format].typ;

/** Custom claims of the client and the user come last and override others, but they cannot set the actor. */
function accessTokenClaims(format: ClaimsFormat, facts: ClaimFacts): Claims {
  const names = FORMATS[format];
  const claims: Claims = {
    iss: facts.issuer,
    sub: facts.sub,
    aud: facts.audience,
    [names.client]: facts.client.client_id,
    iat: facts.iat,
    exp: facts.exp,
    [names.id]: facts.id,
  };
  if (facts.scope !== '') claims['scope'] = facts.scope;
  if (facts.auth_time !== undefined) claims['auth_time'] = facts.auth_time;
  Object.assign(claims, facts.client.claims, facts.user?.claims);
  const { acr, userinfo_claims = [], sign_in_claims = null } = facts;
  if (acr !== undefined) claims['acr'] = acr;
  if (userinfo_claims.length > 0) claims['userinfo_claims'] = userinfo_claims;
  Object.assign(claims, signInMembers(sign_in_claims));
  if (facts.act !== null) claims['act'] = facts.act;
  if (facts.jkt !== null) claims['cnf'] = { jkt: facts.jkt };
  return claims;
}

/**
 * Returns the claims, and the typ of the header (RFC 9068 2.1).
 * @param by the exchange in which it is issued, which notes the shape's changes; null for the control API
 */
export function accessTokenContent(
  format: ClaimsFormat,
  facts: ClaimFacts,
  shape: ResolvedShape | null,
  sha256: Sha256,
  by: IssuingExchange | null,
) {
  const own = accessTokenClaims(format, facts);
  const typ = accessTokenTyp(format, shape);
  if (shape === null) return { claims: own, typ };
  const grant_type = by?.grant_type;
  const known = { ...facts, grant_type, jti: facts.id, now: facts.iat * 1000, sha256 };
  const claims: Claims = { ...shaped(own, 'access_token', shape, known, by) };
  // The acr of a sign-in counts more than one that the provider always has.
  if (facts.acr !== undefined) claims['acr'] = facts.acr;
  // Without a jti, the service recognises the token by this sid.
  if (format === 'auth0') claims['sid'] = facts.id;
  return { claims, typ };
}
