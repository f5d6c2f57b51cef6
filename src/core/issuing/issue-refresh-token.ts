// Issues refresh tokens, and extends them on use if they have an idle time (RFC 6749 1.5).

import { userOf } from '../model/sign-in-claims.ts';
import {
  credentialBytes,
  type IssuingExchange,
  type Lineage,
  lineageId,
  noteIssued,
  type RefreshTokenRecord,
  subOf,
} from '../model/credentials.ts';
import { shaped } from '../shape/shaped.ts';
import type { Issuing } from '../model/domain.ts';
import { encodeRandom } from './random-text.ts';

/** Length of an opaque value, which the weight of every record already includes. */
const OPAQUE_CHARACTERS = 43;

/** Returns when a refresh token that is issued or used now expires: after its idle time, or with its authorization. */
function refreshEnd({ settings, registry }: Issuing, lineage: Lineage, now: number): number {
  const { refresh_token, refresh_token_idle } = settings.lifetimes;
  if (lineage.refresh_until === 0) {
    const own = registry.clients.get(lineage.registration.client_id)?.refresh_token_expires_in;
    lineage.refresh_until = now + (own ?? refresh_token) * 1000;
  }
  const idle = refresh_token_idle === null ? Infinity : now + refresh_token_idle * 1000;
  return Math.min(lineage.refresh_until, idle);
}

interface RefreshTokenOrder {
  /** Milliseconds of the sandbox clock. */
  readonly issued_at: number;
  readonly expires_at: number;
  /** The exchange in which it is issued; null for the control API. */
  readonly by: IssuingExchange | null;
}

/** A signed refresh token has no claim that identifies access tokens: it is found by its text. */
async function write(
  { ports, registry, keyring, settings, shape, issuer }: Issuing,
  lineage: Lineage,
  { issued_at, expires_at, by }: RefreshTokenOrder,
): Promise<string> {
  if (shape?.refresh_token_format !== 'jwt') return encodeRandom(ports.random(32));
  const { registration, scope, audience } = lineage;
  const { client_id } = registration;
  const jti = encodeRandom(ports.random(16));
  const iat = Math.floor(issued_at / 1000);
  const exp = Math.floor(expires_at / 1000);
  const own = { iss: issuer, sub: subOf(lineage), aud: issuer, azp: client_id, iat, exp, jti };
  const facts = {
    user: userOf(registry, lineage),
    client: registry.clients.get(client_id),
    scope,
    audience,
    issuer,
    lineage: lineageId(lineage),
    sid: lineage.openid?.sid,
    jti,
    iat,
    exp,
    sha256: ports.sha256,
    now: issued_at,
  };
  const claims = shaped(own, 'refresh_token', shape, facts, by);
  return keyring.sign(claims, 'JWT', settings.signing_alg);
}

export async function issueRefreshToken(
  issuing: Issuing,
  lineage: Lineage,
  by: IssuingExchange | null,
): Promise<RefreshTokenRecord> {
  const { clock, stores, emit } = issuing.ports;
  const now = clock.now();
  const jkt = by?.dpop?.binds_refresh_token === true ? by.dpop.jkt : null;
  const expires_at = refreshEnd(issuing, lineage, now);
  const value = await write(issuing, lineage, { issued_at: now, expires_at, by });
  const isLong = value.length > OPAQUE_CHARACTERS;
  const token: RefreshTokenRecord = {
    kind: 'refresh_token',
    value,
    state: 'active',
    queue_index: -1,
    seq: issuing.epoch.nextCredential(),
    n: ++lineage.count,
    lineage,
    bytes: credentialBytes(lineage, [isLong ? value : null, jkt]),
    issued_at: now,
    expires_at,
    jkt,
    issued_by: by?.exchange ?? null,
    end: null,
  };
  // A request that was in progress during a reset must not store anything.
  if (lineage.epoch === issuing.epoch.name) {
    await stores.insertRefreshToken(token, now);
    noteIssued(by, token);
  }
  emit({ type: 'credentials' });
  return token;
}

export async function renewRefreshToken(
  issuing: Issuing,
  token: RefreshTokenRecord,
): Promise<void> {
  const { stores, clock } = issuing.ports;
  await stores.extendRefreshToken(token, refreshEnd(issuing, token.lineage, clock.now()));
}
