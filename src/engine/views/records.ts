// Domain records as control shows them.

import type {
  ClockState,
  Counter as CounterView,
  Credential as CredentialView,
  LiveCounts as LiveCountsView,
  SigningKey as KeyView,
} from '../../control/schemas.ts';
import type { Clock } from '../../core/model/clock.ts';
import {
  type Credential,
  credentialId,
  endedAt,
  lineageId,
  stateOf,
  subOf,
} from '../../core/model/credentials.ts';
import type { LiveCounts } from '../../core/model/ports.ts';
import type { Client, Settings } from '../../core/records/schemas.ts';
import type { SigningKey } from '../../core/issuing/signing-key.ts';
import { type Counter, isOver } from '../../core/throttle/counters.ts';
import { limitsFor } from '../../core/throttle/throttle.ts';

/** RFC 3339 UTC with milliseconds. */
export const timeText = (ms: number): string => new Date(ms).toISOString();

export function credentialView(
  credential: Credential,
  now: number,
  secrets: boolean,
): CredentialView {
  const { lineage } = credential;
  const ended = endedAt(credential, now);
  const access = credential.kind === 'access_token';
  const code = credential.kind === 'code';
  return {
    id: credentialId(credential),
    kind: credential.kind,
    state: stateOf(credential, now),
    value: secrets ? credential.value : null,
    lineage_id: lineageId(lineage),
    client_id: lineage.registration.client_id,
    sub: subOf(lineage),
    audience: access ? credential.audience : lineage.audience,
    scope: access ? credential.scope : lineage.scope,
    redirect_uri: code ? credential.redirect_uri : null,
    code_challenge_method: code ? credential.code_challenge_method : null,
    issued_at: timeText(credential.issued_at),
    expires_at: timeText(credential.expires_at),
    ended_at: ended === null ? null : timeText(ended),
    issued_by: credential.issued_by,
    ended_by: credential.end?.by ?? null,
  };
}

/** All these counts together; none for no client. */
export const liveView = (...counts: readonly LiveCounts[]): LiveCountsView => {
  const sum = (kind: keyof LiveCounts) => counts.reduce((all, one) => all + one[kind], 0);
  return {
    codes: sum('code'),
    refresh_tokens: sum('refresh_token'),
    access_tokens: sum('access_token'),
  };
};

/** @param client the one that the counter names; undefined when it is registered no longer */
export function counterView(
  counter: Counter,
  client: Client | undefined,
  settings: Settings['throttle'],
  now: number,
): CounterView {
  const { limit, window_seconds } = limitsFor(settings, client);
  return {
    id: counter.id,
    kind: counter.kind,
    credential: counter.credential,
    client_id: counter.client_id,
    ip: counter.ip,
    used: isOver(counter, window_seconds, now) ? 0 : counter.used,
    limit,
    limit_from: client?.throttle ? 'client' : 'workspace',
    window_seconds,
    opened_at: timeText(counter.opened_at),
    resets_at: timeText(counter.opened_at + window_seconds * 1000),
    allowed: counter.allowed,
    blocked: counter.blocked,
    last_seen_at: timeText(counter.last_seen_at),
  };
}

/** Sandbox time less machine time. @param ms the offset in milliseconds */
export const offsetSeconds = (ms: number): number => Math.round(ms / 1000) || 0;

export function clockView(clock: Clock): ClockState {
  return {
    now: timeText(clock.now()),
    frozen: clock.isFrozen(),
    offset_seconds: offsetSeconds(clock.offset()),
  };
}

export function keyView(key: SigningKey, signing: boolean): KeyView {
  return {
    kid: key.kid,
    alg: key.alg,
    signing,
    published: key.public_jwk !== null,
    created_at: timeText(key.created_at),
    public_jwk: key.public_jwk,
  };
}
