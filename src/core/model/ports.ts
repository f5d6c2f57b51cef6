// What the domain needs from outside and receives as ports: time, randomness, one hash, signatures, and stores for
// credentials. Core never gets any of these by itself.

import type { JsonObject } from '../../json.ts';
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
import type { JWK } from 'jose';
import type { SigningAlg, SigningKeyJwk } from '../records/schemas.ts';
import type { Counter } from '../throttle/counter-store.ts';

export type MaybePromise<T> = T | Promise<T>;

/** Cryptographically strong random bytes. */
export type Random = (bytes: number) => Uint8Array;

/** SHA-256 of a text's UTF-8 bytes, base64url without padding. */
export type Sha256 = (text: string) => string;

/** SHA-512 of the same. */
export type Sha512 = Sha256;

/**
 * Signs a payload's UTF-8 bytes as a compact JWS (RFC 7515 7.1).
 * @param header the `typ` of a protected header that also gets the key's `alg` and, if the key has one, its `kid`; or
 * the complete protected header
 */
export type SignJws = (
  header: string | Readonly<Record<string, unknown>>,
  payload: string,
) => Promise<string>;

/** Imports a private key, or the secret for HS256, once for many signatures. */
export type CreateSigner = (jwk: SigningKeyJwk) => SignJws;

export interface SigningKey {
  /** The RFC 7638 thumbprint, unless the JWK has its own kid. */
  readonly kid: string;
  /** Identifies the key material: equal for two copies of one key, whatever their kid. */
  readonly thumbprint: string;
  readonly alg: SigningAlg;
  /** null for an HS256 key, which is never published. */
  readonly public_jwk: JWK | null;
  /** The key to be saved, with its private members. */
  readonly private_jwk: SigningKeyJwk;
  /** Milliseconds of the sandbox clock. */
  readonly created_at: number;
}

/** Generates a key. @param created_at in milliseconds of the sandbox clock */
export type GenerateKey = (alg: SigningAlg, created_at: number) => Promise<SigningKey>;

/** A JSON document of an app, with the ms for which it may be used without another request; or why there is none. */
export type FetchedDocument =
  { readonly value: JsonObject; readonly fresh_ms: number } | { readonly problem: string };

/**
 * Fetches a public JSON document from an app on this machine: with one GET request, without cookies and redirects.
 * Never rejects because of the document.
 */
export type FetchDocument = (
  url: string,
  limits: { readonly most_bytes: number; readonly timeout_ms: number },
) => Promise<FetchedDocument>;

export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly sha256: Sha256;
  readonly sha512: Sha512;
  readonly createSigner: CreateSigner;
  readonly generateKey: GenerateKey;
  readonly fetchDocument: FetchDocument;
  readonly stores: CredentialStore;
  /** Called with every change; must return immediately and never throw. */
  readonly emit: (event: DomainEvent) => void;
}

/** Selects the credentials to list. */
export type Wanted = (credential: Credential) => boolean;

export type LiveCounts = Readonly<Record<Credential['kind'], number>>;

/**
 * The store of credentials. Each operation is atomic and may be asynchronous. A record is stored as revoked if its
 * lineage is revoked. Times are milliseconds of the sandbox clock.
 */
export interface CredentialStore {
  insertCode(code: CodeRecord, now: number): MaybePromise<void>;
  /** Finds a code that is still stored, in any state. */
  findCode(value: string, now: number): MaybePromise<CodeRecord | undefined>;
  /** Marks the code as redeemed, and returns true to exactly one caller. */
  consumeCode(code: CodeRecord, now: number, exchange: number): MaybePromise<boolean>;
  insertRefreshToken(token: RefreshTokenRecord, now: number): MaybePromise<void>;
  /** Finds a refresh token that is still stored, in any state. */
  findRefreshToken(value: string, now: number): MaybePromise<RefreshTokenRecord | undefined>;
  /** Marks the token as rotated, and returns true to exactly one caller. */
  rotateRefreshToken(
    token: RefreshTokenRecord,
    now: number,
    exchange: number,
  ): MaybePromise<boolean>;
  /** Extends the idle time of a refresh token. */
  extendRefreshToken(token: RefreshTokenRecord, until: number): MaybePromise<void>;
  /** Stores the newest records, for viewers and to find opaque tokens. */
  recordAccessToken(token: AccessTokenRecord): void;
  /** Finds an opaque access token among the newest ones, in any state. */
  findOpaqueToken(value: string): MaybePromise<AccessTokenRecord | undefined>;
  /**
   * Ends an access token by an entry in the denial list, whether or not its record is stored.
   * @param until when it would have expired
   */
  endAccessToken(
    id: AccessTokenId,
    state: 'revoked' | 'expired',
    now: number,
    until: number,
    exchange: number | null,
  ): MaybePromise<void>;
  /**
   * Finds the entry of the denial list that applies to an access token.
   * @param client digest of the client_id that it was issued to; without it, only entries for the token or its
   * lineage are considered
   */
  findDenial(id: AccessTokenId, client?: string): MaybePromise<Denied | undefined>;
  /**
   * Denies the tokens that a deleted client was issued in one epoch, even if the client_id is registered again.
   * @param up_to number of the last denied lineage; null for all lineages of the epoch
   */
  denyClient(id: ClientTokensId, up_to: number | null, now: number, until: number): void;
  /** Starts to end the live credentials of deleted clients, a few with each operation. */
  endDeleted(): void;
  /** Revokes a lineage with all its credentials; returns false if it was already revoked. */
  revokeLineage(lineage: Lineage, now: number, exchange: number | null): MaybePromise<boolean>;
  /** Ends one credential as revoked or expired, unless it has already ended. */
  end(
    credential: Credential,
    state: 'revoked' | 'expired',
    now: number,
    exchange: number | null,
  ): MaybePromise<void>;
  /** Records every expiry up to now, so that nothing becomes live again when the clock is set back. */
  expireAll(now: number): void;
  /** Denies every stored access token that has ended, before the clock is set back. */
  denyEnded(now: number): void;
  /**
   * Lists the credentials that were issued before the given sequence number, newest first.
   * @param wanted selects some of them; all by default
   */
  list(limit: number, before: number, wanted?: Wanted): MaybePromise<readonly Credential[]>;
  findById(id: string): MaybePromise<Credential | undefined>;
  findLineage(id: string): MaybePromise<Lineage | undefined>;
  /** Counts the live credentials of each client that has any. For viewers only, as it iterates over all credentials. */
  liveByClient(isLive: Wanted): ReadonlyMap<string, LiveCounts>;
  /** Counts the live codes and refresh tokens. */
  liveCount(now: number): number;
  /** Counts the stored access tokens that are live. For viewers only, as it iterates over all of them. */
  liveAccessTokenCount(isLive: Wanted): number;
  clear(): void;
}

/** What has just happened in the domain. The engine numbers and batches these events for viewers. */
export type DomainEvent =
  | { readonly type: 'credentials' }
  | { readonly type: 'counter'; readonly counter: Counter }
  | { readonly type: 'counters_released' }
  | { readonly type: 'registry'; readonly list: 'clients' | 'users' | 'audiences' | 'apis' }
  /** A device authorization was opened, polled, decided or redeemed. */
  | { readonly type: 'devices' }
  /** A flow, a request or the result of a client check was saved or deleted. */
  | { readonly type: 'saved'; readonly list: 'saved_flows' | 'saved_requests' | 'client_check' }
  | { readonly type: 'settings' }
  | { readonly type: 'keys' }
  /** There was no key for the algorithm of a signature. The key belongs to no workspace. */
  | { readonly type: 'key_generated' }
  /** The fault rules changed; a hit changes only their counts. */
  | { readonly type: 'faults' }
  | { readonly type: 'fault_hit' }
  /** A client check armed, sent or ended its misbehaviour. */
  | { readonly type: 'client_check' }
  | { readonly type: 'reset' }
  /** A browser has logged a user out, who had signed in to these other clients. */
  | {
      readonly type: 'signed_out';
      readonly sub: string;
      readonly clients: readonly { readonly client_id: string; readonly sid: string }[];
    }
  /** The limit of live refresh tokens was reached, so the oldest lineage was revoked. */
  | { readonly type: 'ceiling'; readonly lineage_id: string };
