// Which token requests can be made here for a client. Pure.

import type { Client, GrantType } from '../../control/schemas.ts';

const SENDABLE: Record<GrantType, (client: Client) => boolean> = {
  authorization_code: ({ redirect_uris }) => redirect_uris.length > 0,
  client_credentials: ({ client_secret }) => client_secret !== null,
  refresh_token: () => true,
};

/** Whether the client may use the grant, and a request for it can be made here. */
export const canRequest = (client: Client, grant: GrantType): boolean =>
  client.grant_types.includes(grant) && SENDABLE[grant](client);
