// The end of a credential is reported only once it is on disk; and which epochs the next run recognizes.

import { expect, it } from 'vitest';
import { createCoveredEpochs } from '../../src/engine/kept/persisted-state.ts';
import { createDurableStore } from '../../src/engine/kept/durable-store.ts';
import { createTestService, START } from '../support/core.ts';
import { lineageId } from '../../src/core/model/credentials.ts';

const HOUR = 3_600_000;

/** A store whose writes finish when the test allows it. */
async function durable() {
  const { signIn, stores } = createTestService();
  const { lineage } = await signIn();
  const waiting: (() => void)[] = [];
  const store = createDurableStore(
    stores,
    () => new Promise<void>((resolve) => void waiting.push(resolve)),
  );
  return {
    store,
    lineage,
    waiting,
    id: { epoch: lineage.epoch, lineage: lineageId(lineage), n: 2 },
  };
}

it.each<[string, (bench: Awaited<ReturnType<typeof durable>>) => unknown, unknown]>([
  ['endAccessToken', ({ store, id }) => store.endAccessToken(id, 'revoked', 1, 2, null), undefined],
  ['revokeLineage', ({ store, lineage }) => store.revokeLineage(lineage, START, null), true],
  [
    'end',
    async ({ store, lineage }) => {
      const token = await store.findById(`${lineageId(lineage)}.2`);
      return token === undefined ? 'not found' : store.end(token, 'revoked', START, null);
    },
    undefined,
  ],
])('%s resolves once the end is on disk', async (_, act, answer) => {
  const bench = await durable();
  let answered = false;
  const acting = Promise.resolve(act(bench)).finally(() => (answered = true));
  await new Promise(setImmediate);
  expect([answered, bench.waiting.length]).toEqual([false, 1]);
  bench.waiting.forEach((go) => {
    go();
  });
  expect(await acting).toBe(answer);
});

it('a query waits until an end is on disk, and does not wait without one', async () => {
  const { store, id, waiting, lineage } = await durable();
  expect(await store.findDenial(id)).toBeUndefined();
  expect(waiting).toHaveLength(0);
  void store.revokeLineage(lineage, START, null);
  await new Promise(setImmediate);
  let heard = false;
  const asking = Promise.resolve(store.findDenial(id)).finally(() => (heard = true));
  await new Promise(setImmediate);
  expect([heard, waiting.length]).toEqual([false, 2]);
  waiting.forEach((go) => {
    go();
  });
  expect(await asking).toMatchObject({ reason: 'revoked' });
});

it('an epoch is stored from its first token on, until an hour after its last token expires', async () => {
  const { service, signIn, advance } = createTestService();
  const { epoch } = service;
  const epochs = createCoveredEpochs(epoch);
  expect(epochs.extend()).toBe(false);
  expect(epochs.list()).toEqual([{ epoch: epoch.name, until: 0 }]);
  await signIn();
  expect(epochs.extend()).toBe(true);
  const until = epoch.access_until + HOUR;
  expect(epochs.list()).toEqual([{ epoch: epoch.name, until }]);
  advance(3600);
  await signIn();
  expect(epochs.extend()).toBe(false);
  advance(1);
  await signIn();
  expect(epochs.extend()).toBe(true);
});

it('stored epochs come first, until a reset; only the newest are kept', () => {
  const { epoch } = createTestService().service;
  const epochs = createCoveredEpochs(epoch);
  const former = Array.from({ length: 1000 }, (_, n) => ({ epoch: `e${n}`, until: START }));
  epochs.restore(former);
  expect(['e0', 'e999', 'other'].map(epoch.recognises)).toEqual([true, true, false]);
  expect(epochs.list()).toEqual([...former.slice(1), { epoch: epoch.name, until: 0 }]);
  epochs.forget();
  expect(epochs.list()).toEqual([{ epoch: epoch.name, until: 0 }]);
});
