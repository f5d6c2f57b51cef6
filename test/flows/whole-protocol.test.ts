// Every request of a real app to an authorization server, by unchanged third-party clients.

import { expect, test } from 'vitest';
import { startHarness } from '../support/harness.ts';
import {
  expectWholeProtocol,
  runStockClients,
  STOCK_SETTINGS,
} from '../support/run-stock-clients.ts';

test('behaviour 7.1: openid-client and oauth4webapi discover, authorize, exchange, refresh, introspect, read userinfo and revoke', async () => {
  const harness = await startHarness({
    workspace: { settings: STOCK_SETTINGS },
    engine: { now: Date.now },
  });
  const { issuer } = harness.engine.server();
  expectWholeProtocol(await runStockClients(issuer, null), issuer);
  expect(harness.faults).toEqual([]);
});
