// The time of a server's main thread under load with refreshes, from V8's sampling profiler, split into signing, Node
// and the server's own code.

import { floors, start } from '../contestants.mjs';
import { COST, measureRefreshes } from '../measure.mjs';
import { createKey } from '../orders.mjs';
import { profiled } from '../profiling.mjs';

const TOKENS = 200;
const CONNECTIONS = 32;

/** Native functions of Node that write a response. */
const WRITING = new Set(['writev', 'writeBuffer', 'writeUtf8String', 'writeLatin1String']);

const KINDS = [
  ['signatures and digests', ({ url }) => url.startsWith('node:internal/crypto/')],
  ['writing responses', ({ url, functionName }) => url === '' && WRITING.has(functionName)],
  ['the rest of Node', ({ url }) => url.startsWith('node:')],
  ['garbage collection', ({ functionName }) => functionName === '(garbage collector)'],
  ['code of the server and its libraries', ({ url }) => url !== ''],
  ['V8 itself', () => true],
];

const kindOf = (callFrame) => KINDS.find(([, includes]) => includes(callFrame))[0];

/** The time of each kind in µs, without idle time. */
function timesByKind({ nodes, samples, timeDeltas }) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map(KINDS.map(([kind]) => [kind, 0]));
  samples.forEach((id, i) => {
    const frame = frames.get(id);
    if (frame.functionName === '(idle)') return;
    const kind = kindOf(frame);
    times.set(kind, times.get(kind) + timeDeltas[i]);
  });
  return times;
}

/** The time of each kind per request in µs, including the start of the process. */
async function measure(name, key, seconds) {
  let cost;
  let requests;
  const profile = await profiled(async () => {
    const server = await start(name, { alg: key.alg, jwk: key, tokens: TOKENS });
    try {
      const tokens = await server.refreshTokens(TOKENS);
      const options = { connections: CONNECTIONS, seconds };
      ({ cost, answers: requests } = await measureRefreshes(server, tokens, options));
    } finally {
      await server.stop();
    }
  });
  const times = [...timesByKind(profile)].map(([kind, time]) => [kind, time / requests]);
  return { cost, times: new Map(times) };
}

const whole = (value) => Math.round(value).toString();

export async function mainThread({ quick }) {
  const names = ['product', ...floors];
  const key = await createKey('ES256');
  const measured = [];
  for (const name of names) measured.push(await measure(name, key, quick ? 2 : 20));
  const line = (what, of) => [what, ...measured.map((each) => whole(of(each)))];
  return {
    title: 'What the main thread does',
    about:
      'ES256, 32 connections; the time for each request in µs. A sampling profiler slows what it looks at, and counts the ' +
      'time in which the thread waits for a processor. Other threads make the signatures; handing them over is counted here.',
    rows: [],
    table: {
      head: ['', ...names],
      lines: [
        ...KINDS.map(([kind]) => line(kind, ({ times }) => times.get(kind))),
        line(COST.replace(' per request (µs)', ' of all threads'), ({ cost }) => cost),
      ],
    },
  };
}
