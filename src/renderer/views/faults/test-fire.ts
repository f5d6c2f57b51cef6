// Tests a rule: sends a request that it matches, over real HTTP, and keeps the result. This is outside React, so that a
// long wait continues while another view is open.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { FaultState } from '../../../control/fault-schemas.ts';
import type { Exchange } from '../../../control/schemas.ts';
import { USERINFO_PATH } from '../../../oauth/token-request.ts';
import type { Run } from '../../../scenario/actions/action.ts';
import { exactly } from '../../../scenario/actions/request.ts';
import type { ScenarioStep } from '../../../scenario/schema.ts';
import { control, problemOf } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { openRun, sendStep } from '../../sending/open-run.ts';
import { freshTokenStep, issueTokens } from '../../sending/token-steps.ts';
import { problemSentence } from '../../ui/problems.ts';
import { shotFor, type Shot } from './test-shot.ts';

export type Fire =
  | { readonly state: 'waiting'; readonly since: number; readonly cancel: () => void }
  | { readonly state: 'done'; readonly exchange: Exchange }
  | { readonly state: 'failed'; readonly message: string };

type Fires = Readonly<Record<string, Fire>>;

const fires = createStore<Fires>(() => ({}));

async function stepOf(shot: Shot, run: Run): Promise<ScenarioStep> {
  if (shot.kind === 'plain') return exactly(shot.request, run);
  if (shot.kind === 'token') return freshTokenStep(shot.client, shot.grant, run);
  await issueTokens(shot.client, run);
  const headers = { Authorization: 'Bearer {{access_token}}' };
  return { request: { method: shot.method, path: `${run.base}${USERINFO_PATH}`, headers } };
}

const set = (id: string, fire: Fire) => fires.setState({ [id]: fire });

/** Sends a request that the rule matches. The result is kept until it is dismissed. */
export async function fireAt(rule: FaultState): Promise<void> {
  const gone = new AbortController();
  set(rule.id, { state: 'waiting', since: performance.now(), cancel: () => gone.abort() });
  try {
    const run = openRun({ signal: gone.signal });
    const step = await stepOf(shotFor(rule, page.getState().clients), run);
    const { number } = await sendStep(step, run);
    set(rule.id, { state: 'done', exchange: await control.exchanges.get({ number }) });
  } catch (error) {
    if (gone.signal.aborted) dismissFire(rule.id);
    else set(rule.id, { state: 'failed', message: problemSentence(problemOf(error)) });
  }
}

export const dismissFire = (id: string): void =>
  fires.setState(({ [id]: _gone, ...rest }) => rest, true);

export const useFire = (id: string): Fire | null => useStore(fires, (all) => all[id] ?? null);

page.subscribe((now, before) => {
  if (now.resets !== before.resets) fires.setState({}, true);
});
