// A code or refresh token sent again, as its client would: over real HTTP, from the host.

import type { Client, Credential } from '../../../control/schemas.ts';
import { credentialsOf } from '../../../oauth/client-authentication.ts';
import { exchangeFields, refreshFields, tokenRequest } from '../../../oauth/token-request.ts';
import type { HttpRequest } from '../../../oauth/fields.ts';

/**
 * The documented request for it (spec 4.1).
 * @param value the code or refresh token itself
 */
export function replayRequest(
  { kind, redirect_uri, audience }: Credential,
  value: string,
  client: Client,
  issuer: string,
): HttpRequest {
  const credentials = credentialsOf(client);
  if (kind === 'refresh_token') {
    const fields = refreshFields({ ...credentials, refresh_token: value });
    return tokenRequest(fields);
  }
  const fields = exchangeFields({
    ...credentials,
    code: value,
    redirect_uri: redirect_uri ?? '',
    audience: audience ?? client.default_audience ?? issuer,
  });
  return tokenRequest(fields);
}
