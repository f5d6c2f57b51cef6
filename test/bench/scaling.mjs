// Measures how many sandboxes fit in a process, and how many processes on a machine: the tables of
// docs/internals/scaling.md.
//
//   node test/bench/scaling.mjs [--quick] [--write FILE]
//
// Each sandbox takes two file descriptors, one for each loopback address: 10,000 need `ulimit -n 20100` or more. Where
// fewer may be open, the largest count is the one that fits.

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { conditions } from './conditions.mjs';
import { checkBuilt, start } from './contestants.mjs';
import { requestToken } from './http.mjs';
import { launchInstances } from './parts/growth/instances.mjs';
import { markdownTable, plainTable } from './report.mjs';
import { median, total } from './statistics.mjs';
import { usage } from './usage.mjs';

/** File descriptors of Node itself and of the measurement. */
const OTHER_DESCRIPTORS = 100;
/** NaN without a limit; Windows has no such limits. */
const open = Number(process.report.getReport().userLimits?.open_files.soft);
const fitting = Math.floor((open - OTHER_DESCRIPTORS) / 200) * 100;
const SANDBOXES = [100, 1_000, fitting < 10_000 ? fitting : 10_000];
const PROCESSES = [1, 10, 30];
const ROUNDS = 3;
const START = /<!-- measured: scaling -->\n[\s\S]*?<!-- \/measured -->/;

const figure = (value) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });

async function inOneProcess(count) {
  const { ready, stop } = await launchInstances(count);
  try {
    for (const endpoint of [ready.endpoints[0], ready.endpoints.at(-1)]) {
      await requestToken(endpoint);
    }
    return { ms: ready.ms, megabytes: ready.megabytes };
  } finally {
    await stop();
  }
}

/** Starts servers at the same moment, as the jobs of a matrix do, and requests a token from each. */
async function inProcesses(count) {
  const from = performance.now();
  const starting = Array.from({ length: count }, () =>
    start('product', { alg: 'ES256', tokens: 0 }),
  );
  const started = await Promise.allSettled(starting);
  const servers = started.flatMap(({ value }) => value ?? []);
  try {
    const failed = started.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
    await Promise.all(servers.map(({ endpoint }) => requestToken(endpoint)));
    const ms = performance.now() - from;
    const used = await Promise.all(servers.map(({ pid }) => usage(pid)));
    return { ms, megabytes: total(used.map(({ megabytes }) => megabytes)) };
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
}

/** One row: the medians of the rounds, and the share of one sandbox. */
async function row(what, count, rounds, measure) {
  const measured = [];
  while (measured.length < rounds) measured.push(await measure(count));
  const ms = median(measured.map((each) => each.ms));
  const megabytes = median(measured.map((each) => each.megabytes));
  const cells = [ms, ms / count, megabytes, (megabytes / count) * 1_000].map(figure);
  console.log([what, ...cells].join('\t'));
  return [what, ...cells];
}

async function measureAll(quick) {
  // The largest size takes minutes, so it runs once.
  const roundsOf = (count) => (quick || count === SANDBOXES.at(-1) ? 1 : ROUNDS);
  const lines = [];
  for (const count of quick ? SANDBOXES.slice(0, 1) : SANDBOXES) {
    lines.push(await row(`${figure(count)} in one process`, count, roundsOf(count), inOneProcess));
  }
  for (const count of quick ? PROCESSES.slice(0, 1) : PROCESSES) {
    const what = `${figure(count)} ${count === 1 ? 'process' : 'processes'}, one in each`;
    lines.push(await row(what, count, roundsOf(count), inProcesses));
  }
  const head = ['Sandboxes', 'start (ms)', 'for each (ms)', 'memory (MB)', 'for each (kB)'];
  return { head, lines };
}

function write(file, table) {
  const { Date: day, Processor, Memory, Node } = conditions();
  const text = readFileSync(file, 'utf8');
  if (!START.test(text)) throw new Error(`${file} has no "<!-- measured: scaling -->"`);
  const where =
    `Measured on ${day}: ${Processor}, ${Memory}, Node ${Node}. Medians of ${ROUNDS} runs; the most sandboxes in one ` +
    'process were started once. The times apply to this machine only.';
  const measured = `${markdownTable(table)}\n\n${where}`;
  const block = `<!-- measured: scaling -->\n${measured}\n<!-- /measured -->`;
  writeFileSync(
    file,
    text.replace(START, () => block),
  );
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, write: { type: 'string' } },
});
checkBuilt();
const table = await measureAll(values.quick);
console.log(`\n${plainTable(table)}`);
if (values.write) write(values.write, table);
