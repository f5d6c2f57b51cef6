// The credential stores in memory, assembled from their parts. Redeeming never scans a store; listing and finding by
// id are for viewers and may iterate.

import type { Bounds } from '../collections/bounded-map.ts';
import {
  accessTokenId,
  type AccessTokenRecord,
  endedAt,
  type Lineage,
  stateOf,
} from '../model/credentials.ts';
import type { CredentialStore } from '../model/ports.ts';
import { type AccessTokenLog, createAccessTokenLog } from './access-token-log.ts';
import { createDenials, type Denials } from './denials.ts';
import { createLineages } from './lineages.ts';
import { createListing } from './listing.ts';
import { createLiveCredentials, type Redeemable } from './live-credentials.ts';
import { createSettlement, SWEEP_FOR_VIEWERS } from './settlement.ts';
import type { AccessTokenId } from '../model/access-token-id.ts';
import type { DenialReason } from '../model/denial.ts';

const MIB = 1024 * 1024;

export interface StoreLimits {
  /** Live codes and refresh tokens together; when there are more, the oldest lineage is revoked. */
  readonly live: Bounds;
  /** Codes and refresh tokens in a terminal state, which are kept for the page. */
  readonly ended: Bounds;
  readonly access_tokens: Bounds;
  /** Texts of access tokens that are not opaque. */
  readonly access_token_texts: Bounds;
}

export const STORE_LIMITS: StoreLimits = {
  live: { entries: 1_000_000, bytes: 800 * MIB },
  ended: { entries: 50_000, bytes: 22 * MIB },
  access_tokens: { entries: 100_000, bytes: 26 * MIB },
  access_token_texts: { entries: 10_000, bytes: 6 * MIB },
};

interface MemoryStoreOptions {
  /** Called with a lineage that was revoked because there were too many live credentials. */
  readonly onCeiling: (lineage: Lineage) => void;
  readonly limits?: StoreLimits | undefined;
  /** The denial list, provided by the caller, which saves it. */
  readonly denials?: Denials;
}

export function createMemoryStores({
  onCeiling,
  limits = STORE_LIMITS,
  denials = createDenials(),
}: MemoryStoreOptions): CredentialStore {
  const credentials = createLiveCredentials(limits);
  const settlement = createSettlement(credentials);
  const lineages = createLineages(credentials, settlement, denials, onCeiling);
  const accessTokens = createAccessTokenLog(limits.access_tokens, limits.access_token_texts);
  const ends = createAccessTokenEnds(accessTokens, denials);

  /** Finds a record that is still stored, in any state. */
  const find = (value: string, now: number): Redeemable | undefined => {
    settlement.sweep(now);
    const record = credentials.live.get(value);
    if (record === undefined) return credentials.findEnded(value);
    // The sweep is bounded, and a lineage knows only its newest member, so this record is settled separately.
    settlement.settle(record, now);
    return record;
  };
  return {
    insertCode: lineages.insert,
    findCode: (value, now) => {
      const found = find(value, now);
      return found?.kind === 'code' ? found : undefined;
    },
    consumeCode: (code, now, exchange) => settlement.finish(code, 'redeemed', now, exchange),
    insertRefreshToken: lineages.insert,
    findRefreshToken: (value, now) => {
      const found = find(value, now);
      return found?.kind === 'refresh_token' ? found : undefined;
    },
    rotateRefreshToken: (token, now, exchange) =>
      settlement.finish(token, 'rotated', now, exchange),
    extendRefreshToken: (token, until) => {
      if (credentials.isLive(token)) credentials.extend(token, until);
    },
    recordAccessToken: (token) => {
      lineages.coverAccessToken(token.lineage, token.expires_at);
      accessTokens.add(token);
    },
    findOpaqueToken: accessTokens.findOpaque,
    endAccessToken: ends.endById,
    findDenial: denials.find,
    denyClient: denials.denyClient,
    endDeleted: settlement.endDeleted,
    revokeLineage: lineages.revoke,
    end: (credential, state, now, exchange) => {
      if (credential.kind === 'access_token') ends.end(credential, state, now, exchange);
      else settlement.finish<Redeemable>(credential, state, now, exchange);
    },
    expireAll: (now) => {
      settlement.sweep(now, Infinity);
      ends.expireAll(now);
    },
    denyEnded: ends.denyEnded,
    ...createListing(credentials, accessTokens),
    liveCount: (now) => {
      settlement.sweep(now, SWEEP_FOR_VIEWERS);
      return credentials.live.size;
    },
    liveAccessTokenCount: accessTokens.countLive,
    clear: () => {
      credentials.clear();
      accessTokens.clear();
      denials.clear();
      settlement.clear();
    },
  };
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

function createAccessTokenEnds(log: AccessTokenLog, denials: Denials) {
  return {
    /** Ends a token by its record, unless it has already ended. */
    end: (token: AccessTokenRecord, state: DenialReason, now: number, exchange: number | null) => {
      if (endRecord(token, state, now, exchange)) {
        denials.denyToken(accessTokenId(token), state, now, token.expires_at, exchange);
      }
    },
    /** Ends a token by its identifier. @param until when it would have expired */
    endById: (
      id: AccessTokenId,
      state: DenialReason,
      now: number,
      until: number,
      exchange: number | null,
    ) => {
      denials.denyToken(id, state, now, until, exchange);
      const token = log.find(id);
      if (token !== undefined) endRecord(token, state, now, exchange);
    },
    /** Records which tokens have expired. */
    expireAll: (now: number) => {
      for (const token of log.newestFirst()) {
        if (token.expires_at > now) continue;
        token.end ??= { at: endedAt(token, now) ?? now, by: null };
        token.state = stateOf(token, now) === 'revoked' ? 'revoked' : 'expired';
      }
    },
    /** Denies every stored token that has ended, before the clock is set back. */
    denyEnded: (now: number) => {
      for (const token of log.newestFirst()) {
        const { state, end, expires_at } = token;
        if (state === 'active' || expires_at <= now) continue;
        const { at, by } = end ?? { at: now, by: null };
        denials.denyToken(accessTokenId(token), state, at, expires_at, by);
      }
    },
  };
}
