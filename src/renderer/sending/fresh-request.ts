// A token request that would be granted: its credential is made for it over control, just before.

import type { Client, GrantType, SendRequest } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import { page } from '../connection/state.ts';
import { createPkcePair } from '../views/flow/pkce.ts';
import {
  credentialsOf,
  exchangeFields,
  refreshFields,
  tokenRequest,
  type Fields,
} from '../views/flow/requests.ts';

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

/** A token pair without a code. */
export const mintFor = (client: Client) =>
  control.tokens.mint({ client_id: client.client_id, audience: audienceFor(client) });

export function refreshRequestWith(client: Client, refresh_token: string): SendRequest {
  const of = { refresh_token, scope: '' };
  return tokenRequest(refreshFields({ ...credentialsOf(client, null), ...of }), 'form');
}

async function refreshRequest(client: Client): Promise<SendRequest> {
  const { refresh_token } = await mintFor(client);
  return refreshRequestWith(client, refresh_token ?? '');
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

export const freshTokenRequest = async (client: Client, grant: GrantType): Promise<SendRequest> =>
  TOKEN_REQUESTS[grant](client);
