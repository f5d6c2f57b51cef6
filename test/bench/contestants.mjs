// The compared servers: how each is started and where its refresh tokens come from. All get the same client, and the
// same key if there is one.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch } from './process.mjs';
import { post } from './http.mjs';
import { client } from './servers/client.mjs';
import { writeOrders, writeWorkspace } from './orders.mjs';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const CLI = path('../../out/node/cli.cjs');

const SERVE = ['serve', '--port', '0', '--control-port', '0', '--no-ui', '--json', '--quiet'];

function stand(script) {
  return {
    start: (orders, name) => launch([path(script), writeOrders(orders)], name),
    refreshTokens: async (ready) => ready.refresh_tokens,
  };
}

const product = {
  start: (orders, name) => launch([CLI, ...SERVE, '--workspace', writeWorkspace(orders)], name),
  async refreshTokens(ready, count) {
    const tokens = [];
    while (tokens.length < count) tokens.push(await mint(ready.control));
    return tokens;
  },
};

async function mint({ url, token }) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await post(
    `${url}/api/tokens`,
    headers,
    JSON.stringify({ client_id: client.client_id }),
  );
  if (answer.status !== 201) throw new Error(`minting tokens: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body).refresh_token;
}

const kinds = {
  product,
  library: stand('./servers/library.mjs'),
  'floor-jose': stand('./servers/floor-jose.mjs'),
  'floor-node-crypto': stand('./servers/floor-node-crypto.mjs'),
  'oauth2-mock-server': stand('./peers/oauth2-mock-server.mjs'),
  'oidc-provider': stand('./peers/oidc-provider.mjs'),
};

/** The product and its library differ only in their start. */
export const LIBRARY = 'library';
export const names = Object.keys(kinds);
export const floors = ['floor-jose', 'floor-node-crypto'];
export const peers = ['oauth2-mock-server', 'oidc-provider'];
export const isOurs = (name) => name === 'product' || name === LIBRARY;

/**
 * Starts a server in its own process and waits for its ready line.
 * `orders`: `alg`, `jwk` (a private key; none: the server makes one) and `tokens` (how many it hands out); for the
 * product also what `workspaceOf` takes.
 */
export async function start(name, orders) {
  const kind = kinds[name];
  const server = await kind.start(orders, name);
  return {
    ...server,
    name,
    // Every server listens on 127.0.0.1; naming it leaves the resolver out of the measurement.
    endpoint: server.ready.token_endpoint.replace('//localhost:', '//127.0.0.1:'),
    refreshTokens: (count) => kind.refreshTokens(server.ready, count),
  };
}

export function checkBuilt() {
  if (!existsSync(CLI)) throw new Error('there is no build to measure: run `npm run build` first');
}
