// Stock clients against an https issuer by discovery, unchanged: what trusts the certificate is
// NODE_EXTRA_CA_CERTS, as it would be for an app under test.

import { describe, expect, it } from 'vitest';
import { keepCertificate } from '../../src/engine/certificate/own.ts';
import { temporaryFolder } from '../support/harness.ts';
import { startSecureHarness } from '../support/https.ts';
import {
  expectWholeProtocol,
  runStockClients,
  STOCK_SETTINGS,
} from '../support/run-stock-clients.ts';

/** By the machine's clock, by which the clients validate tokens. */
async function startKept() {
  const { file, cert, key } = await keepCertificate(await temporaryFolder());
  const harness = await startSecureHarness(
    { cert, key },
    {
      workspace: { settings: STOCK_SETTINGS },
      engine: { now: Date.now },
    },
  );
  return { ...harness, file, issuer: `https://localhost:${harness.port()}` };
}

describe('the made certificate and stock clients', () => {
  it('behaviour 7.1: openid-client and oauth4webapi go all the way by discovery over https, unchanged', async () => {
    const { issuer, file } = await startKept();
    expectWholeProtocol(await runStockClients(issuer, file), issuer);
  });

  it('without NODE_EXTRA_CA_CERTS the same clients refuse the certificate', async () => {
    const { issuer, get } = await startKept();
    await expect(runStockClients(issuer, null)).rejects.toMatchObject({
      stderr: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') as string,
    });
    expect(await get('/exchanges')).toEqual({ items: [], next: null });
  });
});
