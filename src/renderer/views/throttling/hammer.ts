// Sends the token request that the form chooses many times, and keeps the first throttled one of each throttle window.
// A repetition continues while another view is shown.

import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Client, Counter, GrantType, Settings } from '../../../control/schemas.ts';
import { MOST_REPEATED } from '../../../scenario/defaults.ts';
import type { Run } from '../../../scenario/actions/action.ts';
import {
  requestableGrants,
  type RequestableGrant,
  freshTokenStep,
  newestToken,
  sameRequest,
  tokenStep,
} from '../../sending/token-steps.ts';
import {
  FIRST_PACE,
  type PaceForm,
  repeatOf,
  repeatRequest,
  type Repeated,
} from '../../sending/repeat-request.ts';
import { sandboxTime, useSandboxNow } from '../../connection/clock.ts';
import { reachOf } from '../../connection/reach.ts';
import { createSandboxStore, page, usePage } from '../../connection/state.ts';
import { withKnownResets, withLimitHit, type LimitHit } from './limit-hit.ts';
import { openRun } from '../../sending/open-run.ts';

/** Requests beyond the limit, so that some are throttled. */
const BEYOND_LIMIT = 10;

export const FIRST_FORM = {
  /** null: the oldest client that can send token requests. */
  client_id: null as string | null,
  /** null: refresh_token where the client may use it, else its first grant. */
  grant: null as GrantType | null,
  credential: 'fresh' as 'fresh' | 'newest',
  ...FIRST_PACE,
  /** null: a few more than the limit. */
  times: null as number | null,
};

type HammerForm = Readonly<typeof FIRST_FORM>;

export const hammerable = (clients: readonly Client[]): Client[] =>
  clients.filter((client) => requestableGrants(client).length > 0);

export interface Chosen {
  readonly client: Client;
  readonly grant: RequestableGrant;
  readonly pace: PaceForm;
}

/** What the hammer would send now; null when no client can send token requests. */
export function chosenOf(
  { client_id, grant, credential: _credential, times, ...pace }: HammerForm,
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
    pace: { times: sent, ...pace },
  };
}

const starting = () => ({
  form: FIRST_FORM as HammerForm,
  repeated: null as Repeated | null,
  /** Counts the repetitions. */
  run: 0,
  /** Oldest first, including those of former repetitions. */
  hits: [] as readonly LimitHit[],
});

type HammerState = ReturnType<typeof starting>;

/** A reset deletes the exchanges and throttle windows that results are about; a running repetition continues. */
export const hammer = createSandboxStore(starting, ({ repeated, ...state }) => ({
  ...state,
  repeated: repeated?.state === 'running' ? repeated : null,
  hits: [],
}));

const NONE: readonly Counter[] = [];

/** Subscribes to a part of the state. The selector must return a stable value. */
export const useHammer = <T>(select: (state: HammerState) => T): T => useStore(hammer, select);

/** The hits, oldest first. While the page does not follow the engine, no coming reset is known. */
export function useHits(): readonly LimitHit[] {
  const hits = useHammer((state) => state.hits);
  const counters = usePage((state) => (reachOf(state).live ? state.counters : NONE));
  const now = useSandboxNow();
  return useMemo(() => withKnownResets(hits, counters, now), [hits, counters, now]);
}

export const changeForm = (change: Partial<HammerForm>): void =>
  hammer.setState(({ form }) => ({ form: { ...form, ...change } }));

async function stepFor({ client, grant }: Chosen, credential: HammerForm['credential'], run: Run) {
  if (grant !== 'refresh_token' || credential === 'fresh')
    return freshTokenStep(client, grant, run);
  const { client_id } = client;
  const refresh_token = await newestToken(client_id, grant);
  if (refresh_token !== null) return tokenStep(client, grant, { refresh_token });
  throw new Error(`${client_id} has no active refresh token. Choose “New”.`);
}

/** Sandbox time less machine time, in ms. */
function clockOffset(now: number): number {
  const { clock } = page.getState();
  return clock === null ? 0 : sandboxTime(clock, now) - now;
}

/** Stops the running repetition; null while none runs. */
let current: AbortController | null = null;

export const stopHammer = (): void => current?.abort();

export const isHammering = (): boolean => current !== null;

/** Starts the repetition that the form describes, unless one is running. */
export async function startHammer(): Promise<void> {
  const { clients, settings } = page.getState();
  const { form, run: former } = hammer.getState();
  const chosen = settings === null ? null : chosenOf(form, clients, settings.throttle);
  if (current !== null || chosen === null) return;
  const id = former + 1;
  current = new AbortController();
  await repeatRequest({
    repeat: repeatOf(chosen.pace),
    prepare: async () => {
      const run = openRun();
      return { run, step: sameRequest(await stepFor(chosen, form.credential, run), run) };
    },
    onAnswer: ({ exchange }) => {
      const now = Date.now();
      if (exchange?.throttled === true)
        hammer.setState(({ hits }) => ({
          hits: withLimitHit(hits, exchange, id, now, clockOffset(now)),
        }));
      return true;
    },
    onProgress: (repeated) => hammer.setState({ run: id, repeated }),
    signal: current.signal,
  });
  current = null;
}
