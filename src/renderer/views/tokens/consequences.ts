// The consequences of ending or replaying a credential, in words, shown beforehand. Pure.

import type { Client, Credential, Lineage, Settings } from '../../../control/schemas.ts';
import { decodeJwt } from '../../../oauth/jwt.ts';
import { clockInWords } from '../../../oauth/moments.ts';
import { pluralize } from '../../ui/short-forms.ts';
import { asOf, isLive, kindWords } from './credential.ts';

const KINDS = ['code', 'refresh_token', 'access_token'] as const;

/** `1 refresh token and 3 access tokens`; empty when nobody else is live. */
export function othersAlive(lineage: Lineage, id: string, now: number): string {
  const alive = lineage.members
    .map((member) => asOf(member, now))
    .filter((member) => member.id !== id && isLive(member));
  const parts = KINDS.map(
    (kind) => [kind, alive.filter((one) => one.kind === kind).length] as const,
  )
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => pluralize(count, kindWords(kind)));
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)]
    .filter((part) => part !== '')
    .join(' and ');
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

export interface Forecast {
  readonly status: 200 | 400;
  /** The response expected from the token endpoint. */
  readonly answer: string;
  /** Whether sending it revokes the lineage. */
  readonly revokes: boolean;
}

const refused = (why: string): Forecast => ({
  status: 400,
  answer: `400 invalid_grant: ${why}.`,
  revokes: false,
});
const revoking = (why: string, section: string): Forecast => ({
  status: 400,
  answer: `400 invalid_grant: ${why}. Its lineage is revoked with everything in it (${section}).`,
  revokes: true,
});
const granted = (what: string): Forecast => ({
  status: 200,
  answer: `200 with ${what}.`,
  revokes: false,
});

function codeForecast({ state, code_challenge_method }: Credential, alive: boolean): Forecast {
  if (state === 'redeemed') {
    const why = 'the code has been used';
    return alive ? revoking(why, 'RFC 6749 4.1.2') : refused(why);
  }
  if (state !== 'issued') return refused(`the code is ${state}`);
  return code_challenge_method === null
    ? granted('tokens; this uses up the code')
    : refused('only the app has the code_verifier of its PKCE challenge');
}

function refreshForecast(
  { state, ended_at }: Credential,
  alive: boolean,
  rotation: Settings['refresh_rotation'],
  now: number,
): Forecast {
  if (state === 'active') {
    return granted(
      rotation.enabled
        ? 'new tokens; this one is rotated'
        : 'a new access token; this one stays active',
    );
  }
  if (state !== 'rotated') return refused(`the refresh token is ${state}`);
  const replaced = Date.parse(ended_at ?? '');
  if (alive && now < replaced + rotation.grace_seconds * 1000) {
    return granted('new tokens, within its grace window');
  }
  const why = 'the refresh token was replaced';
  return alive ? revoking(why, 'RFC 9700 4.14.2') : refused(why);
}

/** The response expected when a code or refresh token is replayed. */
export function replayForecast(
  credential: Credential,
  lineage: Lineage,
  rotation: Settings['refresh_rotation'],
  now: number,
): Forecast {
  const current = asOf(credential, now);
  const alive = lineage.revoked_at === null;
  return current.kind === 'code'
    ? codeForecast(current, alive)
    : refreshForecast(current, alive, rotation, now);
}

/** Why a credential cannot be sent again from here; null when it can. */
export function replayObstacle(credential: Credential, client: Client | null): string | null {
  if (credential.kind === 'access_token')
    return 'An access token is not presented to the token endpoint.';
  if (client === null) return 'Its client is no longer registered.';
  if (client.token_endpoint_auth_method === 'private_key_jwt') {
    return 'Its client signs an assertion with a key that only the app has.';
  }
  return null;
}
