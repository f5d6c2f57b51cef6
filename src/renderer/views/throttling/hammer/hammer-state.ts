// What the hammer sends, its progress, and the first throttled request of each window, as pure functions.

import type { Client, Exchange, GrantType, Settings } from '../../../../control/schemas.ts';
import { headerOf } from '../../../exchange/answer.ts';
import { canRequest } from '../../../sending/can-request.ts';
import { atOnce, atRate, MOST, type Pace } from '../../../sending/burst.ts';
import type { Run } from '../../../sending/tally.ts';

/** Sent beyond the limit, so that some requests are throttled. */
const BEYOND_LIMIT = 10;
const HITS_KEPT = 8;

export interface HammerForm {
  /** null: the newest client that can send token requests. */
  readonly client_id: string | null;
  /** null: the first grant of the client that can. */
  readonly grant: GrantType | null;
  readonly credential: 'fresh' | 'newest';
  readonly way: 'burst' | 'rate';
  /** null: a few more than the limit. */
  readonly count: number | null;
  readonly parallel: number;
  readonly per_second: number;
}

/** The first 429 of a window. */
export interface LimitHit {
  readonly run: number;
  readonly exchange: number;
  /** Which request of the run it was, from 1. */
  readonly place: number;
  /** Machine time in ms. */
  readonly at_ms: number;
  /** Sandbox time less machine time, in ms, at that moment. */
  readonly offset_ms: number;
  /** Sandbox time in ms; null when the response does not say. */
  readonly resets_at: number | null;
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

const GRANTS = ['refresh_token', 'authorization_code', 'client_credentials'] as const;

export const grantsOf = (client: Client): GrantType[] =>
  GRANTS.filter((grant) => canRequest(client, grant));

export const hammerable = (clients: readonly Client[]): Client[] =>
  clients.filter((client) => grantsOf(client).length > 0);

export interface Chosen {
  readonly client: Client;
  readonly grant: GrantType;
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
  const grants = grantsOf(client);
  const [first = 'refresh_token'] = grants;
  const limit = client.throttle?.limit ?? throttle.limit;
  const sent = count ?? Math.min(MOST.count, limit + BEYOND_LIMIT);
  return {
    client,
    grant: grants.find((one) => one === grant) ?? first,
    pace: way === 'burst' ? atOnce(sent, parallel) : atRate(sent, per_second),
  };
}

/** Seconds until the window resets, from `Retry-After`, else from `RateLimit`. */
function waitSeconds({ response: { headers } }: Exchange): number | null {
  const told =
    headerOf(headers, 'retry-after') ?? /;t=(\d+)/.exec(headerOf(headers, 'ratelimit') ?? '')?.[1];
  return told === undefined || !/^\d+$/.test(told) ? null : Number(told);
}

/**
 * Adds the response if it is the first 429 of a window.
 * @param now machine time in ms
 * @param offset_ms sandbox time less machine time
 */
export function withResponse(
  hits: readonly LimitHit[],
  exchange: Exchange,
  { run, place }: Pick<LimitHit, 'run' | 'place'>,
  now: number,
  offset_ms: number,
): readonly LimitHit[] {
  if (!exchange.throttled) return hits;
  const at = Date.parse(exchange.at);
  const before = hits.findLast((hit) => hit.run === run);
  if (before !== undefined && (before.resets_at === null || at < before.resets_at)) return hits;
  const wait = waitSeconds(exchange);
  const resets_at = wait === null ? null : at + wait * 1000;
  const hit = { run, exchange: exchange.number, place, at_ms: now, offset_ms, resets_at };
  return [...hits, hit].slice(-HITS_KEPT);
}
