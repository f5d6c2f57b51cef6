// Memory of a server's process, 3 s after its ready line and before any request.

import { setTimeout as wait } from 'node:timers/promises';
import { isOurs, start } from '../contestants.mjs';
import { createKey } from '../orders.mjs';
import { note, stay, tableOfFigures } from '../report.mjs';
import { median } from '../statistics.mjs';
import { usage } from '../usage.mjs';

const AIM_MB = 90;
const REST_MS = 3_000;

/** All at once, because idle servers do not disturb each other. */
async function restOnce(names, jwk) {
  const servers = await Promise.all(
    names.map((name) => start(name, { alg: 'RS256', jwk, tokens: 0 })),
  );
  try {
    await wait(REST_MS);
    const memory = ({ name, pid }) => usage(pid).then(({ megabytes }) => [name, megabytes]);
    return Object.fromEntries(await Promise.all(servers.map(memory)));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

export async function atRest({ names, quick }) {
  const jwk = await createKey('RS256');
  const rounds = [];
  while (rounds.length < (quick ? 1 : 3)) rounds.push(await restOnce(names, jwk));
  const measured = Object.fromEntries(
    names.map((name) => [name, rounds.map((round) => round[name])]),
  );
  const rows = names.map((name) => {
    const what = `memory at rest, ${name}`;
    const value = median(measured[name]);
    return isOurs(name) ? stay(what, value, AIM_MB, 'MB') : note(what, value, 'MB');
  });
  return {
    title: 'Memory at rest',
    about: 'Resident memory of the process, 3 s after its ready line and before any request.',
    rows,
    table: tableOfFigures(names, { 'RS256: MB': measured }),
  };
}
