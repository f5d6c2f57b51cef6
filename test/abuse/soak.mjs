// `npm run soak [-- --minutes N --rate N]`: a steady load on one server with viewers, stalled viewers, exports,
// clock moves and key rotations. First its collections are filled as fast as it goes, and settle for a minute;
// then each minute is told in a line. It fails when what the heap holds after a collection grows by more than 5 %
// over the first of these minutes, at a 5xx, and when the process ends or its event loop stands still for a
// second.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createFigures, createFindings } from './harness/findings.mjs';
import { createHttp, json } from './harness/http.mjs';
import { startInstance } from './harness/instance.mjs';
import { runBackground } from './harness/soak-background.mjs';
import { createLoad } from './harness/soak-load.mjs';
import { createWorkspace } from './harness/workspace.mjs';

const MOST_GROWTH = 1.05;
const LONGEST_DELAY_MS = 1000;
const MINUTE_MS = 60_000;
const TICK_MS = 10;
const MOST_AT_ONCE = 128;
const FILLERS = 48;
const MIB = 1024 * 1024;

/** Credentials live for less than two minutes, so that as many end as are issued. */
const SETTINGS = {
  signing_alg: 'ES256',
  lifetimes: { access_token: 300, refresh_token: 120, code: 30 },
};

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '60' },
      rate: { type: 'string', default: '500' },
    },
  });
  const options = { minutes: Number(values.minutes), rate: Number(values.rate) };
  if (Number.isInteger(options.minutes) && options.minutes > 0 && options.rate > 0) return options;
  throw new Error('--minutes must be a whole number above 0, --rate a number above 0');
}

/** Fills as fast as possible; then everything ends, as in each minute. */
async function fill(load, http) {
  for (const [name, count, step] of load.fills) {
    const begun = performance.now();
    let left = count;
    const filler = async () => {
      while (left-- > 0) await step().catch(() => undefined);
    };
    await Promise.all(Array.from({ length: FILLERS }, filler));
    const seconds = (performance.now() - begun) / 1000;
    console.log(`filled ${name}: ${count} in ${Math.round(seconds)} s`);
  }
  await http.control({ ...json({ advance_seconds: 3600 }, 'PATCH'), path: '/api/clock' });
}

/** Sends at a constant rate until the time; omits requests that a slow server does not keep up with. */
async function loadUntil(end, rate, load, figures) {
  let due = performance.now();
  let underWay = 0;
  const send = async () => {
    underWay += 1;
    await load.next().catch(() => figures.count('hung up on'));
    underWay -= 1;
  };
  while (performance.now() < end) {
    for (; due < performance.now(); due += 1000 / rate) {
      if (underWay < MOST_AT_ONCE) void send();
      else figures.count('not sent');
    }
    await sleep(TICK_MS);
  }
}

/** Runs one minute. @returns its figures */
async function soakMinute({ instance, background, load, figures, rate, report }) {
  const [requests, faults] = [figures.get('requests'), figures.get('5xx')];
  const begun = performance.now();
  await Promise.all([
    loadUntil(begun + MINUTE_MS, rate, load, figures),
    runBackground(instance, background, (error) => {
      if (instance.isRunning()) report('control did not answer', [error.message]);
    }),
  ]);
  const [delay, heap] = [await instance.delay(), await instance.heap()];
  const answered = figures.get('requests') - requests;
  return {
    answered,
    faults: figures.get('5xx') - faults,
    rate: Math.round(answered / (MINUTE_MS / 1000)),
    heap: (heap ?? 0) / MIB,
    delay: delay?.own ?? 0,
  };
}

const inWords = ({ answered, rate, heap, delay }) =>
  `${answered} requests, ${rate}/s, heap ${heap.toFixed(1)} MiB, ` +
  `event loop ${Math.round(delay)} ms at most`;

function checkMinute({ faults, delay }, report) {
  if (faults > 0) report('a 5xx', [`${faults} in this minute`]);
  if (delay > LONGEST_DELAY_MS) report('the event loop stood still for over 1 s', [`${delay} ms`]);
}

const fullest = (results) => Math.max(...results.map(({ heap }) => heap));

/** Growth from the first half to the second; none in less than two minutes. */
function growthOf(results) {
  const half = Math.floor(results.length / 2);
  return half === 0 ? 1 : fullest(results.slice(half)) / fullest(results.slice(0, half));
}

async function soak({ minutes, rate }, folder, findings) {
  const report = findings.add;
  const figures = createFigures();
  const workspace = createWorkspace('http');
  Object.assign(workspace.settings, SETTINGS);
  const output = { line: () => undefined, delay: () => undefined };
  const instance = await startInstance({ scheme: 'http', folder, workspace, quiet: true }, output);
  const http = createHttp(instance);
  // Requests are far apart, so a kept connection could be closed just when the next is sent.
  const background = createHttp(instance, { keepAlive: false });
  const load = createLoad(instance, http, figures);
  await fill(load, http);
  const order = { instance, background, load, figures, rate, report };
  console.log(`settling: ${inWords(await soakMinute(order))}`);
  const results = [];
  while (results.length < minutes && instance.isRunning()) {
    const result = await soakMinute(order);
    results.push(result);
    checkMinute(result, report);
    console.log(`minute ${results.length}: ${inWords(result)}`);
  }
  if (growthOf(results) > MOST_GROWTH) {
    report(
      'memory grows',
      results.map(({ heap }) => `${heap.toFixed(1)} MiB`),
    );
  }
  if (!instance.isRunning()) report('the server ended', [JSON.stringify(await instance.ended)]);
  instance.signal('SIGTERM');
  await instance.ended;
  http.close();
  return results;
}

function summarise(results, findings, { minutes }) {
  const requests = results.reduce((sum, { answered }) => sum + answered, 0);
  const growth = growthOf(results) - 1;
  const delay = Math.max(...results.map(({ delay: longest }) => longest));
  for (const { what, count } of findings) console.log(`  FOUND ${count} times: ${what}`);
  const verdict = findings.length === 0 && results.length === minutes ? 'PASS' : 'FAIL';
  console.log(
    `${verdict} soak: ${results.length} min, ${requests} requests, ` +
      `${Math.round(requests / results.length / 60)}/s, growth ${(growth * 100).toFixed(1)} %, ` +
      `event loop ${Math.round(delay)} ms at most`,
  );
  return verdict === 'PASS';
}

const folder = mkdtempSync(join(tmpdir(), 'grantbench-soak-'));
try {
  const options = readOptions();
  const findings = createFindings();
  const results = await soak(options, folder, findings);
  process.exitCode = summarise(results, findings.list(), options) ? 0 : 1;
} catch (error) {
  console.error(`soak: ${error.stack}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}
