// Older exchanges are loaded page by page, on scrolling and for an export of all that are listed.

import { expect, test } from 'vitest';
import { call, startHarness } from '../support/harness.ts';
import { openPage } from '../support/page.ts';

test('who asks for older exchanges while a page of them is loading waits for that page', async () => {
  const harness = await startHarness();
  for (const path of ['/first', '/second', '/third']) await call(harness.url(), 'GET', path);
  await openPage(harness);
  const { control } = await import('../../src/renderer/connection/control.ts');
  const { NO_EXCHANGES } = await import('../../src/renderer/connection/exchange-window.ts');
  const { change, page, withExchanges } = await import('../../src/renderer/connection/state.ts');
  const { loadOlder } = await import('../../src/renderer/views/traffic/traffic-actions.ts');
  const { items, next } = await control.exchanges.list({ limit: 1 });
  change((state) => withExchanges({ ...state, exchanges: NO_EXCHANGES }, items, next));
  expect(page.getState().exchanges.size).toBe(1);

  const byScrolling = loadOlder();
  await loadOlder();
  expect(page.getState()).toMatchObject({ exchanges: { size: 3 }, history: { next: null } });
  await byScrolling;
});
