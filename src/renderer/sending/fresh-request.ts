// A token request that would be granted: its credential is made for it over control, just before.

import type { Client } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import { page } from '../connection/state.ts';
import { createPkcePair } from '../../oauth/pkce.ts';
import { credentialsOf } from '../../oauth/client-authentication.ts';
import {
  clientCredentialsFields,
  DEVICE_CODE_GRANT,
  deviceCodeFields,
  exchangeFields,
  refreshFields,
  tokenExchangeFields,
  tokenRequest,
} from '../../oauth/token-request.ts';
import type { HttpRequest } from '../../oauth/fields.ts';
import type { RequestableGrant } from './can-request.ts';

const audienceFor = ({ default_audience }: Client): string =>
  default_audience ?? page.getState().server?.issuer ?? '';

async function codeRequest(client: Client): Promise<HttpRequest> {
  const { verifier, challenge } = await createPkcePair();
  const audience = audienceFor(client);
  const redirect_uri = client.redirect_uris[0] ?? '';
  const { code } = await control.codes.create({
    client_id: client.client_id,
    redirect_uri,
    audience,
    ...challenge,
  });
  const of = { code, redirect_uri, audience, code_verifier: verifier };
  return tokenRequest(exchangeFields({ ...credentialsOf(client), ...of }));
}

/** A token pair without a code. */
export const mintFor = (client: Client) =>
  control.tokens.mint({ client_id: client.client_id, audience: audienceFor(client) });

export function refreshRequestWith(client: Client, refresh_token: string): HttpRequest {
  return tokenRequest(refreshFields({ ...credentialsOf(client), refresh_token }));
}

async function refreshRequest(client: Client): Promise<HttpRequest> {
  const { refresh_token } = await mintFor(client);
  return refreshRequestWith(client, refresh_token ?? '');
}

function clientRequest(client: Client): HttpRequest {
  const of = { audience: audienceFor(client) };
  return tokenRequest(clientCredentialsFields({ ...credentialsOf(client), ...of }));
}

async function exchangeRequest(client: Client): Promise<HttpRequest> {
  const { access_token } = await mintFor(client);
  const of = { subject_token: access_token, audience: audienceFor(client) };
  return tokenRequest(tokenExchangeFields({ ...credentialsOf(client), ...of }));
}

/** Opened and approved over control, as the first user. */
export async function approvedDeviceCode(client: Client): Promise<string> {
  const { client_id } = client;
  const { id, device_code, state } = await control.devices.create({
    client_id,
    audience: audienceFor(client),
  });
  // The setting authorize may have decided already.
  if (state === 'pending') await control.devices.approve({ id });
  return device_code ?? '';
}

async function deviceRequest(client: Client): Promise<HttpRequest> {
  const device_code = await approvedDeviceCode(client);
  return tokenRequest(deviceCodeFields({ ...credentialsOf(client), device_code }));
}

const TOKEN_REQUESTS = {
  authorization_code: codeRequest,
  refresh_token: refreshRequest,
  client_credentials: clientRequest,
  'urn:ietf:params:oauth:grant-type:token-exchange': exchangeRequest,
  [DEVICE_CODE_GRANT]: deviceRequest,
} as const satisfies Readonly<
  Record<RequestableGrant, (client: Client) => HttpRequest | Promise<HttpRequest>>
>;

export const freshTokenRequest = async (
  client: Client,
  grant: RequestableGrant,
): Promise<HttpRequest> => TOKEN_REQUESTS[grant](client);
