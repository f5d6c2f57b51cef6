// What ends for good, counted before it ends: no Undo brings a credential back.

import type { LiveCounts } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';

/** The live credentials of this client; of all without one. */
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
