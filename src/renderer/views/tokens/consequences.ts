// The consequences of ending a credential, in words, shown beforehand. Pure.

import { type DecodedJwt, decodeJwt } from '../../../oauth/jwt.ts';
import type { Credential, Lineage } from '../../../control/schemas.ts';
import { clockInWords } from '../../../oauth/moments.ts';
import { enumerated, pluralize } from '../../ui/short-forms.ts';
import { asOf, isLive, kindWords } from './credential.ts';

/** The id in the `jti` or `sid` of a token that this server issued: <epoch>.<lineage>.<n> (behaviour 2). */
const NAME = /^[\w-]+\.([0-9a-z]+\.\d+)$/;

/** The id of the credential that the token claims to be; null when it does not name one of this server. */
export function ownId({ payload }: DecodedJwt, issuer: string): string | null {
  const { iss, jti, sid } = payload;
  const name = jti ?? sid;
  if (iss !== issuer || typeof name !== 'string') return null;
  return NAME.exec(name)?.[1] ?? null;
}

const KINDS = ['code', 'refresh_token', 'access_token'] as const;

/** `1 refresh token and 3 access tokens`; empty when no other is live. */
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
 * A self-contained token that has ended still passes offline verification (behaviour 2.10).
 * @param value null when unknown; the token may then be self-contained
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

/** Revoking a refresh token revokes its lineage; any other credential is revoked alone (RFC 7009 2.1). */
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
    : 'Only this credential is revoked; the rest of its lineage is not affected.';
  return [along, offlineNotice(credential, value, now), FINAL]
    .filter((part) => part !== null)
    .join(' ');
}

export function lineageConsequence(lineage: Lineage, now: number): string {
  const alive = othersAlive(lineage, '', now);
  const what = alive === '' ? 'None of its credentials is live.' : `This revokes ${alive}.`;
  return `${what} No new tokens can be issued from this authorization. ${FINAL}`;
}
