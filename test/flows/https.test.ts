// Unchanged stock clients with an https issuer, by discovery. NODE_EXTRA_CA_CERTS makes them trust the certificate, as
// for an app under test.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { keepCertificate } from '../../src/engine/certificate.ts';
import {
  CREDENTIALS,
  type HarnessOptions,
  REDIRECT_URI,
  startHarness,
  temporaryFolder,
} from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';
import { provenFlow, type wholeFlow } from '../support/stock-clients.mjs';

const PROGRAM = fileURLToPath(new URL('../support/stock-clients.mjs', import.meta.url));

interface StockReport {
  readonly whole: Awaited<ReturnType<typeof wholeFlow>>;
  readonly proven: Awaited<ReturnType<typeof provenFlow>>;
}

const redirect_uris = [REDIRECT_URI];
const workspace: HarnessOptions['workspace'] = {
  settings: {
    profile: 'interop',
    authorize: 'auto',
    dpop: { require_nonce: true, nonce_seconds: 5 },
  },
  clients: [
    { ...CREDENTIALS, redirect_uris },
    {
      client_id: 'spa',
      token_endpoint_auth_method: 'none',
      redirect_uris,
      dpop_bound_access_tokens: true,
    },
  ],
};
/** By which the clients validate tokens. */
const now = Date.now;

let certificate = '';
const shared = shareHarness(async (atEnd) => {
  const { file, cert, key } = await keepCertificate(await temporaryFolder(atEnd));
  certificate = file;
  return { workspace, engine: { tls: { cert, key }, now } };
});

const issuerOf = () => `https://localhost:${shared().engine.server().port}`;

/** @param ca what NODE_EXTRA_CA_CERTS names; undefined trusts nothing more */
async function runStockClients(ca?: string): Promise<StockReport> {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, issuerOf()], { env });
  return JSON.parse(stdout) as StockReport;
}

describe('stock clients that trust the generated certificate', () => {
  let report: StockReport;
  beforeAll(async () => {
    report = await runStockClients(certificate);
  });

  it('behaviour 7.1: unchanged openid-client and oauth4webapi complete the flow by discovery over https', () => {
    const { results, subjects } = report.whole;
    expect(results.map(({ client }) => client)).toEqual(['openid-client', 'oauth4webapi']);
    for (const { userinfo, before, after } of results) {
      expect(userinfo).toEqual({ sub: 'ada', name: 'Ada', email: 'ada@example.test' });
      expect(before).toMatchObject({
        active: true,
        iss: issuerOf(),
        aud: issuerOf(),
        sub: 'ada',
        client_id: 'demo-app',
        token_type: 'Bearer',
      });
      expect(after).toEqual({ active: false });
    }
    expect(subjects).toEqual(['ada', 'ada']);
  });

  it.each([
    ['https', () => report.proven],
    [
      'http',
      async () =>
        provenFlow((await startHarness({ workspace, engine: { now } })).engine.server().issuer),
    ],
  ])(
    'RFC 9449: openid-client and oauth4webapi bind code and tokens with nonces over %s',
    async (_scheme, flow) => {
      const proven = await flow();
      expect(proven.map(({ client, token_type }) => [client, token_type])).toEqual([
        ['openid-client', 'dpop'],
        ['oauth4webapi', 'dpop'],
      ]);
      for (const { userinfo, stolen } of proven) {
        expect(userinfo).toEqual({ sub: 'ada', name: 'Ada', email: 'ada@example.test' });
        expect(stolen).toMatchObject([
          { scheme: 'bearer', parameters: { error: 'invalid_token' } },
          { scheme: 'dpop', parameters: { algs: expect.stringContaining('ES256') as string } },
        ]);
      }
    },
  );

  it('cause no internal error', () => {
    expect(shared().faults).toEqual([]);
  });
});

it('the same clients reject the certificate without NODE_EXTRA_CA_CERTS, and Traffic says so', async () => {
  await expect(runStockClients()).rejects.toMatchObject({
    stderr: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') as string,
  });
  await expect
    .poll(() => shared().get('/exchanges?limit=1'))
    .toMatchObject({
      items: [{ cause: 'The client ended the TLS handshake before it sent a request' }],
    });
});
