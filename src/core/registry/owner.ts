// Whose credential it is: what one client was issued, another may not present.

import { OAuthError } from '../checks/errors.ts';
import type { RefusalReason } from '../checks/refusals/index.ts';
import type { Client } from '../records/schemas.ts';
import type { Registry } from './lists.ts';

/**
 * @param owner client_id that the credential was issued to
 * @throws OAuthError with this reason when that is another client; it names both
 */
export function checkOwner(
  owner: string,
  client: Client,
  registry: Registry,
  reason: RefusalReason,
): void {
  if (owner === client.client_id) return;
  throw new OAuthError(reason, {
    expected: owner,
    got: client.client_id,
    client: registry.clients.get(owner)?.client_name || owner,
    other_client: client.client_name || client.client_id,
  });
}
