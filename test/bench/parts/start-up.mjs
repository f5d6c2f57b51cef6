// From the start of a server's process to its ready line and to its first token, by the one grant for
// which nothing has to be issued before (RFC 6749 4.4), so that all are asked the same.

import { isOurs, start } from '../contestants.mjs';
import { requestToken } from '../http.mjs';
import { createKey } from '../orders.mjs';
import { note, printFigures, stay } from '../report.mjs';
import { inTurn, medianRatio } from '../statistics.mjs';

const AIMS = { floor: 1.5, 'oauth2-mock-server': 1, 'oidc-provider': 1 };

const ROUNDS = 11;
/** An RSA key takes anything between 50 and 500 ms to make. */
const ROUNDS_WITH_RSA = 61;

async function startOnce(name, orders) {
  const server = await start(name, { ...orders, tokens: 0 });
  try {
    await requestToken(server.endpoint);
    const firstTokenAt = performance.now();
    return { ready: server.readyAt - server.spawnedAt, first: firstTokenAt - server.spawnedAt };
  } finally {
    await server.stop();
  }
}

const pick = (measured, field) =>
  Object.fromEntries(
    Object.entries(measured).map(([name, times]) => [name, times.map((time) => time[field])]),
  );

function rowsOf(kind, { first, ready }, names) {
  const others = names.filter((name) => !isOurs(name));
  return names.filter(isOurs).flatMap((ours) =>
    others.flatMap((name) => {
      const what = `${ours}, start to first token, ${kind}, against ${name}`;
      const row = stay(what, medianRatio(first[ours], first[name]), AIMS[name]);
      if (name !== 'floor') return [row];
      const toReady = medianRatio(ready[ours], ready.floor);
      return [row, note(`${ours}, start to ready, ${kind}, against floor`, toReady)];
    }),
  );
}

export async function startUp({ names, quick }) {
  const kinds = {
    'RS256, key made': { alg: 'RS256' },
    'RS256, key given': { alg: 'RS256', jwk: await createKey('RS256') },
    'ES256, key made': { alg: 'ES256' },
  };
  const rows = [];
  const columns = {};
  for (const [kind, orders] of Object.entries(kinds)) {
    const rounds = orders.alg === 'RS256' && !orders.jwk ? ROUNDS_WITH_RSA : ROUNDS;
    const measured = await inTurn(names, quick ? 1 : rounds, (name) => startOnce(name, orders));
    const times = { ready: pick(measured, 'ready'), first: pick(measured, 'first') };
    rows.push(...rowsOf(kind, times, names));
    columns[`${kind}: ready`] = times.ready;
    columns[`${kind}: first token`] = times.first;
  }
  return { rows, print: () => printFigures('start-up', 'ms', names, columns) };
}
