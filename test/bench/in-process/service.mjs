// The product's engine with a given number of live refresh tokens, in a separate process without HTTP. Orders `[name,
// ...arguments]` and results use the IPC channel of `fork`.

import { createEngine } from '../../../src/engine/engine.ts';
import { createEvaluation } from '../../../src/core/checks/trace.ts';
import { client } from '../servers/client.mjs';

const IN_FLIGHT = 32;
/** A prime: a walk in such steps visits each token once per lap, neighbours far apart. */
const STRIDE = 7919;

const { service } = await createEngine({
  port: 0,
  issuer: 'http://localhost:4280',
  workspace: { file: process.argv[2], save: false },
  version: 'bench',
});

let tokens = [];
let redeemed = 0;

async function heapBytes() {
  // Twice with a turn between: the second run frees what the first finalizes.
  for (let run = 0; run < 2; run += 1) {
    globalThis.gc();
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** @returns the bytes of each token */
async function fill(count) {
  // Allocated before the first measurement, so that the list of the bench is not counted.
  tokens = new Array(count).fill('');
  const before = await heapBytes();
  for (let i = 0; i < count; i += 1) {
    const { value } = await service.issueRefreshToken({ client_id: client.client_id });
    tokens[i] = value;
  }
  return ((await heapBytes()) - before) / count;
}

async function redeemNext() {
  const value = tokens[(redeemed * STRIDE) % tokens.length];
  redeemed += 1;
  const parameters = new Map([
    ['grant_type', 'refresh_token'],
    ['client_id', client.client_id],
    ['client_secret', client.client_secret],
    ['refresh_token', value],
  ]);
  const body = { content_type: 'form', parameters, repeated: new Set() };
  const request = { ...body, query: [], authorization: null };
  // A rejection throws and ends the bench.
  await service.token({ ...request, ip: '127.0.0.1' }, createEvaluation(redeemed));
}

async function redeemWhile(condition) {
  const line = async () => {
    while (condition()) await redeemNext();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, line));
}

/** @returns the bytes in use after this number of refreshes */
async function redeem(count) {
  const last = redeemed + count;
  await redeemWhile(() => redeemed < last);
  return heapBytes();
}

/** @returns the refreshes per second, and the processor time of each in µs */
async function measure(seconds) {
  const processorBefore = process.cpuUsage();
  const from = performance.now();
  const first = redeemed;
  await redeemWhile(() => performance.now() - from < seconds * 1000);
  const count = redeemed - first;
  const { user, system } = process.cpuUsage(processorBefore);
  return { rate: count / ((performance.now() - from) / 1000), cost: (user + system) / count };
}

async function signWith(alg) {
  service.setSettings({ ...service.settings(), signing_alg: alg });
}

const orders = { fill, redeem, measure, signWith };

// A process writes its profile only when it exits itself, not when a signal ends it.
process.once('SIGTERM', () => process.exit());

process.on('message', async ([name, ...given]) => {
  try {
    process.send({ answer: await orders[name](...given) });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
process.send({ answer: 'ready' });
