// Reading an access token that is presented back to its issuer: whether it is ours and still good
// (behaviour 2). Self-contained tokens are validated by signature, epoch, time and denial list; opaque ones
// by their record.

import {
  accessTokenId,
  type AccessTokenRecord,
  type ActClaim,
  actOf,
  subOf,
} from '../model/credentials.ts';
import {
  type AccessTokenId,
  parseAccessTokenId,
  parseLineageId,
} from '../model/access-token-id.ts';
import { OAuthError } from '../checks/errors.ts';
import type { Ports } from '../model/ports.ts';
import type { RefusalFacts } from '../checks/refusals/index.ts';
import { isJsonObject } from '../records/json.ts';
import { customClaims, type Registry } from '../registry/lists.ts';
import type { Keyring } from '../issuing/keyring.ts';
import { CLIENT_CLAIMS, ID_CLAIMS, SCOPE_CLAIMS } from '../shape/rules.ts';
import type { Issuer } from '../issuing/issuer.ts';

/** What an access token says, in whatever format it came. Times are whole seconds. */
export interface AccessTokenFacts {
  readonly id: AccessTokenId;
  readonly sub: string;
  /** null: the client acts for itself, though a user may be called like it. */
  readonly user_sub: string | null;
  readonly client_id: string;
  readonly audience: string;
  readonly scope: string;
  readonly issued_at: number;
  readonly expires_at: number;
  /** Who acts for the subject (RFC 8693 4.1); null for nobody. */
  readonly act: ActClaim | null;
  /** Who may act for the subject (RFC 8693 4.4); undefined when nobody is named. */
  readonly may_act: unknown;
  /** Thumbprint of the key that it is bound to (RFC 9449 6); null for a bearer token. */
  readonly jkt: string | null;
}

export interface AccessTokenReader {
  /**
   * The same as `read`, but null for a text that is neither an opaque token of ours nor, having no period, a JWT.
   * @throws OAuthError `invalid_token` when it is a JWT, and not a token of this issuer
   */
  find(value: string): Promise<AccessTokenFacts | null>;
  /**
   * What the token says, whether or not it is still good.
   * @throws OAuthError `invalid_token` when it is not a token of this issuer
   */
  read(value: string): Promise<AccessTokenFacts>;
  /** @throws OAuthError `invalid_token` when it has expired or was revoked */
  checkLive(facts: Pick<AccessTokenFacts, 'id' | 'client_id' | 'expires_at'>): Promise<void>;
}

const text = (claim: unknown): string => (typeof claim === 'string' ? claim : '');
const number = (claim: unknown): number => (typeof claim === 'number' ? claim : 0);

/** One string, or a list of tokens, as some providers have it. */
const scopeOf = (claim: unknown): string =>
  Array.isArray(claim) ? claim.filter((one) => typeof one === 'string').join(' ') : text(claim);

function factsOfRecord(record: AccessTokenRecord, registry: Registry): AccessTokenFacts {
  const { lineage, audience, scope, issued_at, expires_at, jkt } = record;
  return {
    id: accessTokenId(record),
    sub: subOf(lineage),
    user_sub: lineage.user_sub,
    client_id: lineage.registration.client_id,
    audience,
    scope,
    issued_at: issued_at / 1000,
    expires_at: expires_at / 1000,
    act: actOf(lineage),
    may_act: customClaims(registry, lineage)['may_act'],
    jkt,
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
    jkt: isJsonObject(cnf) ? text(cnf['jkt']) || null : null,
  };
}

const UNREADABLE: RefusalFacts = { got: 'its header or claims cannot be read' };

/** A JWT contains at least one period (RFC 7519 7.2, step 1); an opaque token of ours contains none. */
const hasPeriod = (value: string) => value.includes('.');

/** How a text with periods differs from a JWS in its compact form (RFC 7515 7.1). */
function shapeOf(value: string): RefusalFacts {
  const parts = value.split('.', 7).length;
  if (parts === 5) return { got: 'it has five parts, like an encrypted token (JWE)' };
  const count = parts > 6 ? 'more than six' : String(parts);
  return parts === 3 ? UNREADABLE : { got: `it has ${count} parts instead of the three of a JWT` };
}

/** @param issuer the issuer identifier now */
export function createAccessTokenReader(
  { stores, clock, sha256 }: Ports,
  registry: Registry,
  keyring: Keyring,
  tokens: Issuer,
  issuer: () => string,
): AccessTokenReader {
  /** What would be wrong with it if it had been issued comes first. */
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
    if (!tokens.recognises(id.epoch)) throw new OAuthError('access_token_of_other_epoch');
    return factsOfClaims(claims, id);
  };

  const find = async (value: string): Promise<AccessTokenFacts | null> => {
    const record = await stores.findOpaqueToken(value);
    if (record !== undefined) return factsOfRecord(record, registry);
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
    find,
    read,
    checkLive: async ({ id, client_id, expires_at }) => {
      const now = clock.now();
      const denial = await stores.findDenial(id, sha256(client_id));
      // What came first counts: a lineage is also revoked after some of its tokens have expired.
      if (denial !== undefined && denial.at < expires_at * 1000) {
        const { reason, at, by } = denial;
        const facts = by === undefined ? { at } : { at, exchange: by };
        throw new OAuthError(`access_token_${reason}`, facts);
      }
      if (denial !== undefined || expires_at * 1000 <= now) {
        const seconds = Math.floor(now / 1000 - expires_at);
        throw new OAuthError('access_token_expired', { seconds });
      }
      // Its client was deleted between two runs: no entry says so.
      if (registry.clients.get(client_id) === undefined) {
        throw new OAuthError('access_token_revoked', {});
      }
    },
  };
}
