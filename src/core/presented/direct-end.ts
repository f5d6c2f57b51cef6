// Ends credentials without a request that presents them: for the control API, or when their client is deleted.

import type { Credential, Lineage, Registration } from '../model/credentials.ts';
import type { Ports } from '../model/ports.ts';
import type { UserAuthorization } from '../authorization/endpoints.ts';
import type { Domain } from '../model/domain.ts';

/** Ends a credential. Revoking a refresh token also revokes its lineage (RFC 7009 2.1). */
export async function endCredential(
  { clock, stores, emit }: Ports,
  credential: Credential,
  state: 'revoked' | 'expired',
): Promise<void> {
  const now = clock.now();
  await stores.end(credential, state, now, null);
  if (state === 'revoked' && credential.kind === 'refresh_token') {
    await stores.revokeLineage(credential.lineage, now, null);
  }
  emit({ type: 'credentials' });
}

export async function revokeLineage(
  { clock, stores, emit }: Ports,
  lineage: Lineage,
): Promise<void> {
  await stores.revokeLineage(lineage, clock.now(), null);
  emit({ type: 'credentials' });
}

function denyAccessTokens({ ports, epoch: own }: Domain, client_ids: ReadonlySet<string>): void {
  const { clock, stores, sha256 } = ports;
  const now = clock.now();
  for (const { epoch, until, lineages } of own.issuedSoFar()) {
    if (until <= now) continue;
    for (const client_id of client_ids) {
      stores.denyClient({ epoch, client: sha256(client_id) }, lineages, now, until);
    }
  }
}

/**
 * Cleans up after clients were deleted: their credentials end, their access tokens are denied until they would have
 * expired, and their counters, sessions' consents and device authorizations are removed.
 */
export function endRemovedClients(
  domain: Domain,
  userAuthorization: UserAuthorization,
  removed: readonly Registration[],
): void {
  const { throttle, ports, devices } = domain;
  const { stores, emit } = ports;
  const client_ids = new Set(removed.map(({ client_id }) => client_id));
  denyAccessTokens(domain, client_ids);
  stores.endDeleted();
  throttle.forgetClients(client_ids);
  userAuthorization.forgetClients(client_ids);
  devices.forgetClients(client_ids);
  emit({ type: 'credentials' });
  emit({ type: 'counters_released' });
}
