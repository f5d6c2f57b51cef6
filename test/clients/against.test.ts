// `grantbench run --against` of providers that others wrote, on the loopback: what they do otherwise than the sandbox is found, and
// no token or secret is in the result.

import { describe, expect, it } from 'vitest';
import type { ScenarioResult } from '../../src/scenario/runner/run.ts';
import { startCli } from '../support/cli-process.ts';
import { freePort } from '../support/free-port.ts';
import { folderOf, serve } from './support/program.ts';

const PROGRAMS: Readonly<Record<string, (port: number) => string>> = {
  'node-oidc-provider': (port) => `import { Provider } from 'oidc-provider';
const provider = new Provider('http://localhost:${port}', {
  clients: [{
    client_id: 'app',
    client_secret: 'app-secret',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_post',
    response_types: [],
  }],
  features: {
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'https://api.example',
      getResourceServerInfo: () => ({ scope: 'read', accessTokenFormat: 'jwt', accessTokenTTL: 1234 }),
    },
  },
});
provider.listen(${port});`,
  'oauth2-mock-server': (port) => `import { OAuth2Server } from 'oauth2-mock-server';
const server = new OAuth2Server();
await server.issuer.keys.generate('RS256');
await server.start(${port}, 'localhost');`,
};

const SCENARIO = {
  format: 'grantbench-scenario',
  version: 1,
  name: 'machine',
  workspace: {
    clients: [
      {
        client_id: 'demo-app',
        client_secret: 'demo-secret',
        redirect_uris: ['http://localhost:3000/callback'],
        grant_types: ['authorization_code', 'client_credentials'],
      },
    ],
    settings: { profile: 'interop' },
  },
  steps: [
    { request: { path: '/.well-known/openid-configuration' } },
    { issue_code: {} },
    { token: { grant: 'client_credentials', fields: { audience: null, scope: 'read' } } },
    { token: { grant: 'client_credentials', fields: { client_secret: 'wrong' } } },
  ],
};

interface Report {
  readonly scenarios: readonly ScenarioResult[];
}

/** What differs in the token response of each, among others. */
const DIFFERENCES: Readonly<Record<string, readonly object[]>> = {
  'node-oidc-provider': [{ what: 'body.expires_in', expected: '86400', got: '1234' }],
  'oauth2-mock-server': [{ what: 'body.expires_in', expected: '86400', got: '3600' }],
};

describe.each(Object.entries(PROGRAMS))('%s', (name, program) => {
  it('what only a sandbox can do, and what does harm, is skipped; the rest is compared', async () => {
    const port = await freePort();
    const issuer = `http://localhost:${port}`;
    const cwd = folderOf({ 'provider.mjs': program(port) });
    await serve(process.execPath, ['provider.mjs'], { cwd, listens: () => fetch(issuer) });
    const files = folderOf({ 'machine.scenario.json': JSON.stringify(SCENARIO) });
    const { code, stdout } = await startCli(
      ['run', files, '--against', issuer, '--compare', '--json'],
      { GRANTBENCH_AGAINST_CLIENT_ID: 'app', GRANTBENCH_AGAINST_CLIENT_SECRET: 'app-secret' },
    ).ended;
    expect(code).toBe(1);
    const steps = (JSON.parse(stdout) as Report).scenarios.flatMap((scenario) => scenario.steps);
    expect(steps.map(({ verdict }) => verdict)).toEqual(['failed', 'skipped', 'failed', 'skipped']);
    const differences = steps[2]?.failure?.differences ?? [];
    expect(differences).toEqual(expect.arrayContaining([...(DIFFERENCES[name] ?? [])]));
    expect(differences.some(({ what }) => what === 'status')).toBe(false);
    expect(stdout).not.toMatch(/app-secret|demo-secret|eyJ/);
  });
});
