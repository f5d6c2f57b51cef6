// Reading an access token that is presented back to its issuer: whether it is ours and still good
// (behaviour 2). Self-contained tokens are judged by signature, epoch, time and denial list; opaque ones
// by their record.

import type { AccessTokenRecord } from './credentials.ts';
import { accessTokenId } from './credentials.ts';
import type { AccessTokenId } from './denials.ts';
import { parseAccessTokenId } from './denials.ts';
import { OAuthError } from './errors.ts';
import type { Ports } from './ports.ts';
import type { Keyring } from './signing.ts';
import type { Issuer } from './tokens.ts';

/** What an access token says, in whatever format it came. Times are whole seconds. */
export interface AccessTokenFacts {
  readonly id: AccessTokenId;
  readonly sub: string;
  readonly client_id: string;
  readonly audience: string;
  readonly scope: string;
  readonly issued_at: number;
  readonly expires_at: number;
}

export interface AccessTokenReader {
  /**
   * What the token says, whether or not it is still good.
   * @throws OAuthError `invalid_token` when it is not a token of this issuer
   */
  read(value: string): Promise<AccessTokenFacts>;
  /** @throws OAuthError `invalid_token` when it has expired or was revoked */
  checkLive(facts: AccessTokenFacts): Promise<void>;
}

const text = (claim: unknown): string => (typeof claim === 'string' ? claim : '');
const number = (claim: unknown): number => (typeof claim === 'number' ? claim : 0);

function factsOfRecord(record: AccessTokenRecord): AccessTokenFacts {
  const { lineage, audience, scope, issued_at, expires_at } = record;
  return {
    id: accessTokenId(record),
    sub: lineage.sub,
    client_id: lineage.client_id,
    audience,
    scope,
    issued_at: issued_at / 1000,
    expires_at: expires_at / 1000,
  };
}

function factsOfClaims(claims: Record<string, unknown>, id: AccessTokenId): AccessTokenFacts {
  return {
    id,
    sub: text(claims['sub']),
    client_id: text(claims['client_id'] ?? claims['azp']),
    audience: text(claims['aud']),
    scope: text(claims['scope']),
    issued_at: number(claims['iat']),
    expires_at: number(claims['exp']),
  };
}

/** @param issuer the issuer identifier now */
export function createAccessTokenReader(
  { stores, clock }: Ports,
  keyring: Keyring,
  tokens: Issuer,
  issuer: () => string,
): AccessTokenReader {
  const readJwt = async (value: string): Promise<AccessTokenFacts> => {
    const verified = await keyring.verify(value);
    if ('problem' in verified) throw new OAuthError(`access_token_${verified.problem}`);
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

  const readOpaque = async (value: string): Promise<AccessTokenFacts> => {
    const record = await stores.findOpaqueToken(value);
    if (record !== undefined) return factsOfRecord(record);
    const now = clock.now();
    const other =
      (await stores.findRefreshToken(value, now)) ?? (await stores.findCode(value, now));
    throw new OAuthError(
      other === undefined ? 'access_token_malformed' : 'access_token_is_other_credential',
    );
  };

  return {
    read: (value) => (value.includes('.') ? readJwt(value) : readOpaque(value)),
    checkLive: async ({ id, expires_at }) => {
      const now = clock.now();
      const denial = await stores.findDenial(id);
      if (denial !== undefined)
        throw new OAuthError(`access_token_${denial.reason}`, { at: denial.at });
      if (expires_at * 1000 <= now) {
        const seconds = Math.floor(now / 1000 - expires_at);
        throw new OAuthError('access_token_expired', { seconds });
      }
    },
  };
}
