// Runs the whole flow with one click, with a sign-in by the user in their own browser.

import type { Client } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { change, page, withClient as withRegistered } from '../../connection/state.ts';
import { notify } from '../../ui/notify.tsx';
import { callbackUriOf } from './redirect-uri.ts';
import { attempt } from '../../actions/sandbox.ts';
import { withClient } from './flow-state.ts';
import { changeDocument, changeFlow, flow } from './flow-store.ts';
import { runAll } from './run.ts';

/** The client_id of the new client, unless it is taken. */
const NAME = 'public-client';

const isFit = (client: Client): boolean =>
  client.token_endpoint_auth_method === 'none' &&
  client.application_type === 'native' &&
  client.grant_types.includes('authorization_code') &&
  (client.profile ?? page.getState().settings?.profile) === 'interop' &&
  callbackUriOf(client, '') !== null;

/** Returns an existing public client, or registers one. */
async function publicClient(): Promise<string> {
  const { clients } = page.getState();
  const known = clients.findLast(isFit);
  if (known !== undefined) return known.client_id;
  const isTaken = clients.some(({ client_id }) => client_id === NAME);
  const created = await control.clients.create({
    ...(isTaken ? {} : { client_id: NAME }),
    client_name: 'Public client',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    client_secret: null,
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    profile: 'interop',
  });
  change((state) => withRegistered(state, created));
  notify(`Registered ${created.client_id}: public, native, interop profile`);
  return created.client_id;
}

const byPerson = () =>
  changeDocument((document) => ({ ...document, grant: 'authorization_code', way: 'person' }));

/** Runs the flow as the picked client. */
export async function runAsPerson(): Promise<void> {
  if (flow.getState().running !== null) return;
  byPerson();
  await runAll();
}

/** Runs the flow as a public client, with PKCE. */
export async function runAsPublicClient(): Promise<void> {
  if (flow.getState().running !== null) return;
  const chosen = await attempt('The public client was not registered.', async () => {
    const client_id = await publicClient();
    changeFlow((state) => {
      const { client_id: picked } = state.document;
      return picked === client_id ? state : withClient(state, client_id);
    });
    byPerson();
  });
  if (chosen) await runAll();
}
