// `grantbench mirror` as a command: the written workspace, its messages, and failures.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import type { Ready } from '../support/cli-process.ts';

const { at, start, serve } = cliFolder('mirror', 'all');
let ready: Ready;
beforeAll(async () => {
  ready = await serve('--quiet', '--shape', 'okta').ready();
});

const mirror = (...args: string[]) => callCli(['mirror', ...args]);

describe('behaviour 12.11: grantbench mirror', () => {
  it('prints the workspace, and omissions on standard error', async () => {
    const { code, stdout, stderr } = await start(['mirror', ready.issuer]).ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      shape: { issuer_path: '/oauth2/default', paths: { token: ['/oauth2/default/v1/token'] } },
    });
  });

  it('writes it to a file, which serve starts with', async () => {
    const file = at('mirror.json');
    const { code, stdout, stderr } = await mirror(ready.issuer, file);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe(`Wrote ${file}. To start it: grantbench serve --workspace ${file}\n`);
    const other = serve('--quiet', '--workspace', file);
    expect((await other.ready()).issuer).toMatch(/\/oauth2\/default$/);
  });

  it('fails with exit code 2 and the URL when a rule is broken, without writing a file', async () => {
    const file = at('none.json');
    const plain = await mirror('http://login.example', file);
    expect([plain.code, plain.stderr]).toEqual([
      2,
      'http://login.example must begin with https://, or http:// and a loopback address.\n',
    ]);
    const missing = await mirror(`${ready.issuer}/other`, file);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(
      /oauth-authorization-server\/oauth2\/default\/other responds with status 404/,
    );
    expect(() => readFileSync(file)).toThrow();
  });

  it('fails for a sample that is not a JWT, and for an invalid address', async () => {
    const token = at('sample.jwt');
    writeFileSync(token, 'opaque');
    const sample = await mirror(ready.issuer, '--token', token);
    expect(sample.code).toBe(2);
    expect(sample.stderr).toContain(`${token} is not a signed JWT`);
    const address = await mirror(ready.issuer, '--allow-address', 'localhost');
    expect(address.code).toBe(2);
    expect(address.stderr).toContain('It must be an IP address.');
  });
});
