// What the hammer sends, and its progress, as pure functions.

import type { Client, GrantType, Settings } from '../../../../control/schemas.ts';
import { requestableGrants, type RequestableGrant } from '../../../sending/can-request.ts';
import { atOnce, atRate, MOST, type Pace } from '../../../sending/burst.ts';
import type { LimitHit } from '../../../sending/limit-hit.ts';
import type { Run } from '../../../sending/tally.ts';

/** Sent beyond the limit, so that some requests are throttled. */
const BEYOND_LIMIT = 10;

export interface HammerForm {
  /** null: the newest client that can send token requests. */
  readonly client_id: string | null;
  /** null: refresh_token where the client may use it, else its first grant. */
  readonly grant: GrantType | null;
  readonly credential: 'fresh' | 'newest';
  readonly way: 'burst' | 'rate';
  /** null: a few more than the limit. */
  readonly count: number | null;
  readonly parallel: number;
  readonly per_second: number;
}

export interface HammerRun extends Run {
  readonly id: number;
}

export interface HammerState {
  readonly form: HammerForm;
  readonly run: HammerRun | null;
  /** Oldest first, of former runs too. */
  readonly hits: readonly LimitHit[];
}

export const AT_REST: HammerState = {
  form: {
    client_id: null,
    grant: null,
    credential: 'fresh',
    way: 'burst',
    count: null,
    parallel: 10,
    per_second: 10,
  },
  run: null,
  hits: [],
};

export const hammerable = (clients: readonly Client[]): Client[] =>
  clients.filter((client) => requestableGrants(client).length > 0);

export interface Chosen {
  readonly client: Client;
  readonly grant: RequestableGrant;
  readonly pace: Pace;
}

/** What would be sent now; null when no client can send token requests. */
export function chosenOf(
  { client_id, grant, way, count, parallel, per_second }: HammerForm,
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
  const sent = count ?? Math.min(MOST.count, limit + BEYOND_LIMIT);
  return {
    client,
    grant: grants.find((one) => one === grant) ?? usual,
    pace: way === 'burst' ? atOnce(sent, parallel) : atRate(sent, per_second),
  };
}
