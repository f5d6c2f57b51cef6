// The bench: what the product costs, as ratios to a floor and to peers measured in the same run.
//
//   node test/bench/main.mjs [--quick] [--only PART,…] [--servers NAME,…]
//
// Ratios are medians of interleaved rounds. A missed aim is told and does not fail the run, for aims
// hold on quiet machines; an answer that is not 200 does.

import { parseArgs } from 'node:util';
import { checkBuilt, isOurs, names, peers } from './contestants.mjs';
import { atRest } from './parts/at-rest.mjs';
import { manyTokens } from './parts/many-tokens.mjs';
import { startUp } from './parts/start-up.mjs';
import { throughput } from './parts/throughput.mjs';
import { ensurePeers } from './peers/install.mjs';
import { hasAim, isMissed, printAims } from './report.mjs';

const parts = { throughput, tokens: manyTokens, start: startUp, rest: atRest };

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
    },
  });
  return {
    quick: values.quick,
    partNames: choose(Object.keys(parts), values.only, '--only'),
    names: choose(names, values.servers, '--servers'),
  };
}

function summary(rows) {
  const aims = rows.filter(hasAim).length;
  const missed = rows.filter(isMissed).length;
  return missed ? `${missed} of ${aims} aims missed` : `${aims} of ${aims} aims met`;
}

function prepareServers(chosen) {
  if (chosen.some(isOurs)) checkBuilt();
  if (chosen.some((name) => peers.includes(name))) ensurePeers();
}

async function run() {
  const options = readOptions();
  if (options.partNames.some((name) => parts[name] !== manyTokens)) prepareServers(options.names);

  const rows = [];
  for (const name of options.partNames) {
    console.log(`\nmeasuring: ${name}`);
    const result = await parts[name](options);
    result.print();
    rows.push(...result.rows);
  }
  console.log('');
  printAims(rows);
  console.log(`\n${summary(rows)}`);
  if (options.quick) console.log('a quick run shows that the bench works; its figures mean little');
}

try {
  await run();
} catch (error) {
  console.error(`bench: ${error.stack}`);
  // Not just an exit code: servers that are still up would keep this process waiting for them.
  process.exit(1);
}
