// Validates the DPoP proof of a token request, of a pushed request or of a presented access token, in the order of
// RFC 9449 4.3.

import { durationInWords } from '../../words.ts';
import { calculateJwkThumbprint } from 'jose';
import { OAuthError } from '../checks/errors.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';
import { verifyWithKeys } from '../issuing/foreign-signatures.ts';
import type { Domain } from '../model/domain.ts';
import { type DpopHeader, type TokenRequest, valueOf } from '../model/request.ts';
import { LONGEST_PROOF } from '../records/bounds.ts';
import { type Proof, readProof } from './proof.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import { isConfidential } from '../client-authentication/authenticate.ts';
import type { Client } from '../records/schemas.ts';

/** Check 6. Returns the thumbprint of the key (RFC 7638). */
async function checkSignature({ jwt, jwk, alg }: Proof, evaluation: Evaluation): Promise<string> {
  const outcome = await verifyWithKeys(jwt, [jwk], alg);
  if (outcome !== 'good') throw new OAuthError(`dpop_${outcome}`, { got: alg });
  const jkt = await calculateJwkThumbprint(jwk);
  pass(evaluation, 'dpop_signature', { note: `thumbprint ${jkt}` });
  return jkt;
}

/** Returns the URIs of the request: with the origin of the issuer, and with the Host header of the request. */
function urisOf({ issuer, address }: Domain, { host, path }: DpopHeader): readonly string[] {
  const { protocol } = new URL(address());
  const named = [
    new URL(issuer()).origin + path,
    ...(host === '' ? [] : [`${protocol}//${host}${path}`]),
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

/** Check 10. Nonces are checked only if the settings require them, as none were supplied otherwise. */
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
  pass(evaluation, 'dpop_nonce', { note: `issued ${durationInWords(Math.floor(age))} ago` });
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
    note: `iat is ${durationInWords(Math.abs(age))} ${age < 0 ? 'ahead' : 'ago'}`,
  });
}

/**
 * A proof can be used once (RFC 9449 11.1). It is remembered until it is too old for the longest window, in case the
 * setting is increased.
 */
function checkUnused(
  { jti, iat }: Proof,
  jkt: string,
  domain: Domain,
  evaluation: Evaluation,
): void {
  const { ports, usedOnce } = domain;
  const at = ports.clock.now();
  const until = (iat + LONGEST_PROOF + 1) * 1000;
  const key = ports.sha256(`${jkt}\n${jti}`);
  const before = usedOnce.use(key, { at, exchange: evaluation.exchange, until });
  if (before !== null) {
    throw new OAuthError('dpop_replayed', { at: before.at, exchange: before.exchange });
  }
  pass(evaluation, 'dpop_unused');
}

/** Check 12: the proof contains the hash of the access token that it is sent with. */
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

interface PresentedProof {
  readonly header: DpopHeader;
  /** The access token that is sent with it; null at the token endpoint. */
  readonly token: string | null;
  /** Whether a refresh token issued now is bound to the key as well; false by default. */
  readonly binds_refresh_token?: boolean;
}

/**
 * Validates the proof of a request, and records its key and the nonce for the response.
 * @returns the thumbprint of the key
 * @throws OAuthError `invalid_dpop_proof` or `use_dpop_nonce`
 */
export async function checkProof(
  { header, token, binds_refresh_token = false }: PresentedProof,
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

const UNRESERVED = /^[\w.~-]$/;

/** Decodes escapes of characters that need none, and writes all others in upper case (RFC 3986 6.2.2). */
const normalizedEscapes = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });

/**
 * Returns the URI to compare: scheme, authority and path, normalized by syntax and by scheme (RFC 3986 6.2.2 and
 * 6.2.3), without query and fragment (RFC 9449 4.3, check 9); null if it is not an http or https URI.
 */
function normalizedUri(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { origin, pathname, username, password } = new URL(text);
  return username === '' && password === '' ? origin + normalizedEscapes(pathname) : null;
}

/** Whether the request has a proof or requires one (RFC 9449 5.2). Other requests skip DPoP entirely. */
export const involvesDpop = ({ dpop }: Pick<TokenRequest, 'dpop'>, client: Client): boolean =>
  dpop !== null || client.dpop_bound_access_tokens;

/**
 * Checks the proof of a token request (RFC 9449 5), to whose key the issued tokens are bound. If the profile does not
 * support DPoP, the proof is ignored and noted.
 * @throws OAuthError `invalid_dpop_proof` or `use_dpop_nonce`, or if the client requires DPoP and the profile does
 * not support it
 */
export async function checkTokenProof(
  { dpop }: Pick<TokenRequest, 'dpop'>,
  client: Client,
  rules: ProfileRules,
  domain: Domain,
  evaluation: Evaluation,
): Promise<void> {
  if (rules.dpop === 'ignored') {
    if (client.dpop_bound_access_tokens) throw new OAuthError('dpop_not_supported');
    note(evaluation, 'dpop_ignored', 'A DPoP proof');
    return;
  }
  if (dpop === null) throw new OAuthError('dpop_required');
  const binds_refresh_token = !isConfidential(client);
  await checkProof({ header: dpop, token: null, binds_refresh_token }, domain, evaluation);
  note(evaluation, 'dpop_accepted');
}

/**
 * Returns the thumbprint of the key that a pushed request proves, to which the code is bound (RFC 9449 10.1); null
 * without a proof, or if the profile ignores proofs.
 * @throws OAuthError `invalid_dpop_proof` or `use_dpop_nonce`, or if dpop_jkt is the thumbprint of another key
 */
export async function provenKey(
  body: Pick<TokenRequest, 'dpop' | 'parameters'>,
  rules: ProfileRules,
  domain: Domain,
  evaluation: Evaluation,
): Promise<string | null> {
  const { dpop: header } = body;
  if (header === null) return null;
  if (rules.dpop === 'ignored') {
    note(evaluation, 'dpop_ignored', 'A DPoP proof');
    return null;
  }
  const got = await checkProof({ header, token: null }, domain, evaluation);
  const expected = valueOf(body, 'dpop_jkt') ?? got;
  if (got !== expected) throw new OAuthError('dpop_jkt_differs', { expected, got });
  return got;
}
