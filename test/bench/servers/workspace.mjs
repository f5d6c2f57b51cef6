// What the product is told, as a workspace: one client, one user, the algorithm and the key if there is one.

import { client } from './client.mjs';

/** The throttle counts and never bites. */
const throttle = { mode: 'enforce', limit: 1_000_000_000, window_seconds: 60 };

export const workspaceOf = ({ alg, jwk }) => ({
  version: 1,
  settings: { signing_alg: alg, throttle },
  clients: [
    {
      client_id: client.client_id,
      client_secret: client.client_secret,
      redirect_uris: [client.redirect_uri],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    },
  ],
  users: [{ sub: 'ada' }],
  ...(jwk ? { keys: [jwk] } : {}),
});
