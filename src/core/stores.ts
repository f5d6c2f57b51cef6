// The credential stores in memory. Nothing is scanned where tokens are redeemed; listing and finding
// by id are for those who look and may walk.

import type {
  AccessTokenRecord,
  CodeRecord,
  Credential,
  Lineage,
  RefreshTokenRecord,
} from './credentials.ts';
import { accessTokenId, credentialId, endedAt, stateOf } from './credentials.ts';
import type { Denials } from './denials.ts';
import { createDenials } from './denials.ts';
import { createExpiryQueue } from './expiry-queue.ts';
import { newestOf, pickNewest } from './newest.ts';
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

/** A JWT has dots; an opaque token has none. */
const isOpaque = (value: string) => !value.includes('.');

export interface MemoryStoreOptions {
  /** Told of a lineage revoked because the ceiling of live refresh tokens was reached. */
  readonly onCeiling: (lineage: Lineage) => void;
  readonly limits?: StoreLimits | undefined;
  /** Which access tokens are no longer good; handed in by who keeps it. */
  readonly denials?: Denials;
}

export function createMemoryStores({
  onCeiling,
  limits = DEFAULT_LIMITS,
  denials = createDenials(),
}: MemoryStoreOptions): CredentialStore {
  const codes = new Map<string, CodeRecord>();
  const refreshTokens = new Map<string, RefreshTokenRecord>();
  /** Ended codes and refresh tokens by value, oldest first. */
  const ended = new Map<string, Stored>();
  const accessTokens = createRing<AccessTokenRecord>(limits.access_tokens);
  const opaqueTokens = new Map<string, AccessTokenRecord>();
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
    record.lineage.others?.delete(record);
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

  const insert = <T extends Stored>(map: Map<string, T>, record: T, now: number) => {
    sweep(now, SWEEP);
    map.set(record.value, record);
    expiries.push(record);
    const { lineage } = record;
    if (lineage.newest?.ended_at === null) (lineage.others ??= new Set()).add(lineage.newest);
    lineage.newest = record;
    if (lineage.revoked_at !== null) close<Stored>(record, 'revoked', now, null);
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

  /** Newest first. */
  function* issuedAccessTokens(): Generator<AccessTokenRecord> {
    for (let age = 0; age < accessTokens.size; age++) {
      const token = accessTokens.newest(age);
      if (token !== undefined) yield token;
    }
  }

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
    yield* issuedAccessTokens();
    yield* ended.values();
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
      const { lineage, value } = token;
      lineage.access_until = Math.max(lineage.access_until, token.expires_at);
      if (lineage.revoked_at !== null) denyLineage(lineage, lineage.revoked_at, null);
      if (value !== null && isOpaque(value)) opaqueTokens.set(value, token);
      const gone = accessTokens.add(token);
      if (typeof gone?.value === 'string') opaqueTokens.delete(gone.value);
      const faded = accessTokens.newest(limits.access_token_values);
      if (typeof faded?.value === 'string' && !isOpaque(faded.value)) faded.value = null;
    },
    findOpaqueToken: (value) => opaqueTokens.get(value),
    findDenial: (id) => denials.find(id),
    endAccessToken: (id, state, now, until, exchange) => {
      denials.denyToken(id, state, now, until, exchange);
      for (const token of issuedAccessTokens()) {
        const { lineage } = token;
        if (token.n !== id.n || lineage.id !== id.lineage || lineage.epoch !== id.epoch) continue;
        endAccessToken(token, state, now, exchange);
        return;
      }
    },
    extendRefreshToken: (token, until) => {
      if (refreshTokens.get(token.value) !== token) return;
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
      for (const token of issuedAccessTokens()) {
        if (token.state !== 'active' || token.expires_at > now) continue;
        token.ended_at = endedAt(token, now);
        token.state = stateOf(token, now) === 'revoked' ? 'revoked' : 'expired';
      }
    },
    denyEnded: (now) => {
      for (const token of issuedAccessTokens()) {
        const { state, ended_at, expires_at, ended_by } = token;
        if (state === 'active' || expires_at <= now) continue;
        denials.denyToken(accessTokenId(token), state, ended_at ?? now, expires_at, ended_by);
      }
    },
    list: (limit, before, wanted = () => true) => {
      const fits = (credential: Credential) => credential.seq < before && wanted(credential);
      function* candidates(): Generator<Credential> {
        yield* newestOf(codes, limit, fits);
        yield* newestOf(refreshTokens, limit, fits);
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
      return codes.size + refreshTokens.size;
    },
    clear: () => {
      codes.clear();
      refreshTokens.clear();
      ended.clear();
      accessTokens.clear();
      opaqueTokens.clear();
      denials.clear();
      expiries.clear();
    },
  };
}
