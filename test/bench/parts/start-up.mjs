// From the start of a server's process to its ready line and to its first token. The product's refresh
// token is minted over its control API after the ready line, and that counts.

import { start } from '../contestants.mjs';
import { refresh } from '../http.mjs';
import { createKey } from '../orders.mjs';
import { note, printFigures, stay } from '../report.mjs';
import { inTurn, medianRatio } from '../statistics.mjs';

const AIM = 1.5;

async function startOnce(name, orders) {
  const server = await start(name, { ...orders, tokens: 1 });
  try {
    const [token] = await server.refreshTokens(1);
    await refresh(server.endpoint, token);
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
  if (!names.includes('product')) return [];
  const others = names.filter((name) => name !== 'product');
  return others.flatMap((name) => {
    const what = `start to first token, ${kind}, against ${name}`;
    const ratio = medianRatio(first.product, first[name]);
    if (name !== 'floor') return [note(what, ratio)];
    const toReady = medianRatio(ready.product, ready.floor);
    return [stay(what, ratio, AIM), note(`start to ready, ${kind}, against floor`, toReady)];
  });
}

export async function startUp({ names, quick }) {
  const kinds = {
    'RS256, key given': { alg: 'RS256', jwk: await createKey('RS256') },
    'ES256, key made': { alg: 'ES256' },
  };
  const rows = [];
  const columns = {};
  for (const [kind, orders] of Object.entries(kinds)) {
    const measured = await inTurn(names, quick ? 1 : 11, (name) => startOnce(name, orders));
    const times = { ready: pick(measured, 'ready'), first: pick(measured, 'first') };
    rows.push(...rowsOf(kind, times, names));
    columns[`${kind}: ready`] = times.ready;
    columns[`${kind}: first token`] = times.first;
  }
  return { rows, print: () => printFigures('start-up', 'ms', names, columns) };
}
