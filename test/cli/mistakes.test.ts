// `grantbench mistakes`: in its own sandbox and at a running instance, reports and exit codes.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import type { Ready } from '../support/cli-process.ts';
import { runCli } from '../support/run-cli.ts';
import { ask } from '../support/token-calls.ts';

interface Report {
  readonly totals: Readonly<Record<'passed' | 'failed' | 'skipped', number>>;
  readonly mistakes: readonly {
    readonly id: string;
    readonly step: string;
    readonly passed: boolean;
    readonly skipped: string | null;
  }[];
}

const { at, serve, start } = cliFolder('mistakes', 'all');
let ready: Ready;
beforeAll(async () => {
  ready = await serve('--quiet').ready();
});

describe('in a sandbox of its own', () => {
  test('every mistake gets the expected response: a table, its totals, exit code 0', async () => {
    const { code, stdout, stderr } = await runCli(['mistakes', '--profile', 'interop']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^STEP +MISTAKE +EXPECTED +ACTUAL +RESULT$/m);
    expect(stdout).toMatch(
      /^exchange +used_code +rejected: code_redeemed +400 invalid_grant \(code_redeemed\) +passed$/m,
    );
    expect(stdout).toMatch(/^\d{3} passed, 0 failed, \d+ skipped$/m);
  });

  test('of one grant only, as JSON and in reports by their endings', async () => {
    const files = ['out/r.json', 'r.tap', 'r.xml'].map((name) => at(name));
    const { code, stdout } = await callCli([
      'mistakes',
      '--grant',
      'client_credentials',
      '--json',
      ...files.flatMap((file) => ['--report', file]),
    ]);
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as Report;
    expect(new Set(report.mistakes.map(({ step }) => step))).toEqual(
      new Set(['client_credentials']),
    );
    const [json = '', tap = '', xml = ''] = files.map((file) => readFileSync(file, 'utf8'));
    expect(JSON.parse(json)).toMatchObject({ totals: report.totals });
    expect(tap).toMatch(/^TAP version 14\n1\.\.1\n# Subtest: Request a token for the client$/m);
    expect(xml).toContain('name="1. wrong_secret: Wrong secret"');
  });

  test('a reader that closes the pipe does not prevent the reports', async () => {
    const report = at('closed.json');
    const grant = ['--grant', 'client_credentials'];
    const run = start(['mistakes', ...grant, '--report', report]);
    run.child.stdout?.destroy();
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ totals: { failed: 0 } });
  });

  test('an unknown grant, and flags that do not belong together, are wrong usage', async () => {
    for (const args of [
      ['--grant', 'implicit'],
      ['--add-key'],
      ['--url', 'http://localhost:1', '--profile', 'strict'],
      ['--report', 'r.txt'],
    ]) {
      const { code, stdout } = await callCli(['mistakes', ...args]);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
    }
  });
});

describe('at a running instance', () => {
  test('a response that is not the expected one fails its mistake: exit code 1', async () => {
    const { id } = await ask<{ id: string }>(ready, 'POST', '/faults', {
      name: 'Another server’s idea of a refresh',
      match: { path: '/oauth/token', grant_type: 'refresh_token' },
      when: 'instead',
      effect: { kind: 'answer', status: 503, headers: [], body: '' },
    });
    const { code, stdout } = await callCli([
      'mistakes',
      '--grant',
      'authorization_code',
      '--url',
      ready.issuer,
      '--json',
    ]);
    await ask(ready, 'DELETE', `/faults/${id}`);
    const { totals, mistakes } = JSON.parse(stdout) as Report;
    expect(code).toBe(1);
    expect(totals.failed).toBeGreaterThan(0);
    const failed = mistakes.filter(({ passed, skipped }) => !passed && skipped === null);
    expect(new Set(failed.map(({ step }) => step))).toEqual(new Set(['refresh']));
  });

  test('by its issuer or its control URL, with the first client that may use the grant', async () => {
    for (const url of [ready.issuer, `${ready.control.url}/#token=${ready.control.token}`]) {
      const { code, stdout } = await callCli([
        'mistakes',
        '--grant',
        'authorization_code',
        '--json',
        '--url',
        url,
      ]);
      const { totals } = JSON.parse(stdout) as Report;
      expect({ code, failed: totals.failed }).toEqual({ code: 0, failed: 0 });
      expect(totals.passed).toBeGreaterThan(50);
    }
  });

  test('a key for assertions is added only with --add-key, and removed afterwards', async () => {
    const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const client = { client_id: 'worker', client_secret: 's', grant_types: [grant] };
    await ask(ready, 'POST', '/clients', client);
    const args = ['mistakes', '--grant', 'jwt-bearer', '--json', '--url', ready.issuer];
    const without = JSON.parse((await callCli(args)).stdout) as Report;
    expect(without.mistakes.find(({ id }) => id === 'expired')?.skipped).toBe(
      'worker has no key here to sign with.',
    );
    const { code, stdout } = await callCli([...args, '--add-key']);
    const report = JSON.parse(stdout) as Report;
    expect(code).toBe(0);
    expect(report.mistakes.find(({ id }) => id === 'expired')?.passed).toBe(true);
    expect(await ask(ready, 'GET', '/clients/worker')).toMatchObject({ jwks: null });
  });

  test('nothing runs when no client may use the grant: exit code 2', async () => {
    const { code, stderr } = await callCli([
      'mistakes',
      '--grant',
      'password',
      '--json',
      '--url',
      ready.issuer,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('skipped, because no client may use this grant');
  });
});
