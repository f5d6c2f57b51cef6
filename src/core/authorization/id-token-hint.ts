// An id_token that a client sends back as a hint (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 2): which user
// and which client it was issued for. It grants nothing, so an expired one is accepted too. One whose key is
// no longer known is accepted without a verified signature, and that is noted.

import { OAuthError } from '../checks/errors.ts';
import type { Keyring } from '../issuing/keyring.ts';
import type { Evaluation } from '../checks/trace.ts';
import { note } from '../checks/trace.ts';

export interface IdTokenHint {
  readonly sub: string;
  readonly client_id: string;
}

/** The claims as they stand, whoever signed them; null when there are none to be read. */
function unverifiedClaims(token: string): Record<string, unknown> | null {
  const [, payload = ''] = token.split('.');
  try {
    const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return null;
  }
}

async function claimsOf(token: string, keyring: Keyring, evaluation: Evaluation) {
  const verified = await keyring.verify(token);
  if ('claims' in verified) return verified.claims;
  if (verified.problem === 'not_issued') return verified.unissued;
  if (verified.problem === 'key_unknown') {
    const claims = unverifiedClaims(token);
    if (claims !== null) {
      note(evaluation, 'id_token_hint_unverified');
      return claims;
    }
  }
  throw new OAuthError(
    verified.problem === 'signature_wrong'
      ? 'id_token_hint_signature_wrong'
      : 'id_token_hint_malformed',
  );
}

const text = (claim: unknown) => (typeof claim === 'string' ? claim : '');

/** @throws OAuthError `invalid_request` when it is no id_token of this issuer */
export async function readIdTokenHint(
  token: string,
  keyring: Keyring,
  issuer: string,
  evaluation: Evaluation,
): Promise<IdTokenHint> {
  const { iss, sub, aud } = await claimsOf(token, keyring, evaluation);
  if (iss !== issuer) {
    throw new OAuthError('id_token_hint_of_other_issuer', { expected: issuer, got: text(iss) });
  }
  return { sub: text(sub), client_id: text(Array.isArray(aud) ? (aud as unknown[])[0] : aud) };
}
