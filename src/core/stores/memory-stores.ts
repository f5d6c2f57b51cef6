// The credential stores in memory, put together of their concepts. Nothing is scanned where tokens are
// redeemed; listing and finding by id are for those who look and may walk.

import type { Bounds } from '../collections/bounded-map.ts';
import type { Lineage } from '../model/credentials.ts';
import type { CredentialStore } from '../model/ports.ts';
import { createAccessTokenEnds } from './access-token-ends.ts';
import { createAccessTokenLog } from './access-token-log.ts';
import type { Denials } from './denials.ts';
import { createDenials } from './denials.ts';
import { createLineages } from './lineages.ts';
import { createListing } from './listing.ts';
import type { Redeemable } from './live-credentials.ts';
import { createLiveCredentials } from './live-credentials.ts';
import { createSettlement } from './settlement.ts';

const MIB = 1024 * 1024;

export interface StoreLimits {
  /** Live codes and refresh tokens together; beyond it the oldest lineage is revoked. */
  readonly live: Bounds;
  /** Codes and refresh tokens in a terminal state, kept for the page. */
  readonly ended: Bounds;
  readonly access_tokens: Bounds;
  /** Texts of access tokens that are no opaque ones. */
  readonly access_token_texts: Bounds;
}

export const STORE_LIMITS: StoreLimits = {
  live: { entries: 1_000_000, bytes: 800 * MIB },
  ended: { entries: 50_000, bytes: 22 * MIB },
  access_tokens: { entries: 100_000, bytes: 26 * MIB },
  access_token_texts: { entries: 10_000, bytes: 6 * MIB },
};

export interface MemoryStoreOptions {
  /** Called with a lineage that was revoked because the ceiling of live credentials was reached. */
  readonly onCeiling: (lineage: Lineage) => void;
  readonly limits?: StoreLimits | undefined;
  /** Which access tokens are no longer good; handed in by who keeps it. */
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

  /** In any state still kept. */
  const find = (value: string, now: number): Redeemable | undefined => {
    settlement.sweep(now);
    const record = credentials.live.get(value);
    if (record === undefined) return credentials.findEnded(value);
    // The sweep is bounded, and a lineage knows only its newest member: settle this one by itself.
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
    end: (credential, state, now, exchange) =>
      credential.kind === 'access_token'
        ? ends.end(credential, state, now, exchange)
        : settlement.finish<Redeemable>(credential, state, now, exchange),
    expireAll: (now) => {
      settlement.sweepAll(now);
      ends.expireAll(now);
    },
    denyEnded: ends.denyEnded,
    ...createListing(credentials, accessTokens),
    liveCount: (now) => {
      settlement.sweepForViewers(now);
      return credentials.live.size;
    },
    liveAccessTokenCount: (now) => accessTokens.countLive(now),
    clear: () => {
      credentials.clear();
      accessTokens.clear();
      denials.clear();
      settlement.clear();
    },
  };
}
