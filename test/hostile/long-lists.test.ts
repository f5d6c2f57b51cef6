// Lists of exchanges with the longest possible paths, which must not delay other requests.

import { expect, test } from 'vitest';
import { startHarness } from '../support/harness.ts';

const EXCHANGES = 20;
const LONG_PATH = `/authorize?x=${'a=b+'.repeat(5000)}`;

test('each long path is redacted in its own turn of the event loop', async () => {
  const harness = await startHarness();
  for (let sent = 0; sent < EXCHANGES; sent++) await fetch(harness.url() + LONG_PATH);
  const control = await harness.engine.getControl();
  let turns = 0;
  let isListed = false;
  const count = () => {
    turns += 1;
    if (!isListed) setImmediate(count);
  };
  setImmediate(count);
  const { items } = await control.exchanges.list({});
  isListed = true;
  expect(items).toHaveLength(EXCHANGES);
  expect(turns).toBeGreaterThanOrEqual(EXCHANGES);
});
