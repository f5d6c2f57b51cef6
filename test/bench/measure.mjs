// Measures the throughput and processor time of a server under load.

import { refreshForm } from './http.mjs';
import { load } from './load/load.mjs';
import { usage } from './usage.mjs';

export const RATE = 'requests per second';
export const COST = 'processor time per request (µs)';

/** @returns the number of requests, the rate per second, and the server's processor time per request in µs */
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

/** Refreshes with each of the tokens in turn. */
export const measureRefreshes = (server, refreshTokens, options) =>
  measureBodies(
    server,
    refreshTokens.map((token) => refreshForm(token)),
    options,
  );
