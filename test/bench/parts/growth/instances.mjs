// Many library sandboxes in one process: their start time and memory.

import { fileURLToPath } from 'node:url';
import { requestToken } from '../../http.mjs';
import { writeOrders } from '../../orders.mjs';
import { launch } from '../../process.mjs';
import { stay, tableOfFigures } from '../../report.mjs';
import { inTurn, median, pick } from '../../statistics.mjs';

const SCRIPT = fileURLToPath(new URL('../../servers/instances.mjs', import.meta.url));

const COUNTS = { '1 sandbox': 1, '10 sandboxes': 10, '100 sandboxes': 100 };
const MOST = '100 sandboxes';
/** Timeout for thousands of sandboxes. */
const READY_WITHIN_MS = 600_000;
const AIMS = { ms: 250, megabytes: 35 };

/** A process with this number of sandboxes, plus a first one that is not counted. */
export function launchInstances(count) {
  const orders = writeOrders({ alg: 'ES256', instances: count });
  return launch([SCRIPT, orders], `${count}-instances`, READY_WITHIN_MS);
}

async function startInstances(count) {
  const { ready, stop } = await launchInstances(count);
  try {
    for (const endpoint of ready.endpoints) await requestToken(endpoint);
    return { ms: ready.ms, megabytes: ready.megabytes };
  } finally {
    await stop();
  }
}

export async function instances({ quick }) {
  const names = Object.keys(COUNTS);
  const measured = await inTurn(names, quick ? 1 : 7, (name) => startInstances(COUNTS[name]));
  const ms = pick(measured, 'ms');
  const megabytes = pick(measured, 'megabytes');
  return {
    title: 'How the cost grows with sandboxes in one process',
    about:
      'Started one after the other by the library, with a new ES256 key each, in a process that has one already.',
    rows: [
      stay(`${MOST} in one process: start`, median(ms[MOST]), AIMS.ms, 'ms'),
      stay(`${MOST} in one process: memory`, median(megabytes[MOST]), AIMS.megabytes, 'MB'),
    ],
    table: tableOfFigures(names, { 'start (ms)': ms, 'memory (MB)': megabytes }),
  };
}
