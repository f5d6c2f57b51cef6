// Counts live credentials before an action ends them, since no Undo restores a credential.

import type { LiveCounts } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';

/** Counts the live credentials of one client, or of all clients. */
export async function liveCredentials(client_id?: string): Promise<LiveCounts> {
  const of = client_id === undefined ? {} : { client_id };
  const { live = [] } = await control.tokens.list({ ...of, limit: 1, live_counts: true });
  const sum = (kind: keyof LiveCounts) => live.reduce((all, one) => all + one[kind], 0);
  return {
    codes: sum('codes'),
    refresh_tokens: sum('refresh_tokens'),
    access_tokens: sum('access_tokens'),
  };
}
