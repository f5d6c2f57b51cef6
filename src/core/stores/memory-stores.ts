// The credential stores in memory. Nothing is scanned where tokens are redeemed; listing and finding
// by id are for those who look and may walk.

import { createAccessTokenLog } from './access-token-log.ts';
import type { Bounds } from '../collections/bounded-map.ts';
import { createBoundedMap } from '../collections/bounded-map.ts';
import type {
  AccessTokenRecord,
  CodeRecord,
  Credential,
  Lineage,
  RefreshTokenRecord,
} from '../model/credentials.ts';
import { accessTokenId, credentialId, endedAt, revokedAt, stateOf } from '../model/credentials.ts';
import type { Denials } from './denials.ts';
import { createDenials } from './denials.ts';
import { createExpiryQueue } from '../collections/expiry-queue.ts';
import { createOldestFirst } from '../collections/oldest-first.ts';
import { newestOf, pickNewest } from './newest.ts';
import type { CredentialStore } from '../model/ports.ts';

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
  live: { entries: 1_000_000, bytes: 1200 * MIB },
  ended: { entries: 50_000, bytes: 22 * MIB },
  access_tokens: { entries: 100_000, bytes: 26 * MIB },
  access_token_texts: { entries: 10_000, bytes: 8 * MIB },
};

/** Expiries settled per operation: two would keep pace, more let a moved clock catch up. */
const SWEEP = 32;
const SWEEP_FOR_VIEWERS = 5000;

type Stored = CodeRecord | RefreshTokenRecord;

export interface MemoryStoreOptions {
  /** Told of a lineage revoked because the ceiling of live credentials was reached. */
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
  /** Codes and refresh tokens by value, oldest first. */
  const live = new Map<string, Stored>();
  const oldestLive = createOldestFirst(live);
  let liveBytes = 0;
  /** Ended codes and refresh tokens by value, oldest first. */
  const ended = createBoundedMap<string, Stored>(limits.ended, ({ bytes }) => bytes);
  const accessTokens = createAccessTokenLog(limits.access_tokens, limits.access_token_texts);
  const expiries = createExpiryQueue<Stored>();
  /** A walk over what lives, after clients were deleted: theirs has ended, and is still to be moved. */
  let walk: Iterator<Stored> | null = null;

  const close = <T extends Stored>(
    record: T,
    state: T['state'],
    at: number,
    exchange: number | null,
  ) => {
    record.state = state;
    record.ended_at = at;
    record.ended_by = exchange;
    expiries.remove(record);
    record.lineage.others?.delete(record);
    if (!live.delete(record.value)) return;
    liveBytes -= record.bytes;
    ended.set(record.value, record);
  };

  /** Writes down an end that came by itself: the lineage's revocation or the time running out. */
  const settle = (record: Stored, now: number) => {
    const state = stateOf(record, now);
    if (state === record.state) return;
    close<Stored>(record, state, endedAt(record, now) ?? now, null);
  };

  const finish = <T extends Stored>(
    record: T,
    state: T['state'],
    now: number,
    exchange: number | null,
  ): boolean => {
    settle(record, now);
    if (live.get(record.value) !== record) return false;
    close(record, state, now, exchange);
    return true;
  };

  const sweep = (now: number, most: number) => {
    for (let count = 0; count < most; count++) {
      const record = expiries.popExpired(now);
      if (record === undefined) break;
      settle(record, now);
    }
    for (let count = 0; walk !== null && count < most; count++) {
      const next = walk.next();
      if (next.done === true) walk = null;
      else settle(next.value, now);
    }
  };

  const denyLineage = (
    { epoch, id, access_until }: Lineage,
    now: number,
    exchange: number | null,
  ) => {
    if (access_until > now) denials.denyLineage(epoch, id, now, access_until, exchange);
  };

  const revokeLineage = (lineage: Lineage, now: number, exchange: number | null): boolean => {
    if (lineage.revoked_at !== null) return false;
    for (const member of [...(lineage.others ?? []), lineage.newest]) {
      if (member !== null) finish<Stored>(member, 'revoked', now, exchange);
    }
    lineage.revoked_at = now;
    denyLineage(lineage, now, exchange);
    return true;
  };

  /** What a deleted client has left goes first; then the lineage of the oldest credential. */
  const makeRoom = (now: number) => {
    if (walk !== null) {
      sweep(now, SWEEP_FOR_VIEWERS);
      return;
    }
    const oldest = live.get(oldestLive.take() ?? '');
    if (oldest === undefined) return;
    settle(oldest, now);
    if (!live.has(oldest.value)) return;
    revokeLineage(oldest.lineage, now, null);
    onCeiling(oldest.lineage);
    settle(oldest, now);
  };

  const insert = (record: Stored, now: number) => {
    sweep(now, SWEEP);
    live.set(record.value, record);
    oldestLive.added();
    liveBytes += record.bytes;
    expiries.push(record);
    const { lineage } = record;
    if (lineage.newest?.ended_at === null) (lineage.others ??= new Set()).add(lineage.newest);
    lineage.newest = record;
    if (revokedAt(lineage) !== null) close<Stored>(record, 'revoked', now, null);
    while (live.size > limits.live.entries || liveBytes > limits.live.bytes) makeRoom(now);
  };

  const endAccessToken = (
    token: AccessTokenRecord,
    state: 'revoked' | 'expired',
    now: number,
    exchange: number | null,
  ): boolean => {
    if (stateOf(token, now) !== 'active') return false;
    token.state = state;
    token.ended_at = now;
    token.ended_by = exchange;
    return true;
  };

  /** What is bounded: the access tokens kept for those who look, newest first, and the ended ones. */
  function* kept(): Generator<Credential> {
    yield* accessTokens.newestFirst();
    yield* ended.values();
  }

  function* everything(): Generator<Credential> {
    yield* live.values();
    yield* kept();
  }

  /** In any state still kept. */
  const find = (value: string, now: number): Stored | undefined => {
    sweep(now, SWEEP);
    const record = live.get(value);
    if (record === undefined) return ended.get(value);
    // The sweep is bounded, and a lineage knows only its newest member: settle this one by itself.
    settle(record, now);
    return record;
  };

  return {
    insertCode: (code, now) => {
      insert(code, now);
    },
    findCode: (value, now) => {
      const found = find(value, now);
      return found?.kind === 'code' ? found : undefined;
    },
    consumeCode: (code, now, exchange) => finish(code, 'redeemed', now, exchange),
    insertRefreshToken: (token, now) => {
      insert(token, now);
    },
    findRefreshToken: (value, now) => {
      const found = find(value, now);
      return found?.kind === 'refresh_token' ? found : undefined;
    },
    rotateRefreshToken: (token, now, exchange) => finish(token, 'rotated', now, exchange),
    recordAccessToken: (token) => {
      const { lineage } = token;
      lineage.access_until = Math.max(lineage.access_until, token.expires_at);
      const revoked_at = revokedAt(lineage);
      if (revoked_at !== null) denyLineage(lineage, revoked_at, null);
      accessTokens.add(token);
    },
    findOpaqueToken: (value) => accessTokens.findOpaque(value),
    findDenial: (id, client) => denials.find(id, client),
    denyClient: (id, up_to, now, until) => {
      denials.denyClient(id, up_to, now, until);
    },
    endDeleted: () => {
      walk = live.values();
    },
    endAccessToken: (id, state, now, until, exchange) => {
      denials.denyToken(id, state, now, until, exchange);
      const token = accessTokens.find(id);
      if (token !== undefined) endAccessToken(token, state, now, exchange);
    },
    extendRefreshToken: (token, until) => {
      if (live.get(token.value) !== token) return;
      expiries.remove(token);
      token.expires_at = until;
      expiries.push(token);
    },
    revokeLineage,
    end: (credential, state, now, exchange) => {
      if (credential.kind !== 'access_token') {
        return finish<Stored>(credential, state, now, exchange);
      }
      if (!endAccessToken(credential, state, now, exchange)) return false;
      denials.denyToken(accessTokenId(credential), state, now, credential.expires_at, exchange);
      return true;
    },
    expireAll: (now) => {
      sweep(now, Number.POSITIVE_INFINITY);
      for (const token of accessTokens.newestFirst()) {
        if (token.state !== 'active' || token.expires_at > now) continue;
        token.ended_at = endedAt(token, now);
        token.state = stateOf(token, now) === 'revoked' ? 'revoked' : 'expired';
      }
    },
    denyEnded: (now) => {
      for (const token of accessTokens.newestFirst()) {
        const { state, ended_at, expires_at, ended_by } = token;
        if (state === 'active' || expires_at <= now) continue;
        denials.denyToken(accessTokenId(token), state, ended_at ?? now, expires_at, ended_by);
      }
    },
    list: (limit, before, wanted = () => true) => {
      const fits = (credential: Credential) => credential.seq < before && wanted(credential);
      function* candidates(): Generator<Credential> {
        yield* newestOf(live, limit, fits);
        yield* kept();
      }
      return pickNewest(candidates(), limit, fits);
    },
    findById: (id) => {
      for (const credential of everything()) if (credentialId(credential) === id) return credential;
      return undefined;
    },
    findLineage: (id) => {
      for (const { lineage } of everything()) if (lineage.id === id) return lineage;
      return undefined;
    },
    liveCount: (now) => {
      sweep(now, SWEEP_FOR_VIEWERS);
      return live.size;
    },
    clear: () => {
      live.clear();
      ended.clear();
      accessTokens.clear();
      denials.clear();
      expiries.clear();
      liveBytes = 0;
      walk = null;
    },
  };
}
