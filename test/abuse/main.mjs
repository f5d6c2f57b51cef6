// `npm run abuse [-- --minutes N --seed S --rate N --only KIND,…]`: attacks on two servers, one over HTTP and
// one over HTTPS, while a client that attacks nobody checks its answers. It fails when a process ends, hangs or
// answers a 5xx that no fault rule ordered, when an event loop stands still for a second, when a secret is
// seen, when memory grows beyond its bounds, and when the end is not clean.
//
// The same seed makes the same attacks in the same order; what runs at the same time differs.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkEnding } from './harness/ending.mjs';
import { createFigures, createFindings } from './harness/findings.mjs';
import { createGenerator } from './harness/generator.mjs';
import { createHttp } from './harness/http.mjs';
import { startInstance } from './harness/instance.mjs';
import { runNormalClient } from './harness/normal-client.mjs';
import { createMaxima, createOutput, createWatch, watchHarness } from './harness/watch.mjs';
import { createWorkspace } from './harness/workspace.mjs';
import { createWorld } from './harness/world.mjs';
import { kinds } from './kinds/index.mjs';

/** HTTPS is attacked less often, because each connection needs a handshake. */
const SCHEMES = [
  { scheme: 'http', weight: 3 },
  { scheme: 'https', weight: 1 },
];

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '2' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      /** Attacks per second; one may be many requests. */
      rate: { type: 'string', default: '25' },
      only: { type: 'string' },
    },
  });
  const number = (name) => {
    const value = Number(values[name]);
    if (value > 0 && Number.isFinite(value)) return value;
    throw new Error(`--${name} must be a number above 0`);
  };
  const only = values.only?.split(',');
  const unknown = only?.find((name) => !kinds.some((kind) => kind.name === name));
  if (unknown !== undefined) {
    throw new Error(`no kind "${unknown}"; there are ${kinds.map(({ name }) => name).join(', ')}`);
  }
  return {
    minutes: number('minutes'),
    seed: number('seed'),
    rate: number('rate'),
    kinds: only === undefined ? kinds : kinds.filter(({ name }) => only.includes(name)),
  };
}

/** A server with its watchers. */
async function startTarget({ scheme, weight }, folder, { figures, maxima, report, underWay }) {
  const place = join(folder, scheme);
  mkdirSync(place);
  let world;
  let watch;
  const output = createOutput(() => world);
  const instance = await startInstance(
    { scheme, folder: place, workspace: createWorkspace(scheme) },
    { line: output.line, delay: (delay) => watch?.delayed(delay) },
  );
  world = createWorld(instance, report, figures);
  watch = createWatch({ world, figures, maxima, report, underWay });
  return { weight, world, watch, output, instance, folder: place, http: createHttp(instance) };
}

/** Checks everything that the server still shows at the end. */
async function searchAll({ world, http, output }) {
  await output.search();
  for (const format of ['har', 'json']) {
    const { text } = await http.control({ path: `/api/exchanges/export?format=${format}` });
    await world.show(`the last export as ${format}`, text);
  }
}

async function attackAll(targets, generator, { figures, maxima, report }, minutes) {
  const over = new AbortController();
  const late = setTimeout(() => over.abort(), minutes * 60_000);
  const watched = targets.map(async (target) => {
    const { watch, instance, output } = target;
    const why = await watch.run(over.signal);
    if (why === null) return;
    target.isLost = true;
    const { code, signal } = why === 'ended' ? await instance.ended : {};
    report(why === 'ended' ? 'a server ended' : 'a server hangs', [
      `${instance.scheme}: ${code ?? signal ?? 'no answer from /livez'}`,
      ...output.newest(),
      ...generator.underWay(),
    ]);
    over.abort();
  });
  await Promise.all([
    ...watched,
    generator.run(over.signal),
    watchHarness(maxima, over.signal),
    ...targets.map(({ world }) => runNormalClient(world, figures, report, over.signal)),
    ...targets.map(({ output }) => output.run(over.signal)),
  ]);
  clearTimeout(late);
}

async function endOne(target, seed, maxima, report) {
  const { instance, folder, watch } = target;
  try {
    if (target.isLost) return;
    await watch.checkHeap();
    await searchAll(target);
    const took = await checkEnding(instance, folder, seed, report);
    maxima.raise(`${instance.scheme}: end after SIGTERM, ms`, took);
  } catch (error) {
    report('the end could not be checked', [`${instance.scheme}: ${error.stack}`]);
  } finally {
    instance.signal('SIGKILL');
  }
}

function summarise(findings, figures, maxima, { seed, minutes }) {
  for (const [name, value] of [...figures.entries(), ...maxima.entries()]) {
    console.log(`  ${String(value).padStart(9)}  ${name}`);
  }
  for (const { what, count } of findings) console.log(`  FOUND ${count} times: ${what}`);
  const walks = figures.get('walks');
  const verdict = findings.length === 0 && walks > 0 ? 'PASS' : 'FAIL';
  console.log(
    `${verdict} abuse: seed ${seed}, ${minutes} min, ${figures.get('requests')} requests, ` +
      `${figures.get('sockets')} sockets, ${walks} walks of the normal client, ${findings.length} faults`,
  );
  return verdict === 'PASS';
}

async function run(options) {
  const { seed, minutes, rate } = options;
  console.log(`abuse: seed ${seed}, ${minutes} min, ${rate} attacks a second`);
  const findings = createFindings();
  const figures = createFigures();
  const maxima = createMaxima();
  const begun = performance.now();
  const report = (what, lines = []) => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    findings.add(what, [`seed ${seed}, after ${seconds} s`, ...lines]);
  };
  const folder = mkdtempSync(join(tmpdir(), 'grantbench-abuse-'));
  let generator;
  const underWay = () => generator?.underWay() ?? [];
  try {
    const targets = [];
    for (const scheme of SCHEMES) {
      targets.push(await startTarget(scheme, folder, { figures, maxima, report, underWay }));
    }
    generator = createGenerator({ kinds: options.kinds, seed, rate, targets, figures, report });
    await attackAll(targets, generator, { figures, maxima, report }, minutes);
    await Promise.all(targets.map((target) => endOne(target, seed, maxima, report)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return summarise(findings.list(), figures, maxima, options);
}

try {
  // Exits explicitly, because open sockets would keep this process running.
  process.exit((await run(readOptions())) ? 0 : 1);
} catch (error) {
  console.error(`abuse: ${error.stack}`);
  process.exit(1);
}
