// Reads access tokens that are presented to this service (behaviour 2): whether they were issued here and are still
// valid. Self-contained tokens are validated by signature, epoch, time and denial list; opaque ones by their record.

import { signInMembers } from '../model/sign-in-claims.ts';
import {
  accessTokenId,
  type AccessTokenRecord,
  acrOf,
  type ActClaim,
  actOf,
  type Lineage,
  signedInAt,
  type SignInClaims,
  subOf,
} from '../model/credentials.ts';
import {
  type AccessTokenId,
  formatAccessTokenId,
  parseAccessTokenId,
  parseLineageId,
} from '../model/access-token-id.ts';
import { deniedKind } from '../model/denial.ts';
import { OAuthError } from '../checks/errors.ts';
import type { Ports } from '../model/ports.ts';
import type { RefusalFacts } from '../checks/refusals/index.ts';
import { isJsonObject } from '../../json.ts';
import { customClaims, type Registry } from '../registry/lists.ts';
import type { Keyring } from '../issuing/keyring.ts';
import { CLIENT_CLAIMS, ID_CLAIMS, SCOPE_CLAIMS } from '../shape/template-rules.ts';
import type { Epoch } from '../issuing/epoch.ts';

/** The content of an access token in any format. Times are whole seconds. */
export interface AccessTokenFacts {
  readonly id: AccessTokenId;
  readonly sub: string;
  /** null if the client acts for itself, even if a user has the same identifier. */
  readonly user_sub: string | null;
  readonly client_id: string;
  readonly audience: string;
  readonly scope: string;
  readonly issued_at: number;
  readonly expires_at: number;
  /** Who acts for the subject (RFC 8693 4.1); null for nobody. */
  readonly act: ActClaim | null;
  /** Who may act for the subject (RFC 8693 4.4); undefined without the claim. */
  readonly may_act: unknown;
  /** Names of the claims that its authorization requested at userinfo (OpenID Connect Core 5.5). */
  readonly userinfo_claims: readonly string[];
  /** Claims of its sign-in, which replace those of the user; null for none. */
  readonly sign_in_claims: SignInClaims | null;
  /** Thumbprint of the key to which it is bound (RFC 9449 6); null for a bearer token. */
  readonly jkt: string | null;
  /** Returns all of its claims: those of a JWT, or those that an opaque token stands for. */
  claims(): Readonly<Record<string, unknown>>;
}

export type AccessTokenReader = ReturnType<typeof createAccessTokenReader>;

const text = (claim: unknown): string => (typeof claim === 'string' ? claim : '');
const number = (claim: unknown): number => (typeof claim === 'number' ? claim : 0);

const namesOf = (claim: unknown): string[] =>
  Array.isArray(claim) ? claim.filter((one) => typeof one === 'string') : [];

/** The claim is a string, or with some providers a list of tokens. */
const scopeOf = (claim: unknown): string => text(claim) || namesOf(claim).join(' ');

/** The claims of an opaque token: those that a JWT for the same API would have (RFC 9068 2.2). */
function claimsOfFacts(
  facts: Omit<AccessTokenFacts, 'claims'>,
  custom: Readonly<Record<string, unknown>>,
  lineage: Lineage,
  iss: string,
) {
  const [auth_time, acr] = [signedInAt(lineage), acrOf(lineage)];
  const { id, sub, client_id, audience, scope, issued_at, expires_at, act, jkt } = facts;
  return {
    iss,
    sub,
    aud: audience,
    client_id,
    iat: issued_at,
    exp: expires_at,
    jti: formatAccessTokenId(id),
    ...(auth_time === null ? {} : { auth_time }),
    ...(scope === '' ? {} : { scope }),
    ...custom,
    ...signInMembers(facts.sign_in_claims),
    ...(acr === null ? {} : { acr }),
    ...(act === null ? {} : { act }),
    ...(jkt === null ? {} : { cnf: { jkt } }),
  };
}

function factsOfRecord(
  record: AccessTokenRecord,
  registry: Registry,
  issuer: string,
): AccessTokenFacts {
  const { lineage, audience, scope, issued_at, expires_at, jkt } = record;
  const custom = customClaims(registry, lineage);
  const facts = {
    id: accessTokenId(record),
    sub: subOf(lineage),
    user_sub: lineage.user_sub,
    client_id: lineage.registration.client_id,
    audience,
    scope,
    issued_at: issued_at / 1000,
    expires_at: expires_at / 1000,
    act: actOf(lineage),
    may_act: custom['may_act'],
    userinfo_claims: lineage.openid?.userinfo ?? [],
    sign_in_claims: lineage.openid?.claims ?? null,
    jkt,
  };
  return {
    ...facts,
    claims: () => claimsOfFacts(facts, custom, lineage, issuer),
  };
}

function factsOfClaims(claims: Record<string, unknown>, id: AccessTokenId): AccessTokenFacts {
  const sub = text(claims['sub']);
  const { cnf } = claims;
  return {
    id,
    sub,
    user_sub: parseLineageId(id.lineage).of_user ? sub : null,
    client_id: CLIENT_CLAIMS.map((name) => text(claims[name])).find((id) => id !== '') ?? '',
    audience: text(claims['aud']),
    scope: SCOPE_CLAIMS.map((name) => scopeOf(claims[name])).find((scope) => scope !== '') ?? '',
    issued_at: number(claims['iat']),
    expires_at: number(claims['exp']),
    act: isJsonObject(claims['act']) ? claims['act'] : null,
    may_act: claims['may_act'],
    userinfo_claims: namesOf(claims['userinfo_claims']),
    sign_in_claims: Object.fromEntries(
      namesOf(claims['sign_in_claims']).map((name) => [name, claims[name]]),
    ),
    jkt: isJsonObject(cnf) ? text(cnf['jkt']) || null : null,
    claims: () => claims,
  };
}

const UNREADABLE: RefusalFacts = { got: 'its header or claims cannot be read' };

/** A JWT contains at least one period (RFC 7519 7.2, step 1); an opaque token of this service contains none. */
const hasPeriod = (value: string) => value.includes('.');

/** Returns how a text with periods differs from a compact JWS (RFC 7515 7.1). */
function shapeOf(value: string): RefusalFacts {
  if (/[^\w.-]/.test(value)) {
    return { got: 'it has a blank, a quote or another character that no JWT has' };
  }
  const parts = value.split('.', 7).length;
  if (parts === 5) return { got: 'it has five parts, like an encrypted token (JWE)' };
  const count = parts > 6 ? 'more than six' : String(parts);
  return parts === 3 ? UNREADABLE : { got: `it has ${count} parts instead of the three of a JWT` };
}

/** @param issuer returns the current issuer identifier */
export function createAccessTokenReader(
  { stores, clock, sha256 }: Ports,
  registry: Registry,
  keyring: Keyring,
  epoch: Epoch,
  issuer: () => string,
) {
  /** Returns what would be wrong with the token if it had been issued, or else that it was not issued. */
  const problemOfUnissued = ({ iss, exp }: Readonly<Record<string, unknown>>): OAuthError => {
    if (iss !== issuer()) return ofOtherIssuer(iss);
    const seconds = typeof exp === 'number' ? Math.floor(clock.now() / 1000 - exp) : -1;
    return seconds < 0
      ? new OAuthError('access_token_not_issued')
      : new OAuthError('access_token_expired', { seconds });
  };
  const ofOtherIssuer = (iss: unknown) =>
    new OAuthError('access_token_of_other_issuer', { expected: issuer(), got: text(iss) });
  const readJwt = async (value: string): Promise<AccessTokenFacts> => {
    const shape = shapeOf(value);
    if (shape !== UNREADABLE) throw new OAuthError('access_token_malformed', shape);
    const verified = await keyring.verify(value);
    if ('problem' in verified) {
      const { problem } = verified;
      if (problem === 'not_issued') throw problemOfUnissued(verified.unissued);
      const { got } = verified;
      const facts = got === undefined ? {} : { got };
      throw new OAuthError(`access_token_${problem}`, problem === 'malformed' ? shape : facts);
    }
    const { claims } = verified;
    const id = ID_CLAIMS.reduce<AccessTokenId | null>(
      (found, name) => found ?? parseAccessTokenId(claims[name]),
      null,
    );
    if (id === null) throw new OAuthError('access_token_is_other_credential');
    if (claims['iss'] !== issuer()) throw ofOtherIssuer(claims['iss']);
    if (!epoch.recognises(id.epoch)) throw new OAuthError('access_token_of_other_epoch');
    return factsOfClaims(claims, id);
  };

  const find = async (value: string): Promise<AccessTokenFacts | null> => {
    const record = await stores.findOpaqueToken(value);
    if (record !== undefined) return factsOfRecord(record, registry, issuer());
    return hasPeriod(value) ? readJwt(value) : null;
  };
  const read = async (value: string): Promise<AccessTokenFacts> => {
    const facts = await find(value);
    if (facts !== null) return facts;
    const now = clock.now();
    const other =
      (await stores.findRefreshToken(value, now)) ?? (await stores.findCode(value, now));
    throw new OAuthError(
      other === undefined ? 'access_token_malformed' : 'access_token_is_other_credential',
    );
  };

  return {
    /**
     * The same as `read`, but returns null for a text that is neither an opaque token of this service nor, having no
     * period, a JWT.
     * @throws OAuthError `invalid_token` if it is a JWT, but not a token of this issuer
     */
    find,
    /**
     * Returns the content of the token, whether or not it is still valid.
     * @throws OAuthError `invalid_token` if it is not a token of this issuer
     */
    read,
    /** @throws OAuthError `invalid_token` if it has expired or was revoked */
    checkLive: async ({
      id,
      client_id,
      expires_at,
    }: Pick<AccessTokenFacts, 'id' | 'client_id' | 'expires_at'>) => {
      const now = clock.now();
      const denial = await stores.findDenial(id, sha256(client_id));
      // The earlier end counts: a lineage may be revoked after some of its tokens have expired.
      if (denial !== undefined && denial.at < expires_at * 1000) {
        const { key, reason, at, by, with_client } = denial;
        const facts = {
          at,
          ...(by === undefined ? {} : { exchange: by }),
          ...(with_client || deniedKind(key) === 'client' ? { client: client_id } : {}),
        };
        throw new OAuthError(`access_token_${reason}`, facts);
      }
      if (denial !== undefined || expires_at * 1000 <= now) {
        const seconds = Math.floor(now / 1000 - expires_at);
        throw new OAuthError('access_token_expired', { seconds });
      }
      // The client was deleted between two runs, so the denial list has no entry.
      if (registry.clients.get(client_id) === undefined) {
        throw new OAuthError('access_token_revoked', {});
      }
    },
  };
}
