// The credential stores in memory. Nothing is scanned where tokens are redeemed; listing and finding
// by id are for those who look and may walk.

import type {
  AccessTokenRecord,
  CodeRecord,
  Credential,
  Lineage,
  RefreshTokenRecord,
} from './credentials.ts';
import { credentialId, endedAt, stateOf } from './credentials.ts';
import { createExpiryQueue } from './expiry-queue.ts';
import type { CredentialStore } from './ports.ts';
import { createRing } from './ring.ts';

export interface StoreLimits {
  /** Live refresh tokens; beyond it the oldest lineage is revoked. */
  readonly live_refresh_tokens: number;
  /** Credentials in a terminal state, kept for the page. */
  readonly ended: number;
  readonly access_tokens: number;
  /** Access tokens that keep their text. */
  readonly access_token_values: number;
}

const DEFAULT_LIMITS: StoreLimits = {
  live_refresh_tokens: 2_000_000,
  ended: 50_000,
  access_tokens: 100_000,
  access_token_values: 10_000,
};

/** Expiries settled per operation: two would keep pace, more let a moved clock catch up. */
const SWEEP = 32;
const SWEEP_FOR_VIEWERS = 5000;

type Stored = CodeRecord | RefreshTokenRecord;

/** The last few before a sequence number, of a map that is in the order of issue: millions may be. */
function newestOf<T extends Stored>(map: Map<string, T>, limit: number, before: number): T[] {
  const inOrder = [...map.values()];
  let end = inOrder.length;
  while (end > 0 && (inOrder[end - 1]?.seq ?? 0) >= before) end -= 1;
  return inOrder.slice(Math.max(0, end - limit), end);
}

/** @param onCeiling told of a lineage revoked because the ceiling of live refresh tokens was reached */
export function createMemoryStores(
  onCeiling: (lineage: Lineage) => void,
  limits: StoreLimits = DEFAULT_LIMITS,
): CredentialStore {
  const codes = new Map<string, CodeRecord>();
  const refreshTokens = new Map<string, RefreshTokenRecord>();
  /** Ended codes and refresh tokens by value, oldest first. */
  const ended = new Map<string, Stored>();
  const accessTokens = createRing<AccessTokenRecord>(limits.access_tokens);
  const expiries = createExpiryQueue<Stored>();

  const liveOnes = (record: Stored): Map<string, Stored> =>
    record.kind === 'code' ? codes : refreshTokens;

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
    if (!liveOnes(record).delete(record.value)) return;
    ended.set(record.value, record);
    if (ended.size > limits.ended) {
      for (const oldest of ended.keys()) {
        ended.delete(oldest);
        break;
      }
    }
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
    if (liveOnes(record).get(record.value) !== record) return false;
    close(record, state, now, exchange);
    return true;
  };

  const sweep = (now: number, most: number) => {
    for (let count = 0; count < most; count++) {
      const record = expiries.popExpired(now);
      if (record === undefined) return;
      settle(record, now);
    }
  };

  const revokeLineage = (lineage: Lineage, now: number, exchange: number | null): boolean => {
    if (lineage.revoked_at !== null) return false;
    if (lineage.newest !== null) finish<Stored>(lineage.newest, 'revoked', now, exchange);
    lineage.revoked_at = now;
    return true;
  };

  const insert = <T extends Stored>(map: Map<string, T>, record: T, now: number) => {
    sweep(now, SWEEP);
    map.set(record.value, record);
    expiries.push(record);
    record.lineage.newest = record;
    if (record.lineage.revoked_at !== null) close<Stored>(record, 'revoked', now, null);
  };

  const makeRoom = (now: number) => {
    if (refreshTokens.size <= limits.live_refresh_tokens) return;
    for (const oldest of refreshTokens.values()) {
      settle(oldest, now);
      if (oldest.state !== 'active') return;
      revokeLineage(oldest.lineage, now, null);
      onCeiling(oldest.lineage);
      settle(oldest, now);
      return;
    }
  };

  /** What is bounded: the ended ones and the access tokens kept for those who look. */
  function* kept(): Generator<Credential> {
    yield* ended.values();
    for (let age = 0; age < accessTokens.size; age++) {
      const token = accessTokens.newest(age);
      if (token !== undefined) yield token;
    }
  }

  function* everything(): Generator<Credential> {
    yield* codes.values();
    yield* refreshTokens.values();
    yield* kept();
  }

  const find = <T extends Stored>(
    map: Map<string, T>,
    value: string,
    now: number,
  ): T | undefined => {
    sweep(now, SWEEP);
    const record = map.get(value);
    if (record === undefined) return undefined;
    // The sweep is bounded, and a lineage knows only its newest member: settle this one by itself.
    settle(record, now);
    return record;
  };

  return {
    insertCode: (code, now) => {
      insert(codes, code, now);
    },
    findCode: (value, now) => {
      const found = find(codes, value, now);
      if (found !== undefined) return found;
      const past = ended.get(value);
      return past?.kind === 'code' ? past : undefined;
    },
    consumeCode: (code, now, exchange) => finish(code, 'redeemed', now, exchange),
    insertRefreshToken: (token, now) => {
      insert(refreshTokens, token, now);
      makeRoom(now);
    },
    findRefreshToken: (value, now) => {
      const found = find(refreshTokens, value, now);
      if (found !== undefined) return found;
      const past = ended.get(value);
      return past?.kind === 'refresh_token' ? past : undefined;
    },
    rotateRefreshToken: (token, now, exchange) => finish(token, 'rotated', now, exchange),
    recordAccessToken: (token) => {
      accessTokens.add(token);
      const faded = accessTokens.newest(limits.access_token_values);
      if (faded !== undefined) faded.value = null;
    },
    revokeLineage,
    end: (credential, state, now, exchange) => {
      if (credential.kind !== 'access_token') {
        return finish<Stored>(credential, state, now, exchange);
      }
      if (stateOf(credential, now) !== 'active') return false;
      credential.state = state;
      credential.ended_at = now;
      credential.ended_by = exchange;
      return true;
    },
    expireAll: (now) => {
      sweep(now, Number.POSITIVE_INFINITY);
      for (let age = 0; age < accessTokens.size; age++) {
        const token = accessTokens.newest(age);
        if (token?.state === 'active' && token.expires_at <= now) {
          token.ended_at = endedAt(token, now);
          token.state = stateOf(token, now) === 'revoked' ? 'revoked' : 'expired';
        }
      }
    },
    list: (limit, before) => {
      const page: Credential[] = [
        ...newestOf(codes, limit, before),
        ...newestOf(refreshTokens, limit, before),
      ];
      for (const credential of kept()) {
        if (credential.seq < before) page.push(credential);
      }
      return page.sort((a, b) => b.seq - a.seq).slice(0, limit);
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
      return codes.size + refreshTokens.size;
    },
    clear: () => {
      codes.clear();
      refreshTokens.clear();
      ended.clear();
      accessTokens.clear();
      expiries.clear();
    },
  };
}
