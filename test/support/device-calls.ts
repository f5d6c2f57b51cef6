// The requests of a device to a running sandbox, over HTTP.

import type { Ready } from './cli-process.ts';
import { ask } from './token-calls.ts';

export const TV = {
  client_id: 'tv',
  client_secret: 'tv-secret',
  client_name: 'Television',
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
};

export const registerTv = (ready: Ready): Promise<unknown> => ask(ready, 'POST', '/clients', TV);

interface DeviceCodes {
  readonly device_code: string;
  readonly user_code: string;
}

const post = (url: string, fields: Readonly<Record<string, string>>): Promise<Response> => {
  const { client_id, client_secret } = TV;
  return fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, ...fields }),
  });
};

export async function requestDevice({ issuer }: Ready, scope: string): Promise<DeviceCodes> {
  const answer = await post(`${issuer}/oauth/device_authorization`, { scope });
  return (await answer.json()) as DeviceCodes;
}

/** The status, and the error or the subject's access token. */
export async function pollFor(ready: Ready, { device_code }: DeviceCodes) {
  const [grant_type = ''] = TV.grant_types;
  const answer = await post(ready.token_endpoint, { grant_type, device_code });
  const body = (await answer.json()) as { error?: string; access_token?: string };
  return { status: answer.status, ...body };
}
