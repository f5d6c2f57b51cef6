// Sends the token request of the form repeatedly, and records the first throttled one of each window.

import type { Client, Exchange } from '../../../../control/schemas.ts';
import type { HttpRequest } from '../../../../oauth/fields.ts';
import { sandboxTime } from '../../../connection/clock.ts';
import { control } from '../../../connection/control.ts';
import { page } from '../../../connection/state.ts';
import type { RequestableGrant } from '../../../sending/can-request.ts';
import { freshTokenRequest, refreshRequestWith } from '../../../sending/fresh-request.ts';
import { hammer } from '../../../sending/hammer.ts';
import { withLimitHit } from '../../../sending/limit-hit.ts';
import { startedRun } from '../../../sending/tally.ts';
import { chosenOf, type HammerForm } from './hammer-state.ts';
import { hammerStore, setRun } from './hammer-store.ts';

let underWay: AbortController | null = null;

/** Gives up what is under way. */
export const stopHammer = (): void => underWay?.abort();

export const isHammering = (): boolean => underWay !== null;

async function newestRefreshToken({ client_id }: Client): Promise<string | null> {
  const wanted = { client_id, kind: 'refresh_token', state: 'active', limit: 1 } as const;
  const { items } = await control.tokens.list({ ...wanted, secrets: true });
  return items[0]?.value ?? null;
}

/** The one request that is sent again and again. */
async function requestFor(
  client: Client,
  grant: RequestableGrant,
  credential: HammerForm['credential'],
): Promise<HttpRequest> {
  const known =
    grant === 'refresh_token' && credential === 'newest' ? await newestRefreshToken(client) : null;
  return known === null ? freshTokenRequest(client, grant) : refreshRequestWith(client, known);
}

/** Sandbox time less machine time, in ms. */
function clockOffset(now: number): number {
  const { clock } = page.getState();
  return clock === null ? 0 : sandboxTime(clock, now) - now;
}

function noteLimitHit(exchange: Exchange, run: number): void {
  const now = Date.now();
  hammerStore.setState(({ hits }) => ({
    hits: withLimitHit(hits, exchange, run, now, clockOffset(now)),
  }));
}

/** Runs what the form says; one at a time. */
export async function startHammer(): Promise<void> {
  const { clients, settings } = page.getState();
  const { form, run } = hammerStore.getState();
  const chosen = settings === null ? null : chosenOf(form, clients, settings.throttle);
  if (underWay !== null || chosen === null) return;
  const { client, grant, pace } = chosen;
  const controller = new AbortController();
  underWay = controller;
  const id = (run?.id ?? 0) + 1;
  setRun(id, startedRun(pace.count));
  const ended = await hammer({
    pace,
    request: () => requestFor(client, grant, form.credential),
    onAnswer: (exchange) => {
      if (exchange.throttled) noteLimitHit(exchange, id);
      return true;
    },
    onProgress: (now) => setRun(id, now),
    signal: controller.signal,
  });
  underWay = null;
  setRun(id, ended);
}
