// Unchanged stock clients with an https issuer, by discovery. NODE_EXTRA_CA_CERTS makes them trust the certificate, as
// for an app under test.

import { describe, expect, it } from 'vitest';
import { keepCertificate } from '../../src/engine/certificate/generated.ts';
import { temporaryFolder } from '../support/harness.ts';
import { startSecureHarness } from '../support/https.ts';
import {
  expectWholeProtocol,
  runStockClients,
  STOCK_SETTINGS,
} from '../support/run-stock-clients.ts';

/** Uses the machine clock, by which the clients validate tokens. */
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

describe('the generated certificate and stock clients', () => {
  it('behaviour 7.1: unchanged openid-client and oauth4webapi complete the flow by discovery over https', async () => {
    const { issuer, file } = await startKept();
    expectWholeProtocol(await runStockClients(issuer, file), issuer);
  });

  it('the same clients reject the certificate without NODE_EXTRA_CA_CERTS, and Traffic says so', async () => {
    const { issuer, get } = await startKept();
    await expect(runStockClients(issuer, null)).rejects.toMatchObject({
      stderr: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') as string,
    });
    await expect
      .poll(() => get('/exchanges'))
      .toMatchObject({
        items: [{ cause: 'The client ended the TLS handshake before it sent a request' }],
      });
  });
});
