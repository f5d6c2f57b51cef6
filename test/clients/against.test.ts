// `grantbench run --against` third-party providers on loopback: it finds where they differ from the sandbox, and its
// report contains no token or secret.

import { describe, expect, it } from 'vitest';
import type { ScenarioResult } from '../../src/scenario/runner/run-steps.ts';
import { startCli } from '../support/cli-process.ts';
import { folderOf } from './support/program.ts';
import { PROVIDERS, startProvider } from './support/providers.ts';

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

/** Some of the differences in the token response of each provider. */
const DIFFERENCES: Readonly<Record<string, readonly object[]>> = {
  'node-oidc-provider': [{ what: 'body.expires_in', expected: '86400', got: '1234' }],
  'oauth2-mock-server': [{ what: 'body.expires_in', expected: '86400', got: '3600' }],
};

describe.each(PROVIDERS)('%s', (name) => {
  it('behaviour 12.14: sandbox-only and destructive steps are skipped, and all others are compared', async () => {
    const issuer = await startProvider(name);
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
