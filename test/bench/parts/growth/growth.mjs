// Measures how the cost of a refresh grows with one parameter, at several sizes in turn, and with the servers beside it.

import { start } from '../../contestants.mjs';
import { refreshForm } from '../../http.mjs';
import { COST, RATE, measureBodies } from '../../measure.mjs';
import { createKey } from '../../orders.mjs';
import { note, tableOfFigures } from '../../report.mjs';
import { inTurn, medianRatio, pick, total } from '../../statistics.mjs';

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
async function openProduct(key, warmUpSeconds, size = {}) {
  const { bodyBytes, connections = CONNECTIONS, requestsBefore = 1, ...orders } = size;
  const server = await start('product', { alg: key.alg, jwk: key, ...orders });
  const tokens = await server.refreshTokens(TOKENS);
  const bodies = tokens.map((token) => formOf(token, bodyBytes));
  const measure = (seconds) => measureBodies(server, bodies, { connections, seconds });
  let answers = 0;
  while (answers < requestsBefore) answers += (await measure(warmUpSeconds)).answers;
  return { measure, stop: server.stop };
}

const planOf = (quick) =>
  quick ? { warmUpSeconds: 1, seconds: 1, rounds: 1 } : { warmUpSeconds: 3, seconds: 2, rounds: 5 };

/** The ratio of the last size to the first. `what` describes the parameter. */
function growthReport(what, about, measured) {
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
async function measureGrowth({ what, about, sizes }, { quick }) {
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

/** Fills the larger capture before the measurement. */
const requestsBefore = 10_000;

/** What grows, by the name of its part. */
const GROWING = {
  clients: {
    what: 'registered clients',
    about: 'ES256, 32 connections. The client that sends the requests was registered last.',
    sizes: {
      '1 client': { clients: 1 },
      '1,000 clients': { clients: 1_000 },
      '10,000 clients, the maximum': { clients: 10_000 },
    },
  },
  connections: {
    what: 'connections',
    about: 'ES256. Each connection sends its next request when it has the answer to the last.',
    sizes: {
      '1 connection': { connections: 1 },
      '32 connections': { connections: 32 },
      '256 connections': { connections: 256 },
    },
  },
  body: {
    what: 'the size of the body',
    about:
      'ES256, 32 connections. The body is padded by a parameter that is ignored; the default limit is 65,536 bytes.',
    sizes: {
      'bodies of 300 B': { bodyBytes: 300 },
      'bodies of 8 KB': { bodyBytes: 8_000 },
      'bodies of 64 KB': { bodyBytes: 64_000 },
    },
  },
  capture: {
    what: 'captured exchanges',
    about: 'ES256, 32 connections. The capture is full before it is measured.',
    sizes: {
      '1 exchange kept': { requestsBefore, settings: { capture: { max_exchanges: 1 } } },
      '10,000 exchanges kept, the default': { requestsBefore },
    },
  },
};

/** A part of the bench for each. */
export const growing = Object.fromEntries(
  Object.entries(GROWING).map(([name, growth]) => [
    name,
    (options) => measureGrowth(growth, options),
  ]),
);

/** The sum of the requests of several servers. */
function together(measured) {
  const rate = total(measured.map((each) => each.rate));
  return { rate, cost: total(measured.map((each) => each.rate * each.cost)) / rate };
}

/** Servers on one machine under load at the same time, each from its own generator. */
export async function processes({ quick }) {
  const { warmUpSeconds, seconds, rounds } = planOf(quick);
  const key = await createKey('ES256');
  const opened = [];
  try {
    while (opened.length < 2) opened.push(await openProduct(key, warmUpSeconds));
    const counts = { '1 process': 1, '2 processes': 2 };
    const measure = (name) =>
      Promise.all(opened.slice(0, counts[name]).map((server) => server.measure(seconds)));
    const measured = await inTurn(Object.keys(counts), rounds, async (name) =>
      together(await measure(name)),
    );
    return growthReport(
      'processes on one machine',
      'Servers under load at the same time; the rate is that of all together.',
      measured,
    );
  } finally {
    await Promise.all(opened.map(({ stop }) => stop()));
  }
}
