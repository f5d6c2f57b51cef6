// What an exchange issues, noted as it is issued: kinds and ids, never values. Whoever shows the exchange can
// then name its credentials without looking for their text.

import type { Credential } from './credentials.ts';
import { credentialId, lineageId } from './credentials.ts';

/** A credential that an exchange issued. */
export interface IssuedCredential {
  readonly kind: Credential['kind'] | 'id_token';
  /** null for an id_token, of which no record is kept. */
  readonly id: string | null;
  readonly lineage_id: string;
}

/** What a DPoP proof has shown, as far as it was validated. */
export interface DpopState {
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
