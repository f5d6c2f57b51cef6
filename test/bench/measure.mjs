// A server under load: how much it does, and what that costs it.

import { refreshForm } from './http.mjs';
import { load } from './load/load.mjs';
import { usage } from './usage.mjs';

export const RATE = 'requests per second';
export const COST = 'processor time per request (µs)';

/** Answers with the number of requests, the rate per second, and the server's processor time for each in µs. */
export async function measureBodies(server, bodies, options) {
  const before = await usage(server.pid);
  const { answers, seconds } = await load(server.endpoint, bodies, options);
  const after = await usage(server.pid);
  return {
    answers,
    rate: answers / seconds,
    cost: ((after.processorMs - before.processorMs) * 1000) / answers,
  };
}

/** Refresh grants with the tokens in turn. */
export const measureRefreshes = (server, refreshTokens, options) =>
  measureBodies(
    server,
    refreshTokens.map((token) => refreshForm(token)),
    options,
  );
