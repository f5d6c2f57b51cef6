// A registered client and the sandbox's addresses, as the settings of a library need them. What the client has not
// registered stands in as an example.

import type { Client, ServerState } from '../../control/schemas.ts';
import type { SnippetInput } from './snippet.ts';
import { originOf } from './snippet.ts';

/** Where the app receives codes, as far as the client says. */
export const redirectUriOf = ({ redirect_uris }: Client): string =>
  redirect_uris[0] ?? 'http://localhost:3000/callback';

export function inputOf(
  client: Client,
  { issuer, endpoints }: Pick<ServerState, 'issuer' | 'endpoints'>,
  redirect_uri = redirectUriOf(client),
): SnippetInput {
  const home = `${originOf(redirect_uri)}/`;
  return {
    issuer,
    endpoints,
    client_id: client.client_id,
    client_secret: client.client_secret,
    signs: client.token_endpoint_auth_method === 'private_key_jwt',
    redirect_uri,
    post_logout_redirect_uri: client.post_logout_redirect_uris[0] ?? home,
    audience: client.default_audience ?? issuer,
  };
}
