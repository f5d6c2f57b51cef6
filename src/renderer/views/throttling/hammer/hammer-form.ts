// What the hammer sends. Pure.

import type { Client, GrantType, Settings } from '../../../../control/schemas.ts';
import { MOST_REPEATED } from '../../../../scenario/defaults.ts';
import { requestableGrants, type RequestableGrant } from '../../../sending/token-steps.ts';
import type { PaceForm } from '../../../sending/repetition.ts';

/** Sent beyond the limit, so that some requests are throttled. */
const BEYOND_LIMIT = 10;

export interface HammerForm extends Omit<PaceForm, 'times'> {
  /** null: the newest client that can send token requests. */
  readonly client_id: string | null;
  /** null: refresh_token where the client may use it, else its first grant. */
  readonly grant: GrantType | null;
  readonly credential: 'fresh' | 'newest';
  /** null: a few more than the limit. */
  readonly times: number | null;
}

export const FIRST_FORM: HammerForm = {
  client_id: null,
  grant: null,
  credential: 'fresh',
  times: null,
  way: 'parallel',
  parallel: 10,
  per_second: 10,
};

export const hammerable = (clients: readonly Client[]): Client[] =>
  clients.filter((client) => requestableGrants(client).length > 0);

export interface Chosen {
  readonly client: Client;
  readonly grant: RequestableGrant;
  readonly pace: PaceForm;
}

/** What would be sent now; null when no client can send token requests. */
export function chosenOf(
  { client_id, grant, times, way, parallel, per_second }: HammerForm,
  clients: readonly Client[],
  throttle: Settings['throttle'],
): Chosen | null {
  const able = hammerable(clients);
  const client = able.find((one) => one.client_id === client_id) ?? able.at(-1);
  if (client === undefined) return null;
  const grants = requestableGrants(client);
  const usual = grants.find((one) => one === 'refresh_token') ?? grants[0];
  if (usual === undefined) return null;
  const limit = client.throttle?.limit ?? throttle.limit;
  const sent = times ?? Math.min(MOST_REPEATED.count, limit + BEYOND_LIMIT);
  return {
    client,
    grant: grants.find((one) => one === grant) ?? usual,
    pace: { times: sent, way, parallel, per_second },
  };
}
