// Tries a rule: sends a request that fits it, over real HTTP, and keeps what came. Outside React, so that
// a long wait goes on when the person looks at another view.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { FaultState } from '../../../control/fault-schemas.ts';
import type { Exchange } from '../../../control/schemas.ts';
import type { HttpRequest } from '../../../oauth/fields.ts';
import { control, problemOf } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { freshTokenRequest, mintFor } from '../../sending/fresh-request.ts';
import { shotFor, type Shot } from './test-shot.ts';

export type Fire =
  | { readonly state: 'waiting'; readonly since: number; readonly cancel: () => void }
  | { readonly state: 'done'; readonly exchange: Exchange }
  | { readonly state: 'failed'; readonly message: string };

type Fires = Readonly<Record<string, Fire>>;

const fires = createStore<Fires>(() => ({}));

async function requestOf(shot: Shot): Promise<HttpRequest> {
  if (shot.kind === 'plain') return shot.request;
  if (shot.kind === 'token') return freshTokenRequest(shot.client, shot.grant);
  const { access_token } = await mintFor(shot.client);
  const headers = { authorization: `Bearer ${access_token}` };
  return { method: shot.method, path: '/userinfo', headers };
}

const set = (id: string, fire: Fire) => fires.setState({ [id]: fire });

/** Sends a request that the rule is for. What came stays with the rule until it is dismissed. */
export async function fireAt(rule: FaultState): Promise<void> {
  const gone = new AbortController();
  set(rule.id, { state: 'waiting', since: performance.now(), cancel: () => gone.abort() });
  try {
    const request = await requestOf(shotFor(rule, page.getState().clients));
    const exchange = await control.requests.send(request, { signal: gone.signal });
    set(rule.id, { state: 'done', exchange });
  } catch (error) {
    if (gone.signal.aborted) dismissFire(rule.id);
    else set(rule.id, { state: 'failed', message: problemOf(error).message });
  }
}

export const dismissFire = (id: string): void =>
  fires.setState(({ [id]: _gone, ...rest }) => rest, true);

export const useFire = (id: string): Fire | null => useStore(fires, (all) => all[id] ?? null);

page.subscribe((now, before) => {
  if (now.resets !== before.resets) fires.setState({}, true);
});
