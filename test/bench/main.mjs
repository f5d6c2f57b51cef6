// The bench: what the product costs, as ratios to floors and to peers measured in the same run.
//
//   node test/bench/main.mjs [--quick] [--only PART,…] [--servers NAME,…] [--write FILE]
//                            [--profile] [--profile-dir FOLDER]
//
// Ratios are medians of interleaved rounds. A missed aim is told and does not fail the run, for aims
// hold on quiet machines; an answer that is not 200 does.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasPinnedPackages, installPinnedPackages } from '../../scripts/pinned-packages.mjs';
import { conditions } from './conditions.mjs';
import { checkBuilt, isOurs, names, peers } from './contestants.mjs';
import { atRest } from './parts/at-rest.mjs';
import { growing, processes } from './parts/growth/growth.mjs';
import { instances } from './parts/growth/instances.mjs';
import { liveTokens } from './parts/growth/live-tokens.mjs';
import { mainThread } from './parts/main-thread.mjs';
import { startUp } from './parts/start-up.mjs';
import { throughput } from './parts/throughput.mjs';
import { performancePage } from './performance-page.mjs';
import { profileInto } from './profiling.mjs';
import { plainTable, summary, tableOfResults } from './report.mjs';

/** The folder in which the peers are pinned. */
const PEERS = join(import.meta.dirname, 'peers');

const comparisons = { throughput, start: startUp, rest: atRest };
const growth = {
  tokens: liveTokens,
  ...growing,
  instances,
  processes,
};
const explanations = { 'main-thread': mainThread };
const parts = { ...comparisons, ...growth, ...explanations };

function choose(all, wanted, option) {
  if (wanted === undefined) return all;
  const chosen = wanted.split(',');
  const unknown = chosen.filter((name) => !all.includes(name));
  if (unknown.length === 0) return all.filter((name) => chosen.includes(name));
  throw new Error(`${option} knows no "${unknown.join('", "')}"; there are ${all.join(', ')}`);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      servers: { type: 'string' },
      write: { type: 'string' },
      profile: { type: 'boolean', default: false },
      'profile-dir': { type: 'string', default: 'bench-profile' },
    },
  });
  if (values.profile && values.write) throw new Error('--profile slows what --write would record');
  return {
    ...values,
    profileDir: values['profile-dir'],
    partNames: choose(Object.keys(parts), values.only, '--only'),
    names: choose(names, values.servers, '--servers'),
  };
}

async function prepareServers({ partNames, names: chosen }) {
  const compared = partNames.some((name) => name in comparisons);
  const ours = partNames.some((name) => !(name in comparisons) && name !== 'tokens');
  if (ours || (compared && chosen.some(isOurs))) checkBuilt();
  if (compared && chosen.some((name) => peers.includes(name)) && !hasPinnedPackages(PEERS))
    await installPinnedPackages(PEERS);
}

async function measurePart(name, options) {
  console.log(`\nmeasuring: ${name}`);
  if (options.profile) profileInto(join(options.profileDir, name));
  const from = performance.now();
  const result = await parts[name](options);
  const seconds = Math.round((performance.now() - from) / 1000);
  console.log(`${result.title} (measured in ${seconds} s)\n${result.about}`);
  console.log(plainTable(result.table));
  return result;
}

async function run() {
  const options = readOptions();
  await prepareServers(options);
  const circumstances = conditions();
  for (const [what, value] of Object.entries(circumstances)) console.log(`${what}: ${value}`);

  const results = [];
  for (const name of options.partNames) results.push(await measurePart(name, options));

  const rows = results.flatMap((result) => result.rows);
  console.log(`\n${plainTable(tableOfResults(rows))}\n\n${summary(rows)}`);
  if (options.quick) console.log('a quick run shows that the bench works; its figures mean little');
  if (options.profile) console.log('profiling slows what is measured; the figures mean little');
  if (options.write) {
    const page = performancePage({ conditions: circumstances, quick: options.quick, results });
    writeFileSync(options.write, page);
  }
}

try {
  await run();
} catch (error) {
  console.error(`bench: ${error.stack}`);
  // Exits explicitly, because running servers would keep this process waiting.
  process.exit(1);
}
