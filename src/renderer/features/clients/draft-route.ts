// The clients view's items besides client ids: `new:` registers a client, `copy:<id>` duplicates one.
// A client_id that begins so stays reachable, since registered ids are looked up first.

import type { Client } from '../../../control/schemas.ts';
import { duplicateOf, newDraft, type ClientDraft } from './client-draft.ts';

export const copyItem = (client_id: string): string => `copy:${client_id}`;

export function draftFor(
  item: string | null,
  clients: readonly Client[],
): (() => ClientDraft) | null {
  if (item === null || clients.some((client) => client.client_id === item)) return null;
  if (item === 'new:') return newDraft;
  const source = clients.find((client) => copyItem(client.client_id) === item);
  return source === undefined ? null : () => duplicateOf(source);
}
