// Builds and signs a token for a test of someone else's validation, right or wrong on purpose (behaviour 14).
// Nothing is issued by it.

import { base64url } from 'jose';
import { AuthorizationProblem } from '../authorization/authorize.ts';
import type { TokenMistake } from '../records/token-mistakes.ts';
import { conflictOf } from '../records/token-mistakes.ts';
import type { DraftOrder, Members, Signing } from './draft.ts';
import { draftToken } from './draft.ts';
import { withWrongMembers } from './members.ts';
import { signerFor } from './signers.ts';

export interface TestTokenOrder extends DraftOrder {
  readonly wrong: readonly TokenMistake[];
}

export interface TestToken {
  readonly token: string;
  /** As they are in the token. */
  readonly header: Members;
  readonly claims: Members;
}

function checkMistakes(wrong: readonly TokenMistake[]): void {
  const conflict = conflictOf(wrong);
  if (conflict === null) return;
  const [one, other] = conflict;
  throw new AuthorizationProblem('wrong', `cannot have both ${one} and ${other}`);
}

function altered(signature: string): string {
  const [first = 0, ...rest] = base64url.decode(signature);
  return base64url.encode(Uint8Array.of(first ^ 1, ...rest));
}

function truncated(signature: string): string {
  const bytes = base64url.decode(signature);
  return base64url.encode(bytes.subarray(0, bytes.length / 2));
}

/**
 * @returns a token that no record is kept of
 * @throws AuthorizationProblem naming the member and the rule
 */
export async function signTestToken(service: Signing, order: TestTokenOrder): Promise<TestToken> {
  const wrong = new Set(order.wrong);
  checkMistakes(order.wrong);
  const draft = draftToken(service, order);
  const { header: signed_header, sign } = await signerFor(service, wrong);
  const now = Math.floor(service.ports.clock.now() / 1000);
  const { header, claims } = withWrongMembers(
    { header: { ...signed_header, ...draft.header }, claims: draft.claims },
    wrong,
    now,
  );
  const jws = await sign(header, JSON.stringify(claims));
  const [head = '', payload = '', signature = ''] = jws.split('.');
  const sent = wrong.has('payload_altered') ? { ...claims, tampered: true } : claims;
  const parts = [
    head,
    sent === claims ? payload : base64url.encode(JSON.stringify(sent)),
    wrong.has('signature_altered')
      ? altered(signature)
      : wrong.has('signature_truncated')
        ? truncated(signature)
        : signature,
  ];
  return { token: parts.join('.'), header, claims: sent };
}
