// The consequences of ending a credential, in words, shown beforehand. Pure.

import { type DecodedJwt, decodeJwt } from '../../../oauth/jwt.ts';
import type { Credential, Lineage } from '../../../control/schemas.ts';
import { clockInWords } from '../../../oauth/moments.ts';
import { enumerated, pluralize } from '../../ui/short-forms.ts';
import { asOf, isLive, kindWords } from './credential.ts';

/** Which credential of ours a token says to be (behaviour 2: `jti` or `sid` is <epoch>.<lineage>.<n>). */
const NAME = /^[\w-]+\.([0-9a-z]+\.\d+)$/;

/** The id it would have in the list; null when it says nothing of the kind. */
export function ownId({ payload }: DecodedJwt, issuer: string): string | null {
  const { iss, jti, sid } = payload;
  const name = jti ?? sid;
  if (iss !== issuer || typeof name !== 'string') return null;
  return NAME.exec(name)?.[1] ?? null;
}

const KINDS = ['code', 'refresh_token', 'access_token'] as const;

/** `1 refresh token and 3 access tokens`; empty when nobody else is live. */
export function othersAlive(lineage: Lineage, id: string, now: number): string {
  const alive = lineage.members
    .map((member) => asOf(member, now))
    .filter((member) => member.id !== id && isLive(member));
  return enumerated(
    KINDS.map((kind) => [kind, alive.filter((one) => one.kind === kind).length] as const)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => pluralize(count, kindWords(kind))),
  );
}

/**
 * A self-contained token that was ended is still valid to whoever verifies it offline (behaviour 2.10).
 * @param value null when its text is not known here: then it may be self-contained
 */
export function offlineNotice(
  { kind, expires_at }: Credential,
  value: string | null,
  now: number,
): string | null {
  if (kind !== 'access_token' || (value !== null && decodeJwt(value) === null)) return null;
  const until = Date.parse(expires_at);
  if (until <= now) return null;
  return `Introspection and userinfo reject it. An API that verifies the JWT offline cannot know this and may accept it until ${clockInWords(until, now)}.`;
}

const FINAL = 'This cannot be undone.';

export const expireConsequence = (
  credential: Credential,
  value: string | null,
  now: number,
): string =>
  [
    'It expires now; the rest of its lineage is not affected.',
    offlineNotice(credential, value, now),
    FINAL,
  ]
    .filter((part) => part !== null)
    .join(' ');

/** RFC 7009 2.1: a refresh token takes its lineage along, any other credential only itself. */
export function revokeConsequence(
  credential: Credential,
  lineage: Lineage,
  value: string | null,
  now: number,
): string {
  const whole = credential.kind === 'refresh_token';
  const others = whole ? othersAlive(lineage, credential.id, now) : '';
  const along = whole
    ? `Its whole lineage is revoked with it${others === '' ? '' : `: ${others} more`} (RFC 7009 2.1).`
    : 'Only this one is revoked; the rest of its lineage is not affected.';
  return [along, offlineNotice(credential, value, now), FINAL]
    .filter((part) => part !== null)
    .join(' ');
}

export function lineageConsequence(lineage: Lineage, now: number): string {
  const alive = othersAlive(lineage, '', now);
  const what =
    alive === '' ? 'None of its credentials is live any more.' : `This revokes ${alive}.`;
  return `${what} No new tokens can be issued from this authorization. ${FINAL}`;
}
