// `grantbench mirror` as a command: the written workspace, its messages, and failures.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startCli,
  startServe,
  stopCli,
  type CliProcess,
  type Ready,
} from '../support/cli-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'grantbench-mirror-'));
let cli: CliProcess;
let ready: Ready;

beforeAll(async () => {
  cli = startServe('--quiet', '--shape', 'okta');
  ready = await cli.ready();
});

afterAll(async () => {
  await stopCli(cli);
  rmSync(folder, { recursive: true, force: true });
});

const mirror = (...args: string[]) => startCli(['mirror', ...args]).ended;

describe('behaviour 12.11: grantbench mirror', () => {
  it('prints the workspace, and omissions on standard error', async () => {
    const { code, stdout, stderr } = await mirror(ready.issuer);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      shape: { issuer_path: '/oauth2/default', paths: { token: ['/oauth2/default/v1/token'] } },
    });
  });

  it('writes it to a file, which serve starts with', async () => {
    const file = join(folder, 'mirror.json');
    const { code, stdout, stderr } = await mirror(ready.issuer, file);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe(`Wrote ${file}. To start it: grantbench serve --workspace ${file}`);
    const other = startServe('--quiet', '--workspace', file);
    expect((await other.ready()).issuer).toMatch(/\/oauth2\/default$/);
    await stopCli(other);
  });

  it('fails with exit code 2 and the URL when a rule is broken, without writing a file', async () => {
    const file = join(folder, 'none.json');
    const plain = await mirror('http://login.example', file);
    expect([plain.code, plain.stderr]).toEqual([
      2,
      'http://login.example must begin with https://, or http:// and a loopback address.',
    ]);
    const missing = await mirror(`${ready.issuer}/other`, file);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(
      /oauth-authorization-server\/oauth2\/default\/other responds with status 404/,
    );
    expect(() => readFileSync(file)).toThrow();
  });

  it('fails for a sample that is not a JWT, and for an invalid address', async () => {
    const token = join(folder, 'sample.jwt');
    writeFileSync(token, 'opaque');
    const sample = await mirror(ready.issuer, '--token', token);
    expect(sample.code).toBe(2);
    expect(sample.stderr).toContain(`${token} is not a signed JWT`);
    const address = await mirror(ready.issuer, '--allow-address', 'localhost');
    expect(address.code).toBe(2);
    expect(address.stderr).toContain('It must be an IP address.');
  });
});
