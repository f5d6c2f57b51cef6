// Ends credentials directly, as control asks for it: without a request that presents them.

import type { Credential, Lineage } from '../model/credentials.ts';
import type { Ports } from '../model/ports.ts';

/** A refresh token takes its lineage along when revoked (RFC 7009 2.1). */
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
