// A code or refresh token sent again, as its client would: over real HTTP, from the host.

import type { Client, Credential, SendRequest } from '../../../control/schemas.ts';
import { credentialsOf, exchangeFields, refreshFields, tokenRequest } from '../flow/requests.ts';

/**
 * The documented request for it (spec 4.1).
 * @param value the code or refresh token itself
 */
export function replayRequest(
  { kind, redirect_uri, audience }: Credential,
  value: string,
  client: Client,
  issuer: string,
): SendRequest {
  const credentials = credentialsOf(client, null);
  if (kind === 'refresh_token') {
    const fields = refreshFields({ ...credentials, refresh_token: value, scope: '' });
    return tokenRequest(fields, 'form');
  }
  const fields = exchangeFields({
    ...credentials,
    code: value,
    redirect_uri: redirect_uri ?? '',
    audience: audience ?? client.default_audience ?? issuer,
    code_verifier: null,
  });
  return tokenRequest(fields, 'json');
}
