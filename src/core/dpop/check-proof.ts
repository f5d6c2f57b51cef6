// Validating a DPoP proof in the order of RFC 9449 4.3. Which requests have to have one is for others to know.

import { calculateJwkThumbprint } from 'jose';
import { OAuthError } from '../checks/errors.ts';
import type { Evaluation } from '../checks/trace.ts';
import { pass } from '../checks/trace.ts';
import { verifyWithKeys } from '../issuing/foreign-signatures.ts';
import type { Domain } from '../model/domain.ts';
import type { DpopHeader } from '../model/request.ts';
import { LONGEST_PROOF } from '../records/bounds.ts';
import type { Proof } from './proof.ts';
import { readProof } from './proof.ts';
import { normalizedUri } from './target-uri.ts';

/** Check 6. Returns the thumbprint of the key (RFC 7638). */
async function checkSignature({ jwt, jwk, alg }: Proof, evaluation: Evaluation): Promise<string> {
  const outcome = await verifyWithKeys(jwt, [jwk], alg);
  if (outcome !== 'good') throw new OAuthError(`dpop_${outcome}`, { got: alg });
  const jkt = await calculateJwkThumbprint(jwk);
  pass(evaluation, 'dpop_signature', { note: `thumbprint ${jkt}` });
  return jkt;
}

/** The URIs of the request: by the issuer, and by the host that the client has addressed. */
function urisOf({ issuer, address }: Domain, { host, path }: DpopHeader): readonly string[] {
  const [scheme = ''] = address().split('//');
  const named = [
    new URL(issuer()).origin + path,
    ...(host === '' ? [] : [`${scheme}//${host}${path}`]),
  ];
  return [...new Set(named.flatMap((uri) => normalizedUri(uri) ?? []))];
}

/** Checks 8 and 9. */
function checkTarget(
  { htm, htu }: Proof,
  header: DpopHeader,
  domain: Domain,
  evaluation: Evaluation,
): void {
  const { method } = header;
  if (htm !== method) throw new OAuthError('dpop_htm_differs', { expected: method, got: htm });
  const uris = urisOf(domain, header);
  if (!uris.includes(normalizedUri(htu) ?? '')) {
    throw new OAuthError('dpop_htu_differs', { expected: uris.join(' or '), got: htu });
  }
  pass(evaluation, 'dpop_target', { got: `${htm} ${htu}` });
}

/** Check 10. Nonces are compared where the settings require them; elsewhere none was supplied. */
function checkNonce(
  { nonce }: Proof,
  { settings, ports, dpopNonces }: Domain,
  evaluation: Evaluation,
) {
  const { require_nonce, nonce_seconds } = settings().dpop;
  if (!require_nonce) return;
  if (nonce === null) throw new OAuthError('dpop_nonce_missing');
  const issued = typeof nonce === 'string' ? dpopNonces.issuedAt(nonce) : null;
  if (issued === null) throw new OAuthError('dpop_nonce_unknown');
  const age = (ports.clock.now() - issued) / 1000;
  if (age < 0 || age >= nonce_seconds) {
    const seconds = Math.floor(age);
    throw new OAuthError('dpop_nonce_expired', { expected: String(nonce_seconds), seconds });
  }
  pass(evaluation, 'dpop_nonce', { note: `issued ${Math.floor(age)} s ago` });
}

/** Check 11, by the sandbox clock. */
function checkTime({ iat }: Proof, { settings, ports }: Domain, evaluation: Evaluation): void {
  const { proof_seconds } = settings().dpop;
  const age = ports.clock.now() / 1000 - iat;
  const expected = String(proof_seconds);
  if (age > proof_seconds) throw new OAuthError('dpop_old', { expected, seconds: Math.floor(age) });
  if (-age > proof_seconds) {
    throw new OAuthError('dpop_ahead', { expected, seconds: Math.floor(-age) });
  }
  pass(evaluation, 'dpop_time', {
    note: `iat is ${Math.abs(Math.round(age))} s ${age < 0 ? 'ahead' : 'ago'}`,
  });
}

/** A proof is used once (RFC 9449 11.1): remembered longer than any window, in case the setting is raised. */
function checkUnused(
  { jti, iat }: Proof,
  jkt: string,
  domain: Domain,
  evaluation: Evaluation,
): void {
  const { ports, usedOnce } = domain;
  const at = ports.clock.now();
  const until = Math.max(at, iat * 1000) + 2 * LONGEST_PROOF * 1000;
  const key = ports.sha256(`${jkt}\n${jti}`);
  const before = usedOnce.use(key, { at, exchange: evaluation.exchange, until });
  if (before !== null) {
    throw new OAuthError('dpop_replayed', { at: before.at, exchange: before.exchange });
  }
  pass(evaluation, 'dpop_unused');
}

/** Check 12: what an access token is presented with names that token. */
function checkToken(
  { ath }: Proof,
  token: string,
  { ports }: Domain,
  evaluation: Evaluation,
): void {
  if (ath === null) throw new OAuthError('dpop_claim_missing', { field: 'ath' });
  const expected = ports.sha256(token);
  if (ath !== expected) {
    const got = typeof ath === 'string' ? ath : `a value of type ${typeof ath}`;
    throw new OAuthError('dpop_ath_differs', { expected, got });
  }
  pass(evaluation, 'dpop_token');
}

/** A proof, and what it is sent with. */
export interface PresentedProof {
  readonly header: DpopHeader;
  /** The access token that is presented with it; null at the token endpoint. */
  readonly token: string | null;
  /** Whether a refresh token that is issued now is bound to the key as well. */
  readonly binds_refresh_token: boolean;
}

/**
 * Validates the proof of a request, and writes down the key and the nonce that the response supplies.
 * @returns the thumbprint of the key
 * @throws OAuthError `invalid_dpop_proof` or `use_dpop_nonce`
 */
export async function checkProof(
  { header, token, binds_refresh_token }: PresentedProof,
  domain: Domain,
  evaluation: Evaluation,
): Promise<string> {
  const { settings, dpopNonces, ports } = domain;
  const nonce = settings().dpop.require_nonce ? dpopNonces.issue(ports.clock.now()) : null;
  evaluation.dpop = { jkt: null, binds_refresh_token, nonce };
  const proof = readProof(header.value);
  pass(evaluation, 'dpop_proof', { got: `a JWT signed with ${proof.alg}` });
  const jkt = await checkSignature(proof, evaluation);
  checkTarget(proof, header, domain, evaluation);
  checkNonce(proof, domain, evaluation);
  checkTime(proof, domain, evaluation);
  checkUnused(proof, jkt, domain, evaluation);
  if (token !== null) checkToken(proof, token, domain, evaluation);
  evaluation.dpop = { jkt, binds_refresh_token, nonce };
  return jkt;
}
