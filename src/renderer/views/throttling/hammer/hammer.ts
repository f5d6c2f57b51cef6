// Sends the same token request many times over real HTTP, at once or at a rate, and notes where the
// limit bites.

import type { Client, Exchange, GrantType, SendRequest } from '../../../../control/schemas.ts';
import { sandboxTime } from '../../../connection/clock.ts';
import { control, problemOf } from '../../../connection/control.ts';
import { page } from '../../../connection/state.ts';
import { sentence } from '../../../ui/problems.ts';
import { freshTokenRequest, refreshRequestWith } from '../../../sending/fresh-request.ts';
import { burst } from '../../../sending/burst.ts';
import { withAnswer, type Tally } from '../../../sending/tally.ts';
import {
  chosenOf,
  startedRun,
  withAnswerAt,
  type Chosen,
  type HammerForm,
} from './hammer-state.ts';
import { changeRun, hammerStore } from './hammer-store.ts';

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
  grant: GrantType,
  credential: HammerForm['credential'],
): Promise<SendRequest> {
  const known =
    grant === 'refresh_token' && credential === 'newest' ? await newestRefreshToken(client) : null;
  const request =
    known === null ? await freshTokenRequest(client, grant) : refreshRequestWith(client, known);
  return { ...request, secrets: false };
}

/** Sandbox time less machine time, in ms. */
function clockOffset(now: number): number {
  const { clock } = page.getState();
  return clock === null ? 0 : sandboxTime(clock, now) - now;
}

function noteBite(exchange: Exchange, run: number, place: number): void {
  const now = Date.now();
  hammerStore.setState(({ bites }) => ({
    bites: withAnswerAt(bites, exchange, { run, place }, now, clockOffset(now)),
  }));
}

async function strike(
  id: number,
  { client, grant, pace }: Chosen,
  credential: HammerForm['credential'],
  signal: AbortSignal,
): Promise<void> {
  const request = await requestFor(client, grant, credential);
  let tally: Tally = startedRun(id, pace.count).tally;
  changeRun(id, { state: 'running' });
  try {
    await burst({
      pace,
      send: (over) => control.requests.send(request, { signal: over }),
      onAnswer: (exchange) => {
        tally = withAnswer(tally, exchange);
        if (exchange.throttled) noteBite(exchange, id, tally.sent);
        return true;
      },
      onProgress: () => changeRun(id, { tally }),
      signal,
    });
  } finally {
    changeRun(id, { tally });
  }
}

/** Runs what the form says; one at a time. */
export async function startHammer(): Promise<void> {
  const { clients, settings } = page.getState();
  const { form, run } = hammerStore.getState();
  const chosen = settings === null ? null : chosenOf(form, clients, settings.throttle);
  if (underWay !== null || chosen === null) return;
  const controller = new AbortController();
  underWay = controller;
  const id = (run?.id ?? 0) + 1;
  hammerStore.setState({ run: startedRun(id, chosen.pace.count) });
  try {
    await strike(id, chosen, form.credential, controller.signal);
    changeRun(id, { state: controller.signal.aborted ? 'stopped' : 'done' });
  } catch (error) {
    changeRun(id, { state: 'failed', message: sentence(problemOf(error).message) });
  } finally {
    underWay = null;
  }
}
