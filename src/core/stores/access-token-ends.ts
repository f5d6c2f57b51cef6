// How access tokens end one by one: in the denial list, which counts, and in the record, where one is kept.

import type { AccessTokenId } from '../model/access-token-id.ts';
import type { AccessTokenRecord } from '../model/credentials.ts';
import { accessTokenId, endedAt, stateOf } from '../model/credentials.ts';
import type { AccessTokenLog } from './access-token-log.ts';
import type { DenialReason } from '../model/denial.ts';
import type { Denials } from './denials.ts';

export interface AccessTokenEnds {
  /** Ends a token that is known by its record; false when it had ended before. */
  end(token: AccessTokenRecord, state: DenialReason, now: number, exchange: number | null): boolean;
  /** Ends a token that is known by its name. @param until when it would have expired by itself */
  endById(
    id: AccessTokenId,
    state: DenialReason,
    now: number,
    until: number,
    exchange: number | null,
  ): void;
  /** Writes down in the records what has expired. */
  expireAll(now: number): void;
  /** Denies every token kept that has ended: for a clock that was set back. */
  denyEnded(now: number): void;
}

function endRecord(
  token: AccessTokenRecord,
  state: DenialReason,
  now: number,
  exchange: number | null,
): boolean {
  if (stateOf(token, now) !== 'active') return false;
  token.state = state;
  token.end = { at: now, by: exchange };
  return true;
}

export function createAccessTokenEnds(log: AccessTokenLog, denials: Denials): AccessTokenEnds {
  return {
    end: (token, state, now, exchange) => {
      if (!endRecord(token, state, now, exchange)) return false;
      denials.denyToken(accessTokenId(token), state, now, token.expires_at, exchange);
      return true;
    },
    endById: (id, state, now, until, exchange) => {
      denials.denyToken(id, state, now, until, exchange);
      const token = log.find(id);
      if (token !== undefined) endRecord(token, state, now, exchange);
    },
    expireAll: (now) => {
      for (const token of log.newestFirst()) {
        if (token.expires_at > now) continue;
        token.end ??= { at: endedAt(token, now) ?? now, by: null };
        token.state = stateOf(token, now) === 'revoked' ? 'revoked' : 'expired';
      }
    },
    denyEnded: (now) => {
      for (const token of log.newestFirst()) {
        const { state, end, expires_at } = token;
        if (state === 'active' || expires_at <= now) continue;
        const { at, by } = end ?? { at: now, by: null };
        denials.denyToken(accessTokenId(token), state, at, expires_at, by);
      }
    },
  };
}
