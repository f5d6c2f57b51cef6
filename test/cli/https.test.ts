// `grantbench serve` over HTTPS: its flags, its output, and rejected input.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Tls } from '../../src/server/tls.ts';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import type { Ready } from '../support/cli-process.ts';
import { DEMO_ES256 } from '../support/demo-es256.ts';
import { callSecurely, makeAuthority, makeCertificate } from '../support/https.ts';
import { ask, exchangeBody, issueCode } from '../support/token-calls.ts';

const SERVE = ['serve', '--port', '0', '--control-port', '0'];

const { at, start: startCli } = cliFolder('https');

beforeEach(() => {
  writeFileSync(at('workspace.json'), JSON.stringify(DEMO_ES256));
});

/** Its data and workspace are in the folder of the test. */
const environment = (env: NodeJS.ProcessEnv) => ({
  GRANTBENCH_USER_DATA: at(),
  GRANTBENCH_WORKSPACE: at('workspace.json'),
  ...env,
});

const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  startCli([...SERVE, ...args], environment(env));

/** Calls it for what it refuses before it listens. */
const refuse = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  callCli([...SERVE, ...args], { env: environment(env) });

const secure = (...args: string[]) => start(['--json', '--https', ...args]);

function files({ cert, key }: Tls): [cert: string, key: string] {
  const names: [string, string] = [at('cert.pem'), at('key.pem')];
  writeFileSync(names[0], cert);
  writeFileSync(names[1], key);
  return names;
}

const certificateOf = ({ certificate = '' }: Ready) => readFileSync(certificate, 'utf8');

/** A whole exchange by a client that trusts only the given certificate. */
async function expectTokens(ready: Ready): Promise<void> {
  const answer = await callSecurely(ready.token_endpoint, certificateOf(ready), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: exchangeBody(await issueCode(ready)),
  });
  expect(answer.status).toBe(200);
}

describe('grantbench serve --https', () => {
  test('names an https issuer and the certificate in the ready line, and control stays http; --cert-out writes a copy that every user may read, replacing an existing file', async () => {
    const copy = at('for-apache.pem');
    writeFileSync(copy, 'former', { mode: 0o600 });
    const ready = await secure('--cert-out', copy).ready();
    const { issuer } = ready;
    expect(issuer).toMatch(/^https:\/\/localhost:\d+$/);
    expect(ready).toEqual({
      event: 'ready',
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      certificate: at('https', 'certificate.pem'),
      control: {
        url: expect.stringMatching(/^http:\/\/localhost:\d+$/) as string,
        token: expect.any(String) as string,
      },
    });
    expect(await ask(ready, 'GET', '/server')).toMatchObject({ state: 'running', issuer });
    await expectTokens(ready);
    expect(readFileSync(copy, 'utf8')).toBe(certificateOf(ready));
    if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o644);
  });

  test('generates the certificate once, reports it on stderr, and keeps it for the next start', async () => {
    const first = secure('--quiet');
    const made = certificateOf(await first.ready());
    first.child.kill('SIGTERM');
    expect((await first.ended).stderr).toMatch(/^Created a certificate for localhost[^\n]*$/);
    const second = secure('--quiet');
    const ready = await second.ready();
    expect(certificateOf(ready)).toBe(made);
    await expectTokens(ready);
    second.child.kill('SIGTERM');
    expect((await second.ended).stderr).toBe('');
  });

  test('--cert-out writes nothing into the folder of the key', async () => {
    const { code, stderr } = await refuse(['--https', '--cert-out', at('https', 'key.pem')]);
    expect(stderr).toMatch(/--cert-out .* must be outside .*https, which only its owner can read/);
    expect(code).toBe(2);
    expect(readFileSync(at('https', 'key.pem'), 'utf8')).toContain('PRIVATE KEY');
  });

  test('several servers that start at once agree on one certificate', async () => {
    const ready = await Promise.all([secure(), secure(), secure()].map((cli) => cli.ready()));
    for (const one of ready) await expectTokens(one);
  });

  test('prints how to trust the certificate, with GRANTBENCH_HTTPS=1 in place of the flag', async () => {
    const cli = start([], { GRANTBENCH_HTTPS: '1' });
    await cli.stdout.line(/^ {2}Browsers /);
    const text = cli.stdout.lines.join('\n');
    const file = at('https', 'certificate.pem');
    expect(text).toMatch(/Base URL +https:\/\/localhost:\d+$/m);
    expect(text).toMatch(/Workbench +http:\/\/localhost:\d+\/#token=/m);
    expect(text).toContain(`NODE_EXTRA_CA_CERTS=${file}`);
    expect(text).toContain(`curl --cacert ${file}`);
    expect(text).toContain(`SSL_CERT_FILE=${file}`);
    expect(text).toContain(`-file ${file} -keystore`);
  });

  test('a folder that cannot be used: exit 2, naming it', async () => {
    writeFileSync(at('https'), 'a file');
    const { code, stdout, stderr } = await refuse(['--json', '--https']);
    expect(stderr).toMatch(
      /^The certificate cannot be saved in [^\n]+GRANTBENCH_USER_DATA[^\n]+\.\n$/,
    );
    expect(stderr).toContain(at('https'));
    expect([code, stdout]).toEqual([2, '']);
  });

  test('an issuer under another name is served, with a hint that clients will reject it', async () => {
    const cli = secure('--issuer', 'https://sandbox.test');
    expect((await cli.ready()).issuer).toBe('https://sandbox.test');
    expect(await cli.stderr.line(/^The certificate is not valid for /)).toMatch(
      /sandbox\.test.*--issuer.*localhost/,
    );
  });

  test('warns about an http issuer in the workspace, which clients will reject', async () => {
    const settings = { ...DEMO_ES256.settings, issuer: 'http://localhost:4280' };
    writeFileSync(at('workspace.json'), JSON.stringify({ ...DEMO_ES256, settings }));
    const cli = secure();
    expect(await cli.stderr.line(/^Serving HTTPS, but /)).toMatch(
      /http:\/\/localhost:4280.*--issuer/,
    );
  });
});

describe('grantbench serve --cert --key', () => {
  test('implies HTTPS, and names the file given', async () => {
    const [cert, key] = files(await makeCertificate());
    const ready = await start(['--json', '--cert', cert, '--key', key]).ready();
    expect(ready.issuer).toMatch(/^https:/);
    expect(ready.certificate).toBe(cert);
    await expectTokens(ready);
  });

  test('may come from GRANTBENCH_CERT and GRANTBENCH_KEY; nothing is printed about trust when an authority signed the certificate', async () => {
    const authority = await makeAuthority();
    const [GRANTBENCH_CERT, GRANTBENCH_KEY] = files(await makeCertificate({ authority }));
    const cli = start([], { GRANTBENCH_CERT, GRANTBENCH_KEY });
    await cli.stdout.line(/Workspace/);
    cli.child.kill('SIGTERM');
    const { stdout } = await cli.ended;
    expect(stdout).toMatch(/Base URL +https:/);
    expect(stdout).not.toContain('trust');
  });

  test('a certificate that does not fit its key: exit 2 and one sentence with flag and rule', async () => {
    const { cert } = await makeCertificate();
    const [certFile, keyFile] = files({ cert, key: (await makeCertificate()).key });
    const refused = await refuse(['--json', '--cert', certFile, '--key', keyFile]);
    expect(refused.stderr).toMatch(
      /^--key \S+key\.pem must be the private key of the first certificate in --cert \S+cert\.pem[^\n]*\n$/,
    );
    expect(refused).toMatchObject({ code: 2, stdout: '' });
  });

  test('a missing file: exit 2, with the flag and the file', async () => {
    const [cert, key] = files(await makeCertificate());
    for (const [args, words] of [
      [['--cert', `${cert}x`, '--key', key], /^--cert .*cert\.pemx cannot be read: ENOENT/],
      [['--cert', cert, '--key', at()], /^--key .+ cannot be read: EISDIR/],
    ] as const) {
      const { code, stdout, stderr } = await refuse(['--json', ...args]);
      expect(stderr).toMatch(words);
      expect([code, stdout]).toEqual([2, '']);
    }
  });
});

test.each([
  [
    '--cert alone',
    ['--cert', 'c.pem'],
    {},
    /--cert and --key must be given together: --key <file> is/,
  ],
  [
    '--key alone',
    ['--key', 'k.pem'],
    {},
    /--cert and --key must be given together: --cert <file> is/,
  ],
  ['an empty file name', ['--cert', '', '--key', 'k'], {}, /must not be empty/],
  [
    'an http issuer over HTTPS',
    ['--https', '--issuer', 'http://a.test'],
    {},
    /--issuer must begin with https:\/\//,
  ],
  ['an invalid GRANTBENCH_HTTPS', [], { GRANTBENCH_HTTPS: 'maybe' }, /must be 1, 0 or empty/],
  ['--cert-out without --https', ['--cert-out', 'c.pem'], {}, /--cert-out needs --https without/],
  [
    '--cert-out over the file of --keep',
    ['--https', '--cert-out', 'k.json', '--keep', './k.json'],
    {},
    /--cert-out and --keep are both k\.json; they must differ/,
  ],
  [
    'a --cert-out whose folder is missing',
    ['--https', '--cert-out', join('missing', 'c.pem')],
    {},
    /--cert-out missing.c\.pem cannot be written: ENOENT/,
  ],
  [
    'a --cert-out that is a folder',
    ['--https', '--cert-out', tmpdir()],
    {},
    /cannot be written: EISDIR/,
  ],
  [
    'GRANTBENCH_CERT alone',
    [],
    { GRANTBENCH_CERT: 'c.pem' },
    /must be given together: --key <file>/,
  ],
])('rejects %s with exit 2', async (_name, args, env, words) => {
  const { code, stdout, stderr } = await refuse(args, env);
  expect(stderr).toMatch(words);
  expect([code, stdout]).toEqual([2, '']);
});
