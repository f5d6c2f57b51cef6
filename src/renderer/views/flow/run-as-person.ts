// The whole flow with a person at the sign-in page, by one click.

import type { Client } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { change, page, withClient as withRegistered } from '../../connection/state.ts';
import { notify } from '../../ui/notify.tsx';
import { callbackUriOf } from './redirect-uri.ts';
import { attempt } from '../../actions/sandbox.ts';
import { withClient } from './flow-state.ts';
import { changeDocument, changeFlow, flow } from './flow-store.ts';
import { runAll } from './run.ts';

/** Unless another client has it. */
const NAME = 'public-client';

const isFit = (client: Client): boolean =>
  client.token_endpoint_auth_method === 'none' &&
  client.application_type === 'native' &&
  client.grant_types.includes('authorization_code') &&
  (client.profile ?? page.getState().settings?.profile) === 'interop' &&
  callbackUriOf(client, '') !== null;

/** The one that there is, else a new one. */
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
  notify(`${created.client_id} is registered: public, native, profile interop`);
  return created.client_id;
}

const byPerson = () =>
  changeDocument((document) => ({ ...document, grant: 'authorization_code', way: 'person' }));

/** As the client that is picked. */
export async function runAsPerson(): Promise<void> {
  if (flow.getState().running !== null) return;
  byPerson();
  await runAll();
}

/** As a public client, with PKCE. */
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
