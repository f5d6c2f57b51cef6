// Memory of a server's process, 3 s after it said that it is ready and before any request.

import { setTimeout as wait } from 'node:timers/promises';
import { isOurs, start } from '../contestants.mjs';
import { createKey } from '../orders.mjs';
import { canReadMemory, residentMegabytes } from '../memory.mjs';
import { note, printFigures, stay } from '../report.mjs';
import { median } from '../statistics.mjs';

const AIM_MB = 90;
const REST_MS = 3_000;

/** All at once: they do nothing, so they do not disturb each other. */
async function restOnce(names, jwk) {
  const servers = await Promise.all(
    names.map((name) => start(name, { alg: 'RS256', jwk, tokens: 0 })),
  );
  try {
    await wait(REST_MS);
    return Object.fromEntries(servers.map(({ name, pid }) => [name, residentMegabytes(pid)]));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

export async function atRest({ names, quick }) {
  if (!canReadMemory()) {
    return { rows: [], print: () => console.log('memory at rest: not measured on this system') };
  }
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
  return { rows, print: () => printFigures('memory at rest', 'MB', names, { RS256: measured }) };
}
