// Refresh grants per second with 200 live refresh tokens on 32 connections.

import assert from 'node:assert/strict';
import { importJWK, jwtVerify } from 'jose';
import { LIBRARY, peers, start } from '../contestants.mjs';
import { refresh } from '../http.mjs';
import { answersPerSecond } from '../load.mjs';
import { createKey } from '../orders.mjs';
import { note, printFigures, reach } from '../report.mjs';
import { inTurn, medianRatio } from '../statistics.mjs';

const TOKENS = 200;

const AIMS = {
  RS256: { floor: 0.85, 'oidc-provider': 2 },
  ES256: { floor: 0.7, 'oauth2-mock-server': 6 },
};

/** A server that answers something else than a freshly signed token would win unfairly. */
async function checkAnswer(server, token, key) {
  const answer = await refresh(server.endpoint, token);
  assert.equal(answer.token_type, 'Bearer', server.name);
  assert.equal(typeof answer.expires_in, 'number', server.name);
  const { d, p, q, dp, dq, qi, ...publicKey } = key;
  const { protectedHeader } = await jwtVerify(answer.access_token, await importJWK(publicKey));
  assert.equal(protectedHeader.alg, key.alg, server.name);
}

async function open(name, key, warmUpSeconds) {
  const server = await start(name, { alg: key.alg, jwk: key, tokens: TOKENS });
  const tokens = await server.refreshTokens(TOKENS);
  assert.equal(new Set(tokens).size, TOKENS, `${name}: ${TOKENS} refresh tokens`);
  await checkAnswer(server, tokens[0], key);
  await answersPerSecond(server.endpoint, tokens, warmUpSeconds);
  return { server, tokens };
}

async function measure(alg, names, { warmUpSeconds, seconds, rounds }) {
  const key = await createKey(alg);
  const opened = {};
  try {
    for (const name of names) opened[name] = await open(name, key, warmUpSeconds);
    return await inTurn(names, rounds, (name) =>
      answersPerSecond(opened[name].server.endpoint, opened[name].tokens, seconds),
    );
  } finally {
    await Promise.all(Object.values(opened).map(({ server }) => server.stop()));
  }
}

function productRows(alg, rates) {
  const others = Object.keys(rates).filter((name) => name !== 'product');
  return others.map((name) => {
    const what = `refresh ${alg}, against ${name}`;
    const ratio = medianRatio(rates.product, rates[name]);
    const aim = AIMS[alg][name];
    return aim === undefined ? note(what, ratio) : reach(what, ratio, aim);
  });
}

/** What the floor itself reaches bounds what any server can: signing takes most of the time. */
function floorRows(alg, rates) {
  return Object.keys(rates)
    .filter((name) => peers.includes(name))
    .map((name) =>
      note(`refresh ${alg}, floor against ${name}`, medianRatio(rates.floor, rates[name])),
    );
}

const rowsOf = (alg, rates) => [
  ...(rates.product ? productRows(alg, rates) : []),
  ...(rates.floor ? floorRows(alg, rates) : []),
];

export async function throughput({ names: all, quick }) {
  const names = all.filter((name) => name !== LIBRARY);
  const plan = quick
    ? { warmUpSeconds: 0.3, seconds: 0.5, rounds: 1 }
    : { warmUpSeconds: 3, seconds: 2.5, rounds: 11 };
  const rates = {};
  for (const alg of Object.keys(AIMS)) rates[alg] = await measure(alg, names, plan);
  return {
    rows: Object.entries(rates).flatMap(([alg, measured]) => rowsOf(alg, measured)),
    print: () => printFigures('refresh grants', 'per second', names, rates),
  };
}
