// Reading an access token that is presented back to its issuer: whether it is ours and still good
// (behaviour 2). Self-contained tokens are judged by signature, epoch, time and denial list; opaque ones
// by their record.

import type { AccessTokenRecord } from '../model/credentials.ts';
import { accessTokenId, subOf } from '../model/credentials.ts';
import type { AccessTokenId } from '../model/access-token-id.ts';
import { parseAccessTokenId, parseLineageId } from '../model/access-token-id.ts';
import { OAuthError } from '../checks/errors.ts';
import type { Ports } from '../model/ports.ts';
import type { RefusalFacts } from '../checks/refusals/index.ts';
import type { Registry } from '../registry/lists.ts';
import type { Keyring } from '../issuing/keyring.ts';
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
}

export interface AccessTokenReader {
  /**
   * The same as `read`, but null for what is neither an opaque token that is kept nor in parts as a JWT.
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

function factsOfRecord(record: AccessTokenRecord): AccessTokenFacts {
  const { lineage, audience, scope, issued_at, expires_at } = record;
  return {
    id: accessTokenId(record),
    sub: subOf(lineage),
    user_sub: lineage.user_sub,
    client_id: lineage.client_id,
    audience,
    scope,
    issued_at: issued_at / 1000,
    expires_at: expires_at / 1000,
  };
}

function factsOfClaims(claims: Record<string, unknown>, id: AccessTokenId): AccessTokenFacts {
  const sub = text(claims['sub']);
  return {
    id,
    sub,
    user_sub: parseLineageId(id.lineage).of_user ? sub : null,
    client_id: text(claims['client_id'] ?? claims['azp']),
    audience: text(claims['aud']),
    scope: text(claims['scope']),
    issued_at: number(claims['iat']),
    expires_at: number(claims['exp']),
  };
}

const UNREADABLE: RefusalFacts = { got: 'its header or claims cannot be read' };

/** Whether it can be meant as a JWS in its compact form, whose parts are set apart by dots. */
const isInParts = (value: string) => value.includes('.');

/** How a text with dots differs from a JWS in its compact form (RFC 7515 7.1). */
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
  const readJwt = async (value: string): Promise<AccessTokenFacts> => {
    const shape = shapeOf(value);
    if (shape !== UNREADABLE) throw new OAuthError('access_token_malformed', shape);
    const verified = await keyring.verify(value);
    if ('problem' in verified) {
      const { problem } = verified;
      throw new OAuthError(`access_token_${problem}`, problem === 'malformed' ? shape : {});
    }
    const { claims } = verified;
    const id = parseAccessTokenId(claims['jti'] ?? claims['sid']);
    if (id === null) throw new OAuthError('access_token_is_other_credential');
    if (claims['iss'] !== issuer()) {
      const got = text(claims['iss']);
      throw new OAuthError('access_token_of_other_issuer', { expected: issuer(), got });
    }
    if (!tokens.recognises(id.epoch)) throw new OAuthError('access_token_of_other_epoch');
    return factsOfClaims(claims, id);
  };

  const find = async (value: string): Promise<AccessTokenFacts | null> => {
    const record = await stores.findOpaqueToken(value);
    if (record !== undefined) return factsOfRecord(record);
    return isInParts(value) ? readJwt(value) : null;
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
