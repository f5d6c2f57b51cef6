// A client for a sign-in without a secret: public, native and in the profile that accepts it.

import type { Client } from '../../../../control/schemas.ts';
import { control } from '../../../connection/control.ts';
import { change, page, withClient } from '../../../connection/state.ts';
import { notify } from '../../../ui/notify.tsx';
import { callbackUriOf } from './callback-uri.ts';

/** Unless another client has it. */
const NAME = 'public-client';

const isFit = (client: Client): boolean =>
  client.token_endpoint_auth_method === 'none' &&
  client.application_type === 'native' &&
  client.grant_types.includes('authorization_code') &&
  (client.profile ?? page.getState().settings?.profile) === 'interop' &&
  callbackUriOf(client, '') !== null;

/** The one that there is, else a new one. */
export async function publicClient(): Promise<string> {
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
  change((state) => withClient(state, created));
  notify(`${created.client_id} is registered: public, native, profile interop`);
  return created.client_id;
}
