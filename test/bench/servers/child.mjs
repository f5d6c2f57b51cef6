// What every measured stand-alone server shares: where its orders come from and how it says that
// it is ready. It knows nothing of what the servers do.

import { readFileSync } from 'node:fs';

/** `{alg, jwk?, tokens}`: the algorithm, the key to sign with if not a new one, how many refresh tokens. */
export const orders = JSON.parse(readFileSync(process.argv[2], 'utf8'));

export { client } from './client.mjs';

// A profile is written by a process that ends itself, not by one that a signal ends.
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
