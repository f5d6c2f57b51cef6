// What the domain needs of the world, handed in: time, randomness, one hash, signatures, and somewhere to
// keep credentials. Nothing in core reaches for any of these by itself.

import type { Clock } from './clock.ts';
import type {
  AccessTokenRecord,
  CodeRecord,
  Credential,
  Lineage,
  RefreshTokenRecord,
} from './credentials.ts';
import type { AccessTokenId } from './access-token-id.ts';
import type { ClientTokensId, Denied } from './denial.ts';
import type { SigningKeyJwk } from '../records/schemas.ts';
import type { Counter } from '../throttle/counters.ts';

export type MaybePromise<T> = T | Promise<T>;

/** Cryptographically strong random bytes. */
export type Random = (bytes: number) => Uint8Array;

/** SHA-256 of a text's UTF-8 bytes, base64url without padding. */
export type Sha256 = (text: string) => string;

/**
 * Signs a payload's UTF-8 bytes as a compact JWS (RFC 7515 7.1).
 * @param header the `typ` of a protected header that also has the key's `alg` and, where it has one, its `kid`;
 * or the protected header as it is
 */
export type SignJws = (
  header: string | Readonly<Record<string, unknown>>,
  payload: string,
) => Promise<string>;

/** Reads a private key, or the secret of HS256, once for all that it is to sign. */
export type CreateSigner = (jwk: SigningKeyJwk) => SignJws;

export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly sha256: Sha256;
  readonly createSigner: CreateSigner;
  readonly stores: CredentialStore;
  /** Called with everything that changed; must return at once and never throw. */
  readonly emit: (event: DomainEvent) => void;
}

/** Which credentials to list. */
export type Wanted = (credential: Credential) => boolean;

/** How many credentials of each kind live. */
export type LiveCounts = Readonly<Record<Credential['kind'], number>>;

/**
 * Where credentials live. Each operation is atomic and may be asynchronous. A record whose lineage is
 * revoked is stored revoked. Times are milliseconds of the sandbox clock.
 */
export interface CredentialStore {
  insertCode(code: CodeRecord, now: number): MaybePromise<void>;
  /** Finds a code in any state still kept. */
  findCode(value: string, now: number): MaybePromise<CodeRecord | undefined>;
  /** Marks the code redeemed and answers true, to exactly one caller. */
  consumeCode(code: CodeRecord, now: number, exchange: number): MaybePromise<boolean>;
  insertRefreshToken(token: RefreshTokenRecord, now: number): MaybePromise<void>;
  /** Finds a refresh token in any state still kept. */
  findRefreshToken(value: string, now: number): MaybePromise<RefreshTokenRecord | undefined>;
  /** Marks the token rotated and answers true, to exactly one caller. */
  rotateRefreshToken(
    token: RefreshTokenRecord,
    now: number,
    exchange: number,
  ): MaybePromise<boolean>;
  /** Gives an unused refresh token more time. */
  extendRefreshToken(token: RefreshTokenRecord, until: number): MaybePromise<void>;
  /** Keeps the newest records: for those who look, and for opaque tokens, which are known by them. */
  recordAccessToken(token: AccessTokenRecord): void;
  /** Finds an opaque access token among the newest, in any state. */
  findOpaqueToken(value: string): MaybePromise<AccessTokenRecord | undefined>;
  /**
   * Ends an access token, whether or not a record of it is kept, by an entry in the denial list.
   * @param until when it would have expired by itself
   */
  endAccessToken(
    id: AccessTokenId,
    state: 'revoked' | 'expired',
    now: number,
    until: number,
    exchange: number | null,
  ): MaybePromise<void>;
  /**
   * The denial list's entry about an access token.
   * @param client digest of the client_id that it was issued to; left out, only what is said of the token
   * or its lineage counts
   */
  findDenial(id: AccessTokenId, client?: string): MaybePromise<Denied | undefined>;
  /**
   * Denies what a deleted client was issued in one epoch, whoever has its client_id from now on.
   * @param up_to number of the last lineage that it is about; null for all of the epoch
   */
  denyClient(id: ClientTokensId, up_to: number | null, now: number, until: number): void;
  /** What lives of lineages whose registration is over is to be ended, a little with each operation. */
  endDeleted(): void;
  /** Revokes a lineage with all its credentials; false when it was revoked before. */
  revokeLineage(lineage: Lineage, now: number, exchange: number | null): MaybePromise<boolean>;
  /** Ends one credential as revoked or expired; false when it had ended before. */
  end(
    credential: Credential,
    state: 'revoked' | 'expired',
    now: number,
    exchange: number | null,
  ): MaybePromise<boolean>;
  /** Settles every expiry up to now, so that a clock set back brings nothing to life. */
  expireAll(now: number): void;
  /** Denies every access token kept that has ended: for a clock that was set back. */
  denyEnded(now: number): void;
  /**
   * Newest first, those issued before the given sequence number.
   * @param wanted which of them; all when left out
   */
  list(limit: number, before: number, wanted?: Wanted): MaybePromise<readonly Credential[]>;
  findById(id: string): MaybePromise<Credential | undefined>;
  findLineage(id: string): MaybePromise<Lineage | undefined>;
  /** The live credentials of each client that has some: for those who look, as it walks all of them. */
  liveByClient(now: number): ReadonlyMap<string, LiveCounts>;
  /** Codes and refresh tokens in a live state. */
  liveCount(now: number): number;
  /** Access tokens on record that are live: for those who look, as it walks all of them. */
  liveAccessTokenCount(now: number): number;
  clear(): void;
}

/** What happened in the domain, told as it happens. The engine numbers and batches these for viewers. */
export type DomainEvent =
  | { readonly type: 'credentials' }
  | { readonly type: 'counter'; readonly counter: Counter }
  | { readonly type: 'counters_released' }
  | { readonly type: 'registry'; readonly list: 'clients' | 'users' | 'audiences' }
  /** A device authorization was asked for, polled, decided or redeemed. */
  | { readonly type: 'devices' }
  /** A flow or a request was saved by name, or deleted. */
  | { readonly type: 'saved'; readonly list: 'saved_flows' | 'saved_requests' }
  | { readonly type: 'settings' }
  | { readonly type: 'keys' }
  /** The fault rules themselves; a hit changes only their counts. */
  | { readonly type: 'faults' }
  | { readonly type: 'fault_hit' }
  | { readonly type: 'reset' }
  /** The ceiling of live refresh tokens was reached; the oldest lineage had to go. */
  | { readonly type: 'ceiling'; readonly lineage_id: string };
