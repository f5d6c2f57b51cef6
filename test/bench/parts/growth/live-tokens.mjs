// The token service with a million live refresh tokens: as fast as with a thousand, a few hundred
// bytes for each, and no memory lost by refreshing. In process, so that nothing hides what they cost.

import { bundle } from '../../in-process/bundle.mjs';
import { startService } from '../../in-process/process.mjs';
import { COST, RATE } from '../../measure.mjs';
import { createKey, folder, writeWorkspace } from '../../orders.mjs';
import { note, reach, stay, tableOfFigures } from '../../report.mjs';
import { inTurn, medianRatio, pick, total } from '../../statistics.mjs';

const AIMS = { ratio: 0.9, bytesEach: 480, growthMB: 8 };

/** `settle`: refreshes of different tokens that fill all that is bounded by count. */
const plans = {
  full: {
    counts: [1_000, 100_000, 1_000_000],
    settle: 200_000,
    refreshes: 2_000_000,
    seconds: 2,
    rounds: 13,
  },
  quick: {
    counts: [1_000, 10_000, 30_000],
    settle: 10_000,
    refreshes: 10_000,
    seconds: 0.5,
    rounds: 1,
  },
};

const written = (count) => count.toLocaleString('en');
const sizeOf = (count) => `${written(count)} live tokens`;

async function open(entry, key, tokens) {
  const service = await startService(entry, writeWorkspace({ alg: key.alg, jwk: key }));
  return { ...service, bytesEach: await service.ask('fill', tokens) };
}

async function gainedBytes(service, settle, refreshes) {
  const before = await service.ask('redeem', settle);
  return (await service.ask('redeem', refreshes)) - before;
}

async function measureRates(services, { seconds, rounds }) {
  for (const service of Object.values(services)) await service.ask('measure', seconds);
  return inTurn(Object.keys(services), rounds, (name) => services[name].ask('measure', seconds));
}

async function measureMemory(few, many, plan) {
  // The cheapest signature, because memory does not depend on it and millions of others take minutes.
  await Promise.all([few, many].map((service) => service.ask('signWith', 'HS256')));
  // One refresh of each unused token, to measure what its lineage stores.
  const firstRefresh = (await gainedBytes(many, plan.settle, plan.settle / 2)) / (plan.settle / 2);
  const grown = (await gainedBytes(few, plan.settle, plan.refreshes)) / 1e6;
  return { bytesEach: many.bytesEach, firstRefresh, grown };
}

function rowsOf({ rate, cost, bytesEach, firstRefresh, grown }, { counts, refreshes }) {
  const [few, many] = [counts[0], counts.at(-1)].map(sizeOf);
  // All rounds together instead of the median, so that rare long pauses of a large heap are included.
  const ratio = total(rate[many]) / total(rate[few]);
  const each = `memory for each of ${many}`;
  return [
    reach(`${many} against ${few}: rate`, ratio, AIMS.ratio),
    note(`${many} against ${few}: processor time`, medianRatio(cost[many], cost[few])),
    stay(each, bytesEach, AIMS.bytesEach, 'bytes'),
    stay(`${each}, once refreshed`, bytesEach + firstRefresh, AIMS.bytesEach, 'bytes'),
    stay(`memory gained by ${written(refreshes)} refreshes`, grown, AIMS.growthMB, 'MB'),
  ];
}

export async function liveTokens({ quick }) {
  const plan = quick ? plans.quick : plans.full;
  const entry = await bundle('./service.mjs', folder);
  const key = await createKey('ES256');
  const services = {};
  try {
    for (const count of plan.counts) services[sizeOf(count)] = await open(entry, key, count);
    const measured = await measureRates(services, plan);
    const opened = Object.values(services);
    const memory = await measureMemory(opened[0], opened.at(-1), plan);
    const rate = pick(measured, 'rate');
    const cost = pick(measured, 'cost');
    return {
      title: 'How the cost grows with live refresh tokens',
      about:
        'The token service alone, in process, without HTTP and without captured exchanges; ES256.',
      rows: rowsOf({ rate, cost, ...memory }, plan),
      table: tableOfFigures(Object.keys(services), { [RATE]: rate, [COST]: cost }),
    };
  } finally {
    await Promise.all(Object.values(services).map((service) => service.stop()));
  }
}
