// What goes with clients that are deleted: their credentials end, their access tokens are denied for as
// long as they would have been good, and nothing counts for them any more.

import type { UserAuthorization } from '../authorization/endpoints.ts';
import type { Domain } from '../model/domain.ts';
import type { Registration } from './registrations.ts';

function denyAccessTokens({ ports, tokens }: Domain, client_ids: ReadonlySet<string>): void {
  const { clock, stores, sha256 } = ports;
  const now = clock.now();
  for (const { epoch, until, lineages } of tokens.issuedSoFar()) {
    if (until <= now) continue;
    for (const client_id of client_ids) {
      stores.denyClient({ epoch, client: sha256(client_id) }, lineages, now, until);
    }
  }
}

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
