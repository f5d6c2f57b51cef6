// Which token requests can be made here for a client. Pure.

import { DEVICE_CODE_GRANT } from '../../oauth/token-request.ts';
import { GRANT_TYPES, type Client, type GrantType } from '../../control/schemas.ts';

/** An assertion is signed with a key that only the client has, and a password is never told. */
export type RequestableGrant = Exclude<
  GrantType,
  'urn:ietf:params:oauth:grant-type:jwt-bearer' | 'password'
>;

const SENDABLE: Record<RequestableGrant, (client: Client) => boolean> = {
  authorization_code: ({ redirect_uris }) => redirect_uris.length > 0,
  client_credentials: ({ client_secret }) => client_secret !== null,
  refresh_token: () => true,
  'urn:ietf:params:oauth:grant-type:token-exchange': ({ client_secret }) => client_secret !== null,
  [DEVICE_CODE_GRANT]: () => true,
};

const isRequestable = (grant: GrantType): grant is RequestableGrant =>
  Object.hasOwn(SENDABLE, grant);

/** The grants that the client may use, and for which a request can be made here. */
export const requestableGrants = (client: Client): RequestableGrant[] =>
  GRANT_TYPES.filter(isRequestable).filter(
    (grant) => client.grant_types.includes(grant) && SENDABLE[grant](client),
  );
