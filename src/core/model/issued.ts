// What an exchange issues, noted as it is issued: kinds and ids, never values. Whoever shows the exchange can
// then name its credentials without looking for their text.

import type { Credential } from './credentials.ts';
import { credentialId } from './credentials.ts';

/** A credential that an exchange issued. */
export interface IssuedCredential {
  readonly kind: Credential['kind'] | 'id_token';
  /** null for an id_token, of which no record is kept. */
  readonly id: string | null;
  readonly lineage_id: string;
}

/** The exchange that credentials are issued in; the trace of a request is one. */
export interface IssuingExchange {
  readonly exchange: number;
  issued: readonly IssuedCredential[];
}

function add(by: IssuingExchange | null, issued: IssuedCredential): void {
  if (by !== null) by.issued = [...by.issued, issued];
}

/** @param by null over control */
export function noteIssued(by: IssuingExchange | null, credential: Credential): void {
  const { kind, lineage } = credential;
  add(by, { kind, id: credentialId(credential), lineage_id: lineage.id });
}

export function noteIssuedIdToken(by: IssuingExchange, lineage_id: string): void {
  add(by, { kind: 'id_token', id: null, lineage_id });
}
