// Stock clients against an https issuer by discovery, unchanged: what trusts the certificate is
// NODE_EXTRA_CA_CERTS, as it would be for an app under test.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { keepCertificate } from '../../src/engine/kept-certificate.ts';
import { temporaryFolder } from '../support/harness.ts';
import { startSecureHarness } from '../support/https.ts';

const CLIENTS = fileURLToPath(new URL('../support/https-clients.mjs', import.meta.url));
const CODE_VERIFIER = 'a-verifier-that-is-long-enough-to-be-one-of-them';
const CODE_CHALLENGE = createHash('sha256').update(CODE_VERIFIER).digest('base64url');

const execute = promisify(execFile);

interface Told {
  readonly results: readonly { endpoint: string; access_token: string; refreshed: string }[];
  readonly subjects: readonly string[];
}

/** By the machine's clock, which the clients judge tokens by. */
async function startKept() {
  const { file, cert, key } = await keepCertificate(await temporaryFolder());
  const harness = await startSecureHarness({ cert, key }, { engine: { now: Date.now } });
  return { ...harness, file, issuer: `https://localhost:${harness.port()}` };
}

const pkce = { code_challenge: CODE_CHALLENGE, code_challenge_method: 'S256' };

describe('issue 3.9: the made certificate and stock clients', () => {
  it('openid-client and oauth4webapi discover, exchange a code with PKCE and refresh; jose verifies', async () => {
    const { issuer, code, file } = await startKept();
    const codes = [await code(pkce), await code(pkce)];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: file, CODE_VERIFIER };
    const { stdout } = await execute(process.execPath, [CLIENTS, issuer, ...codes], { env });
    const { results, subjects } = JSON.parse(stdout) as Told;
    expect(results).toHaveLength(2);
    for (const { endpoint, access_token, refreshed } of results) {
      expect(endpoint).toBe(`${issuer}/oauth/token`);
      expect(refreshed).not.toBe(access_token);
    }
    expect(subjects).toEqual(['ada', 'ada']);
  });

  it('without NODE_EXTRA_CA_CERTS the same clients refuse the certificate', async () => {
    const { issuer, get } = await startKept();
    const env = { ...process.env };
    delete env['NODE_EXTRA_CA_CERTS'];
    const run = execute(process.execPath, [CLIENTS, issuer, 'code', 'code'], { env });
    await expect(run).rejects.toMatchObject({
      stderr: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') as string,
    });
    expect(await get('/exchanges')).toEqual({ items: [], next: null });
  });
});
