// The token service with a million live refresh tokens: as fast as with a thousand, a few hundred
// bytes for each, and no memory lost by refreshing. In process, so that nothing hides what they cost.

import { bundle } from '../in-process/bundle.mjs';
import { startService } from '../in-process/process.mjs';
import { createKey, folder, writeWorkspace } from '../orders.mjs';
import { note, printFigures, reach, stay } from '../report.mjs';
import { inTurn, total } from '../statistics.mjs';

const AIMS = { ratio: 0.9, bytesEach: 600, growthMB: 8 };
const FEW = 1_000;

/** `settle`: refreshes of different tokens that fill all that is bounded by count. */
const plans = {
  full: { many: 1_000_000, settle: 200_000, refreshes: 2_000_000, seconds: 2, rounds: 15 },
  quick: { many: 30_000, settle: 10_000, refreshes: 10_000, seconds: 0.5, rounds: 1 },
};

const written = (count) => count.toLocaleString('en');

async function open(entry, key, tokens) {
  const service = await startService(entry, writeWorkspace({ alg: key.alg, jwk: key }));
  return { ...service, bytesEach: await service.ask('fill', tokens) };
}

async function gainedBytes(service, settle, refreshes) {
  const before = await service.ask('redeem', settle);
  return (await service.ask('redeem', refreshes)) - before;
}

async function compareRates(few, many, { seconds, rounds }) {
  const services = { few, many };
  await few.ask('rate', seconds);
  await many.ask('rate', seconds);
  return inTurn(Object.keys(services), rounds, (name) => services[name].ask('rate', seconds));
}

async function measure(few, many, plan) {
  const rates = await compareRates(few, many, plan);
  // The cheapest signature, for memory does not depend on it and millions of others take minutes.
  await Promise.all([few, many].map((service) => service.ask('signWith', 'HS256')));
  // Tokens that were never refreshed, one refresh each: what a lineage remembers of it.
  const firstRefresh = (await gainedBytes(many, plan.settle, plan.settle / 2)) / (plan.settle / 2);
  const grown = (await gainedBytes(few, plan.settle, plan.refreshes)) / 1e6;
  return { rates, bytesEach: many.bytesEach, firstRefresh, grown };
}

function rowsOf({ rates, bytesEach, firstRefresh, grown }, { many, refreshes }) {
  // All rounds together, not the median one: a large heap's rare long pauses count.
  const ratio = total(rates.many) / total(rates.few);
  const each = `memory for each of ${written(many)} tokens`;
  return [
    reach(`refresh, ${written(many)} live against ${written(FEW)}`, ratio, AIMS.ratio),
    stay(each, bytesEach, AIMS.bytesEach, 'bytes'),
    note(`${each}, once refreshed`, bytesEach + firstRefresh, 'bytes'),
    stay(`memory gained by ${written(refreshes)} refreshes`, grown, AIMS.growthMB, 'MB'),
  ];
}

export async function manyTokens({ quick }) {
  const plan = quick ? plans.quick : plans.full;
  const entry = await bundle('./service.mjs', folder);
  const key = await createKey('ES256');
  const opened = [];
  try {
    for (const tokens of [FEW, plan.many]) opened.push(await open(entry, key, tokens));
    const measured = await measure(...opened, plan);
    const columns = { [`${written(FEW)} or ${written(plan.many)} live, ES256`]: measured.rates };
    return {
      rows: rowsOf(measured, plan),
      print: () =>
        printFigures('refresh grants in process', 'per second', ['few', 'many'], columns),
    };
  } finally {
    opened.forEach((service) => service.stop());
  }
}
