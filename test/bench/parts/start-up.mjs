// From the start of a server's process to its ready line and to its first token, by the one grant for
// which nothing has to be issued before (RFC 6749 4.4), so that all are asked the same.

import { isOurs, peers, start } from '../contestants.mjs';
import { requestToken } from '../http.mjs';
import { createKey } from '../orders.mjs';
import { note, stay, tableOfFigures } from '../report.mjs';
import { inTurn, median, medianRatio, pick } from '../statistics.mjs';

const AIM_AGAINST_QUICKEST_PEER = 1.25;

const ROUNDS = 11;
/** Generating an RSA key takes between 50 and 500 ms. */
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

function quickestPeer(first) {
  const measured = peers.filter((name) => first[name]);
  return measured.sort((a, b) => median(first[a]) - median(first[b]))[0];
}

function rowsOf(kind, first, names) {
  const quickest = quickestPeer(first);
  const others = names.filter((name) => !isOurs(name));
  return names.filter(isOurs).flatMap((ours) =>
    others.map((name) => {
      const what = `${ours}, start to first token, ${kind}, against ${name}`;
      const ratio = medianRatio(first[ours], first[name]);
      return name === quickest ? stay(what, ratio, AIM_AGAINST_QUICKEST_PEER) : note(what, ratio);
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
    const first = pick(measured, 'first');
    rows.push(...rowsOf(kind, first, names));
    columns[`${kind}: ready (ms)`] = pick(measured, 'ready');
    columns[`${kind}: first token (ms)`] = first;
  }
  return {
    title: 'Start',
    about:
      'From the start of the process to its ready line, and to its first token (client_credentials).',
    rows,
    table: tableOfFigures(names, columns),
  };
}
