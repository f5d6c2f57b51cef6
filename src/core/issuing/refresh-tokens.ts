// Issuing refresh tokens, and giving them more time where unused ones expire (RFC 6749 1.5).

import type { Lineage, RefreshTokenRecord } from '../model/credentials.ts';
import type { IssuingExchange } from '../model/issued.ts';
import { noteIssued } from '../model/issued.ts';
import type { IssuingParts } from './issuing-parts.ts';
import { credentialBase, isCurrent } from './issuing-parts.ts';
import { encodeRandom } from './random-text.ts';

/** When a refresh token issued or used now expires: unused, or with its authorization. */
function refreshEnd({ settings, registry }: IssuingParts, lineage: Lineage, now: number): number {
  const { refresh_token, refresh_token_idle } = settings().lifetimes;
  if (lineage.refresh_until === 0) {
    const own = registry.clients.get(lineage.client_id)?.refresh_token_expires_in;
    lineage.refresh_until = now + (own ?? refresh_token) * 1000;
  }
  const idle = refresh_token_idle === null ? Infinity : now + refresh_token_idle * 1000;
  return Math.min(lineage.refresh_until, idle);
}

export async function issueRefreshToken(
  parts: IssuingParts,
  lineage: Lineage,
  by: IssuingExchange | null,
): Promise<RefreshTokenRecord> {
  const { clock, random, stores, emit } = parts.ports;
  const now = clock.now();
  const times = { issued_at: now, expires_at: refreshEnd(parts, lineage, now), by };
  const token: RefreshTokenRecord = {
    kind: 'refresh_token',
    value: encodeRandom(random(32)),
    state: 'active',
    queue_index: -1,
    ...credentialBase(parts, lineage, times),
  };
  if (isCurrent(parts, lineage)) {
    await stores.insertRefreshToken(token, now);
    noteIssued(by, token);
  }
  emit({ type: 'credentials' });
  return token;
}

export async function renewRefreshToken(
  parts: IssuingParts,
  token: RefreshTokenRecord,
): Promise<void> {
  const { stores, clock } = parts.ports;
  await stores.extendRefreshToken(token, refreshEnd(parts, token.lineage, clock.now()));
}
