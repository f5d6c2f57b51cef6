// Shared by all measured stand-alone servers: reading their orders and printing the ready line.

import { readFileSync } from 'node:fs';

/** `{alg, jwk?, tokens}`: the algorithm, the key to sign with if not a new one, how many refresh tokens. */
export const orders = JSON.parse(readFileSync(process.argv[2], 'utf8'));

export { client } from './client.mjs';

// A process writes its profile only when it exits itself, not when a signal ends it.
process.once('SIGTERM', () => process.exit());

export function announce(tokenEndpoint, refreshTokens) {
  console.log(
    JSON.stringify({
      event: 'ready',
      token_endpoint: tokenEndpoint,
      refresh_tokens: refreshTokens,
    }),
  );
}
