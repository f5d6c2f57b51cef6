// Codes, refresh tokens and access tokens with their lineage: states and transitions (behaviour 4).
// Records are lean, since millions may live at once; times are milliseconds of the sandbox clock.

import { type AccessTokenId, formatLineageId } from './access-token-id.ts';
import type { RefusalFacts } from '../checks/refusals/index.ts';
import type { AccessTokenFormat } from '../records/schemas.ts';
import { jsonBytes, textBytes } from '../collections/weight.ts';

/** The actor of a token, with earlier actors nested in `act` (RFC 8693 4.1). */
export type ActClaim = Readonly<Record<string, unknown>>;

/** One registration of a client, from its creation to its deletion. Changes of the record do not begin a new one. */
export interface Registration {
  /** Distinguishes it from other registrations with the same client_id; never reused. */
  readonly n: number;
  readonly client_id: string;
  /** Milliseconds of the sandbox clock; null while the client is registered. */
  ended_at: number | null;
}

/** The subject and actor of a lineage that began with a token exchange (RFC 8693). */
export interface Delegation {
  /** The `sub` of its tokens: that of the subject token, which may belong to another client. */
  readonly sub: string;
  /** null if nobody acts for the subject. */
  readonly act: ActClaim | null;
}

/** Claims that were entered on the sign-in page. */
export type SignInClaims = Readonly<Record<string, unknown>>;

/** How the user of an authorization signed in, and the claims that it requested one by one (OpenID Connect Core 5.5). */
export interface OpenIdFacts {
  /** The authentication context class of the sign-in; null for none. */
  readonly acr: string | null;
  /** Identifies the session of the browser; null without one. */
  readonly sid: string | null;
  /** Names of the claims requested for ID tokens. */
  readonly id_token: readonly string[];
  /** Names of the claims requested at userinfo that its scopes might not have. */
  readonly userinfo: readonly string[];
  /** Claims of this sign-in only, which replace those of the user; null for none. */
  readonly claims: SignInClaims | null;
}

/** All credentials of one authorization, or of one request that needed no authorization. */
export interface Lineage {
  /** Its number within the epoch; @see lineageId */
  readonly number: number;
  /** The epoch in which it was opened: `jti` (or `sid`) of its access tokens is `<epoch>.<id>.<n>`. */
  readonly epoch: string;
  /** The registration of its client. When the registration ends, the lineage ends, too. */
  readonly registration: Registration;
  /** null if the client acts for itself, without a user. */
  readonly user_sub: string | null;
  /** null unless it began with a token exchange. */
  readonly delegation: Delegation | null;
  /** null until the code is exchanged, which decides the audience. */
  audience: string | null;
  scope: string;
  readonly created_at: number;
  /** When the user signed in; null if nobody did: `created_at` is then used instead. */
  readonly auth_time: number | null;
  /** null if there is nothing of it to say. */
  readonly openid: OpenIdFacts | null;
  /** When its refresh tokens expire at the latest, even after rotation; 0 before the first one is issued. */
  refresh_until: number;
  /** When the last of its access tokens expires; 0 before the first one is issued. */
  access_until: number;
  /** When the lineage itself was revoked; @see revokedAt */
  revoked_at: number | null;
  /** The number of credentials issued so far, which is the number of the newest one. */
  count: number;
  /** The code or refresh token that was inserted last, which ends when the lineage is revoked. */
  newest: CodeRecord | RefreshTokenRecord | null;
  /**
   * Codes and refresh tokens that were still live when a newer one was inserted, as in a grace window; usually null.
   */
  others: Set<CodeRecord | RefreshTokenRecord> | null;
}

/** Identifies a lineage within its epoch, and says whether it has a user. */
export const lineageId = ({ number, user_sub }: Lineage): string =>
  formatLineageId({ number, of_user: user_sub !== null });

/** Returns the `sub` of its tokens: the user, or the client that acts for itself (RFC 9068 5). */
export const subOf = ({ delegation, user_sub, registration }: Lineage): string =>
  delegation?.sub ?? user_sub ?? registration.client_id;

/** Returns the `act` of its tokens; null for none. */
export const actOf = ({ delegation }: Lineage): ActClaim | null => delegation?.act ?? null;

/**
 * Returns when its user signed in, in whole seconds; null without a user, and after a token exchange, in which nobody
 * signs in.
 */
export const signedInAt = (lineage: Lineage): number | null =>
  lineage.user_sub === null || lineage.delegation !== null
    ? null
    : Math.floor((lineage.auth_time ?? lineage.created_at) / 1000);

/** Returns the acr of the sign-in; null without a user, and after a token exchange. */
export const acrOf = ({ user_sub, delegation, openid }: Lineage): string | null =>
  user_sub === null || delegation !== null ? null : (openid?.acr ?? null);

/** Returns when the lineage was revoked, alone or with its client's registration; null if it was not. */
export function revokedAt({ revoked_at, registration: { ended_at } }: Lineage): number | null {
  if (revoked_at === null) return ended_at;
  return ended_at === null ? revoked_at : Math.min(revoked_at, ended_at);
}

/** When and by which exchange a credential was redeemed, rotated, revoked or found expired. */
interface CredentialEnd {
  readonly at: number;
  /** Number of the exchange that ended it; null for the control API and for expiry. */
  readonly by: number | null;
}

interface CredentialBase {
  /** Its position in the order of issue of all credentials. */
  readonly seq: number;
  /** Its number within the lineage. */
  readonly n: number;
  readonly lineage: Lineage;
  /** The most memory that it takes together with its lineage. */
  readonly bytes: number;
  readonly issued_at: number;
  expires_at: number;
  /** Thumbprint of the key that it is bound to (RFC 9449 6); null if it is not bound. */
  readonly jkt: string | null;
  /** Number of the exchange that issued it; null for the control API. */
  readonly issued_by: number | null;
  /** null until it is recorded; @see endedAt */
  end: CredentialEnd | null;
}

export interface CodeRecord extends CredentialBase {
  readonly kind: 'code';
  readonly value: string;
  state: 'issued' | 'redeemed' | 'expired' | 'revoked';
  /** Position in the queue of expiries; -1 when it is not in the queue. */
  queue_index: number;
  readonly redirect_uri: string;
  /** Whether the authorization request itself had a redirect_uri. */
  readonly redirect_uri_given: boolean;
  readonly requested_scope: string;
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
  /** null once it is no longer among the newest. An opaque token is found by its value and keeps it. */
  value: string | null;
  readonly format: AccessTokenFormat;
  /** Identifier of the key that signed it; null for an opaque token. */
  readonly kid: string | null;
  /** The issuer that it names; null for an opaque token. */
  readonly iss: string | null;
  readonly audience: string;
  readonly scope: string;
  state: 'active' | 'expired' | 'revoked';
}

export type Credential = CodeRecord | RefreshTokenRecord | AccessTokenRecord;
type CredentialState = Credential['state'];

/**
 * Returns the current state: the recorded one, or revoked or expired, whichever came first. Terminal states are final
 * (behaviour 4).
 */
export function stateOf(credential: Credential, now: number): CredentialState {
  if (credential.state !== 'issued' && credential.state !== 'active') return credential.state;
  const revoked_at = revokedAt(credential.lineage);
  if (revoked_at !== null) return revoked_at < credential.expires_at ? 'revoked' : 'expired';
  return credential.expires_at <= now ? 'expired' : credential.state;
}

/** Returns when it ended, even if that is not recorded yet; null while it is live. */
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

/** Returns when a credential ended, by which exchange and how long ago, as the facts of a refusal. */
export function endOf(credential: Credential, now: number): RefusalFacts {
  const at = endedAt(credential, now) ?? now;
  const by = credential.end?.by ?? null;
  const seconds = Math.floor((now - at) / 1000);
  return by === null ? { at, seconds } : { at, seconds, exchange: by };
}

/** The identifier under which the denial list has an access token. */
export function accessTokenId({ lineage, n }: AccessTokenRecord): AccessTokenId {
  return { epoch: lineage.epoch, lineage: lineageId(lineage), n };
}

/** `<lineage>.<n>`: identifies a credential where its value must not be shown. */
export function credentialId(credential: Credential): string {
  return `${lineageId(credential.lineage)}.${credential.n}`;
}

/** Measured: a record with its value and its entries in a store, and a lineage. */
const RECORD_BYTES = 360;
const LINEAGE_BYTES = 250;

const bytesOfTexts = (texts: readonly (string | null)[]) =>
  texts.reduce((bytes, text) => bytes + (text === null ? 0 : textBytes(text)), 0);

export function lineageBytes({ scope, audience, delegation, openid }: Lineage): number {
  const act = delegation === null ? 0 : jsonBytes(delegation);
  const more = openid === null ? 0 : jsonBytes(openid);
  return LINEAGE_BYTES + bytesOfTexts([scope, audience]) + act + more;
}

/**
 * Returns the bytes that a credential takes in memory with its lineage. The lineage is counted with each of its
 * credentials, because it is not known which of them is removed last.
 * @param texts those that were taken from the request
 */
export const credentialBytes = (lineage: Lineage, texts: readonly (string | null)[]): number =>
  RECORD_BYTES + lineageBytes(lineage) + bytesOfTexts(texts);

/**
 * A credential that an exchange issued: its kind and id, so that viewers of the exchange can identify it, but never
 * its value.
 */
interface IssuedCredential {
  readonly kind: Credential['kind'] | 'id_token';
  /** null for an ID token, which has no record. */
  readonly id: string | null;
  readonly lineage_id: string;
}

/** The result of validating a DPoP proof so far. */
interface DpopState {
  /** Thumbprint of the key that the sender has proven to possess (RFC 7638); null before that. */
  readonly jkt: string | null;
  /** Whether a refresh token is bound to the key as well, as for a public client (RFC 9449 5). */
  readonly binds_refresh_token: boolean;
  /** The nonce that the response supplies; null if none is required. */
  readonly nonce: string | null;
}

/** The exchange in which credentials are issued, such as the evaluation of a request. */
export interface IssuingExchange {
  readonly exchange: number;
  /** Tokens that the exchange issues are bound to the key of this proof (RFC 9449 5); null without a proof. */
  dpop: DpopState | null;
  issued: readonly IssuedCredential[];
  /** The deviations of the trace. Issuing may add some. */
  deviations: readonly { readonly id: string; readonly about?: string }[];
  /** The grant_type of the token request; null for other requests. */
  readonly grant_type: string | null;
}

function add(by: IssuingExchange | null, issued: IssuedCredential): void {
  if (by !== null) by.issued = [...by.issued, issued];
}

/** @param by null for the control API */
export function noteIssued(by: IssuingExchange | null, credential: Credential): void {
  const { kind, lineage } = credential;
  add(by, { kind, id: credentialId(credential), lineage_id: lineageId(lineage) });
}

export function noteIssuedIdToken(by: IssuingExchange, lineage_id: string): void {
  add(by, { kind: 'id_token', id: null, lineage_id });
}
