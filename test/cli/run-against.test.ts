// `grantbench run --against` as a command: dependent flags, output, reports and exit codes. The provider is another
// sandbox with different paths.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import type { Ready } from '../support/cli-process.ts';

const { at, start, serve } = cliFolder('against', 'all');
const REAL = { client_id: 'real-client', client_secret: 'real-client-secret-of-theirs' };
const scenario = () => at('machine.scenario.json');

let ready: Ready;

beforeAll(async () => {
  const workspace = at('provider.json');
  const client = { ...REAL, grant_types: ['client_credentials'], redirect_uris: [] };
  writeFileSync(
    workspace,
    JSON.stringify({
      version: 1,
      clients: [client],
      settings: { profile: 'interop' },
    }),
  );
  const steps = [
    { issue_code: {} },
    {
      token: { grant: 'client_credentials', fields: { audience: null }, client: 'demo-app' },
      expect: { status: 200, body: { expires_in: 3600 }, deviations: [] },
    },
  ];
  const client_of_scenario = { ...client, client_id: 'demo-app', client_secret: 'demo-secret' };
  writeFileSync(
    scenario(),
    JSON.stringify({
      format: 'grantbench-scenario',
      version: 1,
      name: 'machine',
      steps,
      workspace: {
        clients: [client_of_scenario],
        settings: { profile: 'interop', lifetimes: { access_token: 60 } },
      },
    }),
  );
  ready = await serve('--quiet', '--shape', 'okta', '--workspace', workspace).ready();
});

const ENVIRONMENT = {
  GRANTBENCH_AGAINST_CLIENT_ID: REAL.client_id,
  GRANTBENCH_AGAINST_CLIENT_SECRET: REAL.client_secret,
};

const run = (...args: string[]) => callCli(['run', scenario(), ...args], { env: ENVIRONMENT });

describe('behaviour 12.14: grantbench run --against', () => {
  it('compares the provider’s responses with the expectations of the scenario', async () => {
    const args = ['run', scenario(), '--against', ready.issuer];
    const { code, stdout, stderr } = await start(args, ENVIRONMENT).ended;
    expect([stderr, code]).toEqual(['', 0]);
    expect(stdout).toContain('SKIP only a sandbox issues codes without a sign-in');
    expect(stdout).toContain('    ok 2 - token request with client_credentials');
  });

  it('--compare compares them with those of a sandbox, and reports all comparisons', async () => {
    const report = at('comparison.json');
    const { code, stdout } = await run('--against', ready.issuer, '--compare', '--report', report);
    expect(code).toBe(1);
    expect(stdout).toContain('@@ body.expires_in @@\n        -60\n        +3600');
    const text = readFileSync(report, 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      against: ready.issuer,
      scenarios: [
        {
          steps: [
            { why_skipped: 'only a sandbox issues codes without a sign-in' },
            {
              compared: expect.arrayContaining([
                { what: 'status', sandbox: '200', provider: '200' },
              ]),
            },
          ],
        },
      ],
    });
    expect(text + stdout).not.toMatch(/eyJ|demo-secret|of-theirs/);
  });

  it.each([
    ['--compare'],
    ['--sign-in', 'http://127.0.0.1:8400/callback'],
    ['--allow-destructive'],
    ['--allow-origin', 'https://login.example'],
    ['--allow-address', '10.0.0.1'],
  ])('%s requires --against', async (...flags) => {
    const { code, stderr } = await run(...flags);
    expect(code).toBe(2);
    expect(stderr).toContain(`${flags[0]} needs --against <issuer>, which names the provider.`);
  });

  it('an unusable provider or a missing client ends the command before anything runs', async () => {
    const plain = await run('--against', 'http://login.example');
    expect([plain.code, plain.stdout]).toEqual([2, '']);
    expect(plain.stderr).toContain('http://login.example must begin with https://');
    const nobody = await callCli(['run', scenario(), '--against', ready.issuer]);
    expect([nobody.code, nobody.stdout]).toEqual([2, '']);
    expect(nobody.stderr).toContain('GRANTBENCH_AGAINST_CLIENT_ID is not set.');
    const origin = await run('--against', ready.issuer, '--allow-origin', 'https://a.example/x');
    expect(origin.stderr).toContain('It must be an origin, such as https://login.example.com.');
  });
});
