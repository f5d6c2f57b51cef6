// The custom claims of the access tokens of a lineage, as the records have them now.

import type { Lineage } from '../model/credentials.ts';
import type { Registry } from './lists.ts';

/** Those of the client, then of the user, whose claims win. */
export function customClaims(
  { clients, users }: Registry,
  { registration: { client_id }, user_sub }: Pick<Lineage, 'registration' | 'user_sub'>,
): Readonly<Record<string, unknown>> {
  const user = user_sub === null ? undefined : users.get(user_sub);
  return { ...clients.get(client_id)?.claims, ...user?.claims };
}
