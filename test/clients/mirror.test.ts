// `grantbench mirror` of third-party providers on loopback: an app discovers the same metadata at the mirror as at the
// provider.

import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { startCli, startServe, stopCli } from '../support/cli-process.ts';
import { ask } from '../support/token-calls.ts';
import { folderOf } from './support/program.ts';
import { PROVIDERS, startProvider } from './support/providers.ts';

type Metadata = Record<string, unknown>;

async function discover(issuer: string): Promise<Metadata> {
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
  return (await answer.json()) as Metadata;
}

async function tokenOf(metadata: Metadata): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'app',
    client_secret: 'app-secret',
    scope: 'read',
  });
  const answer = await fetch(String(metadata['token_endpoint']), { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** The paths of these endpoints; null for an endpoint that is not published. */
const pathsOf = (metadata: Metadata, names: readonly string[]) =>
  names.map((name) => {
    const address = metadata[name];
    return [name, typeof address === 'string' ? new URL(address).pathname : null];
  });

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'introspection_endpoint',
  'revocation_endpoint',
  'end_session_endpoint',
  'device_authorization_endpoint',
  'pushed_authorization_request_endpoint',
];

describe.each(PROVIDERS)('%s', (name) => {
  it('a sandbox started with its mirror publishes the same metadata and issues tokens with the same claims', async () => {
    const provider = await startProvider(name);
    const theirs = await discover(provider);
    const sample = await tokenOf(theirs);

    const files = folderOf({ 'sample.jwt': sample });
    const file = join(files, 'mirror.json');
    const token = join(files, 'sample.jwt');
    const mirror = await startCli(['mirror', provider, file, '--token', token]).ended;
    expect([mirror.code, mirror.stderr]).toEqual([0, expect.stringMatching(/Wrote /)]);

    const sandbox = startServe('--quiet', '--workspace', file);
    try {
      const ready = await sandbox.ready();
      const ours = await discover(ready.issuer.replace(/\/$/, ''));
      expect(pathsOf(ours, ENDPOINTS)).toEqual(pathsOf(theirs, ENDPOINTS));
      for (const name of ['scopes_supported', 'response_types_supported', 'claims_supported']) {
        expect(ours[name]).toEqual(theirs[name]);
      }
      const { access_token } = await ask<{ access_token: string }>(ready, 'POST', '/tokens', {
        client_id: 'demo-app',
        sub: 'ada',
        scope: 'openid',
      });
      const [own, real] = [decodeJwt(access_token), decodeJwt(sample)];
      expect(Object.keys(own)).toEqual(expect.arrayContaining(Object.keys(real)));
      expect(Number(own.exp) - Number(own.iat)).toBe(Number(real.exp) - Number(real.iat));
    } finally {
      await stopCli(sandbox);
    }
  });
});
