// What the product is told, as a workspace: the algorithm, the key if there is one, one user, one client or more,
// and further settings.

import { client } from './client.mjs';

/** The throttle counts and never bites. */
const throttle = { mode: 'enforce', limit: 1_000_000_000, window_seconds: 60 };

const clientOf = (client_id) => ({
  client_id,
  client_secret: client.client_secret,
  redirect_uris: [client.redirect_uri],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
});

/** The client that the bench uses comes after all others. */
function clientsOf(count) {
  const others = Array.from({ length: count - 1 }, (_, i) => clientOf(`app-${i + 1}`));
  return [...others, clientOf(client.client_id)];
}

export const workspaceOf = ({ alg, jwk, clients = 1, settings = {} }) => ({
  version: 1,
  settings: { signing_alg: alg, throttle, ...settings },
  clients: clientsOf(clients),
  users: [{ sub: 'ada' }],
  ...(jwk ? { keys: [jwk] } : {}),
});
