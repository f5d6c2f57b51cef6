// Codes, refresh tokens and access tokens with their lineage: states and transitions (behaviour 4).
// Records are lean, since millions may live at once; times are milliseconds of the sandbox clock.

import { type AccessTokenId, formatLineageId } from './access-token-id.ts';
import type { RefusalFacts } from '../checks/refusals/index.ts';
import type { AccessTokenFormat } from '../records/schemas.ts';
import { jsonBytes, textBytes } from '../collections/weight.ts';

/** Who acts for the subject of a token, with those who did before nested in `act` (RFC 8693 4.1). */
export type ActClaim = Readonly<Record<string, unknown>>;

/** A client's time in the registry, from its being added to its being deleted, however its record changes meanwhile. */
export interface Registration {
  /** Tells it from others of the same client_id; never used twice. */
  readonly n: number;
  readonly client_id: string;
  /** Milliseconds of the sandbox clock; null while the client is registered. */
  ended_at: number | null;
}

/** What a token exchange decided about a lineage (RFC 8693). */
export interface Delegation {
  /** The `sub` of its tokens: that of the subject token, which may be another client's. */
  readonly sub: string;
  /** null: nobody acts for the subject. */
  readonly act: ActClaim | null;
}

/** All credentials of one authorization, or of one request that needed none. */
export interface Lineage {
  /** Its number within the epoch; @see lineageId */
  readonly number: number;
  /** The epoch it was opened in: `jti` (or `sid`) of its access tokens is `<epoch>.<id>.<n>`. */
  readonly epoch: string;
  /** Its client's; once it is over, so is the lineage. */
  readonly registration: Registration;
  /** null: the client acts for itself, and no user stands behind it. */
  readonly user_sub: string | null;
  /** null unless it began with a token exchange. */
  readonly delegation: Delegation | null;
  /** null while the exchange of the code has not decided it. */
  audience: string | null;
  scope: string;
  readonly created_at: number;
  /** When the person signed in; null where nobody did: then it is as if at `created_at`. */
  readonly auth_time: number | null;
  /** When the last of its refresh tokens expires, whatever replaces them; 0 before the first. */
  refresh_until: number;
  /** When the last of its access tokens expires; 0 before the first. */
  access_until: number;
  /** When it was revoked by itself; @see revokedAt */
  revoked_at: number | null;
  /** Credentials issued so far; the number of the newest one. */
  count: number;
  /** The code or refresh token inserted last: the one to end when the lineage is revoked. */
  newest: CodeRecord | RefreshTokenRecord | null;
  /** Those that were still live when another came: a grace window can leave several. Mostly null. */
  others: Set<CodeRecord | RefreshTokenRecord> | null;
}

/** Names a lineage within its epoch, and tells whether a user stands behind it. */
export const lineageId = ({ number, user_sub }: Lineage): string =>
  formatLineageId({ number, of_user: user_sub !== null });

/** The `sub` of its tokens: the user, or the client that acts for itself (RFC 9068 5). */
export const subOf = ({ delegation, user_sub, registration }: Lineage): string =>
  delegation?.sub ?? user_sub ?? registration.client_id;

/** The `act` of its tokens; null for none. */
export const actOf = ({ delegation }: Lineage): ActClaim | null => delegation?.act ?? null;

/** When it was revoked, by itself or with its client's registration; null while it is not. */
export function revokedAt({ revoked_at, registration: { ended_at } }: Lineage): number | null {
  if (revoked_at === null) return ended_at;
  return ended_at === null ? revoked_at : Math.min(revoked_at, ended_at);
}

/** How a credential was redeemed, rotated, revoked or found expired. */
interface CredentialEnd {
  readonly at: number;
  /** Number of the exchange that did it; null over control, and where time did. */
  readonly by: number | null;
}

interface CredentialBase {
  /** Order of issue over all credentials. */
  readonly seq: number;
  /** Its number within the lineage. */
  readonly n: number;
  readonly lineage: Lineage;
  /** What it takes in memory with its lineage, at most. */
  readonly bytes: number;
  readonly issued_at: number;
  expires_at: number;
  /** Thumbprint of the key that it is bound to (RFC 9449 6); null when it is not. */
  readonly jkt: string | null;
  /** Number of the exchange that issued it; null over control. */
  readonly issued_by: number | null;
  /** null until it is written down; @see endedAt */
  end: CredentialEnd | null;
}

export interface CodeRecord extends CredentialBase {
  readonly kind: 'code';
  readonly value: string;
  state: 'issued' | 'redeemed' | 'expired' | 'revoked';
  /** Place in the queue of expiries; -1 when in none. */
  queue_index: number;
  readonly redirect_uri: string;
  /** Whether the authorization request itself carried a redirect_uri. */
  readonly redirect_uri_given: boolean;
  readonly asked_scope: string;
  readonly code_challenge: string | null;
  readonly code_challenge_method: 'S256' | 'plain' | null;
  readonly nonce: string | null;
  /** Seconds; overrides the access token's lifetime for this code. */
  readonly access_token_expires_in: number | null;
}

export interface RefreshTokenRecord extends CredentialBase {
  readonly kind: 'refresh_token';
  readonly value: string;
  state: 'active' | 'rotated' | 'expired' | 'revoked';
  queue_index: number;
}

export interface AccessTokenRecord extends CredentialBase {
  readonly kind: 'access_token';
  /** null once it is no longer among the newest; an opaque one is known by it and keeps it. */
  value: string | null;
  readonly format: AccessTokenFormat;
  readonly audience: string;
  readonly scope: string;
  state: 'active' | 'expired' | 'revoked';
}

export type Credential = CodeRecord | RefreshTokenRecord | AccessTokenRecord;
type CredentialState = Credential['state'];

/**
 * The state a credential is in now: its own, or what came first of its lineage's revocation and its
 * time running out. Terminal states are final (behaviour 4).
 */
export function stateOf(credential: Credential, now: number): CredentialState {
  if (credential.state !== 'issued' && credential.state !== 'active') return credential.state;
  const revoked_at = revokedAt(credential.lineage);
  if (revoked_at !== null) return revoked_at < credential.expires_at ? 'revoked' : 'expired';
  return credential.expires_at <= now ? 'expired' : credential.state;
}

/** When it ended, also where nobody has written that down yet; null while it is live. */
export function endedAt(credential: Credential, now: number): number | null {
  if (credential.end !== null) return credential.end.at;
  switch (stateOf(credential, now)) {
    case 'revoked':
      return revokedAt(credential.lineage);
    case 'expired':
      return credential.expires_at;
    default:
      return null;
  }
}

/** When a credential ended, by which exchange and how long ago, as a refusal tells it. */
export function endOf(credential: Credential, now: number): RefusalFacts {
  const at = endedAt(credential, now) ?? now;
  const by = credential.end?.by ?? null;
  const seconds = Math.floor((now - at) / 1000);
  return by === null ? { at, seconds } : { at, seconds, exchange: by };
}

/** The name by which an access token is denied. */
export function accessTokenId({ lineage, n }: AccessTokenRecord): AccessTokenId {
  return { epoch: lineage.epoch, lineage: lineageId(lineage), n };
}

/** `<lineage>.<n>`: names a credential where its value must not show. */
export function credentialId(credential: Credential): string {
  return `${lineageId(credential.lineage)}.${credential.n}`;
}

/** A record with its value and its places in a store, and a lineage, as measured. */
const RECORD_BYTES = 360;
const LINEAGE_BYTES = 250;

const bytesOfTexts = (texts: readonly (string | null)[]) =>
  texts.reduce((bytes, text) => bytes + (text === null ? 0 : textBytes(text)), 0);

/** What a lineage takes in memory. */
export function lineageBytes({ scope, audience, delegation }: Lineage): number {
  const act = delegation === null ? 0 : jsonBytes(delegation);
  return LINEAGE_BYTES + bytesOfTexts([scope, audience]) + act;
}

/**
 * What a credential takes in memory with its lineage, which counts with each of its credentials: which of
 * them goes last is not known.
 * @param texts taken from the request that it was issued for
 */
export const credentialBytes = (lineage: Lineage, texts: readonly (string | null)[]): number =>
  RECORD_BYTES + lineageBytes(lineage) + bytesOfTexts(texts);

/** A credential that an exchange issued: kind and id, never its value, so that whoever shows the exchange can name it. */
interface IssuedCredential {
  readonly kind: Credential['kind'] | 'id_token';
  /** null for an id_token, of which no record is kept. */
  readonly id: string | null;
  readonly lineage_id: string;
}

/** What a DPoP proof has shown, as far as it was validated. */
interface DpopState {
  /** Thumbprint of the key that the sender has proven to possess (RFC 7638); null while it has not. */
  readonly jkt: string | null;
  /** Whether a refresh token is bound to it as well: that of a public client (RFC 9449 5). */
  readonly binds_refresh_token: boolean;
  /** The nonce that the response supplies; null when none is required. */
  readonly nonce: string | null;
}

/** The exchange that credentials are issued in; the trace of a request is one. */
export interface IssuingExchange {
  readonly exchange: number;
  /** What is issued is bound to its key (RFC 9449 5); null without a proof. */
  dpop: DpopState | null;
  issued: readonly IssuedCredential[];
  /** Notes of the trace, to which issuing adds. */
  deviations: readonly { readonly id: string; readonly about?: string }[];
  /** Of the token request; null elsewhere. */
  readonly grant_type: string | null;
}

function add(by: IssuingExchange | null, issued: IssuedCredential): void {
  if (by !== null) by.issued = [...by.issued, issued];
}

/** @param by null over control */
export function noteIssued(by: IssuingExchange | null, credential: Credential): void {
  const { kind, lineage } = credential;
  add(by, { kind, id: credentialId(credential), lineage_id: lineageId(lineage) });
}

export function noteIssuedIdToken(by: IssuingExchange, lineage_id: string): void {
  add(by, { kind: 'id_token', id: null, lineage_id });
}
