// Refresh grants with 200 live refresh tokens on 32 connections: how many per second, and what each costs.

import assert from 'node:assert/strict';
import { importJWK, jwtVerify } from 'jose';
import { LIBRARY, floors, peers, start } from '../contestants.mjs';
import { refresh } from '../http.mjs';
import { COST, RATE, measureRefreshes } from '../measure.mjs';
import { createKey } from '../orders.mjs';
import { note, reach, stay, tableOfFigures } from '../report.mjs';
import { inTurn, medianRatio, pick } from '../statistics.mjs';

const TOKENS = 200;
const CONNECTIONS = 32;

const AIMS = {
  RS256: { rate: { 'floor-jose': 0.9, 'oidc-provider': 1.35 }, cost: { 'floor-jose': 1.08 } },
  ES256: {
    rate: { 'floor-jose': 0.75, 'oauth2-mock-server': 5, 'oidc-provider': 2.3 },
    cost: { 'floor-jose': 1.35 },
  },
};

/** Rejects servers that do not respond with a newly signed token, because the comparison would be unfair. */
async function checkAnswer(server, token, key) {
  const answer = await refresh(server.endpoint, token);
  assert.equal(answer.token_type, 'Bearer', server.name);
  assert.equal(typeof answer.expires_in, 'number', server.name);
  const { d, p, q, dp, dq, qi, ...publicKey } = key;
  const { protectedHeader } = await jwtVerify(answer.access_token, await importJWK(publicKey));
  assert.equal(protectedHeader.alg, key.alg, server.name);
}

async function open(name, key) {
  const server = await start(name, { alg: key.alg, jwk: key, tokens: TOKENS });
  const tokens = await server.refreshTokens(TOKENS);
  assert.equal(new Set(tokens).size, TOKENS, `${name}: ${TOKENS} refresh tokens`);
  await checkAnswer(server, tokens[0], key);
  const measure = (seconds) =>
    measureRefreshes(server, tokens, { connections: CONNECTIONS, seconds });
  return { server, measure };
}

async function measureAll(alg, names, { warmUpSeconds, seconds, rounds }) {
  const key = await createKey(alg);
  const opened = {};
  try {
    for (const name of names) {
      opened[name] = await open(name, key);
      await opened[name].measure(warmUpSeconds);
    }
    return await inTurn(names, rounds, (name) => opened[name].measure(seconds));
  } finally {
    await Promise.all(Object.values(opened).map(({ server }) => server.stop()));
  }
}

const withAim = (row, what, value, aim) =>
  aim === undefined ? note(what, value) : row(what, value, aim);

function rowsAgainst(ours, others, alg, { rate, cost }, aims = {}) {
  return others
    .filter((name) => rate[ours] && rate[name])
    .flatMap((name) => {
      const what = `refresh ${alg}, ${ours} against ${name}`;
      const rates = medianRatio(rate[ours], rate[name]);
      const costs = medianRatio(cost[ours], cost[name]);
      return [
        withAim(reach, `${what}: rate`, rates, aims.rate?.[name]),
        withAim(stay, `${what}: processor time`, costs, aims.cost?.[name]),
      ];
    });
}

/** The results of the floors limit those of any server, because signing takes most of the time. */
const rowsOf = (alg, figures) => [
  ...rowsAgainst('product', [...floors, ...peers], alg, figures, AIMS[alg]),
  ...rowsAgainst('floor-jose', peers, alg, figures),
];

export async function throughput({ names: all, quick }) {
  const names = all.filter((name) => name !== LIBRARY);
  // Each round opens new connections, for which V8 recompiles some code; a long round hides that cost.
  const plan = quick
    ? { warmUpSeconds: 1, seconds: 1, rounds: 1 }
    : { warmUpSeconds: 3, seconds: 6, rounds: 7 };
  const rows = [];
  const columns = {};
  for (const alg of Object.keys(AIMS)) {
    const measured = await measureAll(alg, names, plan);
    const figures = { rate: pick(measured, 'rate'), cost: pick(measured, 'cost') };
    rows.push(...rowsOf(alg, figures));
    columns[`${alg}: ${RATE}`] = figures.rate;
    columns[`${alg}: ${COST}`] = figures.cost;
  }
  return {
    title: 'Refresh grants',
    about: `${TOKENS} live refresh tokens, taken in turn over ${CONNECTIONS} connections.`,
    rows,
    table: tableOfFigures(names, columns),
  };
}
