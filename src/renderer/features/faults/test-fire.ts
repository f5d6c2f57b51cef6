// Tries a rule: sends a request that fits it, over real HTTP, and keeps what came. Outside React, so that
// a long wait goes on when the person looks at another view.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { FaultState } from '../../../control/fault-schemas.ts';
import type { Client, Exchange, SendRequest } from '../../../control/schemas.ts';
import { control, problemOf } from '../../control.ts';
import { page } from '../../state.ts';
import { createPkcePair } from '../flow/pkce.ts';
import {
  credentialsOf,
  exchangeFields,
  refreshFields,
  tokenRequest,
  type Fields,
} from '../flow/requests.ts';
import { shotFor, type Shot } from './test-shot.ts';

export type Fire =
  | { readonly state: 'waiting'; readonly since: number; readonly cancel: () => void }
  | { readonly state: 'done'; readonly exchange: Exchange }
  | { readonly state: 'failed'; readonly message: string };

type Fires = Readonly<Record<string, Fire>>;

const fires = createStore<Fires>(() => ({}));

const audienceFor = ({ default_audience }: Client): string =>
  default_audience ?? page.getState().server?.issuer ?? '';

async function codeRequest(client: Client): Promise<SendRequest> {
  const { verifier, challenge } = await createPkcePair();
  const audience = audienceFor(client);
  const redirect_uri = client.redirect_uris[0] ?? '';
  const { code } = await control.codes.create({
    client_id: client.client_id,
    redirect_uri,
    audience,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const of = { code, redirect_uri, audience, code_verifier: verifier };
  return tokenRequest(exchangeFields({ ...credentialsOf(client, null), ...of }), 'json');
}

const mint = (client: Client) =>
  control.tokens.mint({ client_id: client.client_id, audience: audienceFor(client) });

async function refreshRequest(client: Client): Promise<SendRequest> {
  const { refresh_token } = await mint(client);
  const of = { refresh_token: refresh_token ?? '', scope: '' };
  return tokenRequest(refreshFields({ ...credentialsOf(client, null), ...of }), 'form');
}

function clientRequest(client: Client): SendRequest {
  const fields: Fields = [
    ['grant_type', 'client_credentials'],
    ['client_id', client.client_id],
    ['client_secret', client.client_secret ?? ''],
    ['audience', audienceFor(client)],
  ];
  return tokenRequest(fields, 'form');
}

const TOKEN_REQUESTS = {
  authorization_code: codeRequest,
  refresh_token: refreshRequest,
  client_credentials: clientRequest,
} as const;

async function requestOf(shot: Shot): Promise<SendRequest> {
  if (shot.kind === 'plain') return shot.request;
  if (shot.kind === 'token') return TOKEN_REQUESTS[shot.grant](shot.client);
  const { access_token } = await mint(shot.client);
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
    const exchange = await control.requests.send(
      { ...request, secrets: false },
      { signal: gone.signal },
    );
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
