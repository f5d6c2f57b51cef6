// Measures how the cost of a refresh grows with one parameter, at several sizes in turn.

import { start } from '../../contestants.mjs';
import { refreshForm } from '../../http.mjs';
import { COST, RATE, measureBodies } from '../../measure.mjs';
import { createKey } from '../../orders.mjs';
import { note, tableOfFigures } from '../../report.mjs';
import { inTurn, medianRatio, pick } from '../../statistics.mjs';

/** More than the maximum of connections, so that no two requests in flight use the same token. */
const TOKENS = 300;
const CONNECTIONS = 32;

const bytes = (text) => Buffer.byteLength(text);

/** A refresh form of this length, padded with a parameter that the server ignores (RFC 6749 3.2). */
function formOf(token, bodyBytes) {
  const form = refreshForm(token);
  if (bodyBytes === undefined) return form;
  const missing = bodyBytes - bytes(refreshForm(token, { padding: '' }));
  return refreshForm(token, { padding: 'x'.repeat(missing) });
}

/**
 * A product to measure, warmed up by at least so many requests. `bodyBytes` is the length of each request's body,
 * `connections` how many there are; the rest is what the product is told.
 */
export async function openProduct(key, warmUpSeconds, size = {}) {
  const { bodyBytes, connections = CONNECTIONS, requestsBefore = 1, ...orders } = size;
  const server = await start('product', { alg: key.alg, jwk: key, ...orders });
  const tokens = await server.refreshTokens(TOKENS);
  const bodies = tokens.map((token) => formOf(token, bodyBytes));
  const measure = (seconds) => measureBodies(server, bodies, { connections, seconds });
  let answers = 0;
  while (answers < requestsBefore) answers += (await measure(warmUpSeconds)).answers;
  return { measure, stop: server.stop };
}

export const planOf = (quick) =>
  quick ? { warmUpSeconds: 1, seconds: 1, rounds: 1 } : { warmUpSeconds: 3, seconds: 2, rounds: 5 };

/** The ratio of the last size to the first. `what` describes the parameter. */
export function growthReport(what, about, measured) {
  const names = Object.keys(measured);
  const [first, last] = [names[0], names.at(-1)];
  const rate = pick(measured, 'rate');
  const cost = pick(measured, 'cost');
  const ratio = `${last} against ${first}`;
  return {
    title: `How the cost grows with ${what}`,
    about,
    rows: [
      note(`${ratio}: rate`, medianRatio(rate[last], rate[first])),
      note(`${ratio}: processor time`, medianRatio(cost[last], cost[first])),
    ],
    table: tableOfFigures(names, { [RATE]: rate, [COST]: cost }),
  };
}

/** `sizes`: the argument of `openProduct` by the name of each size. */
export async function measureGrowth({ what, about, sizes }, { quick }) {
  const { warmUpSeconds, seconds, rounds } = planOf(quick);
  const key = await createKey('ES256');
  const opened = {};
  try {
    for (const [name, size] of Object.entries(sizes)) {
      opened[name] = await openProduct(key, warmUpSeconds, size);
    }
    const names = Object.keys(sizes);
    const measured = await inTurn(names, rounds, (name) => opened[name].measure(seconds));
    return growthReport(what, about, measured);
  } finally {
    await Promise.all(Object.values(opened).map(({ stop }) => stop()));
  }
}
