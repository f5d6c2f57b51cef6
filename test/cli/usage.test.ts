import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { expect, test } from 'vitest';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import { startCli } from '../support/cli-process.ts';

const { at } = cliFolder('usage');

const manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

test('--version prints the version alone', async () => {
  expect(await startCli(['--version']).ended).toMatchObject({
    code: 0,
    stdout: manifest.version,
    stderr: '',
  });
});

test.each([[['--help']], [['serve', '--help']]])(
  '%j explains with examples and ends with 0',
  async (args) => {
    const { code, stdout, stderr } = await callCli(args);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toContain('grantbench serve');
    expect(stdout).toContain('--json');
  },
);

test('--help after a workspace file lists every command, too', async () => {
  const { code, stdout } = await callCli(['shop.grantbench.json', '--help']);
  expect([code, stdout]).toEqual([0, (await callCli(['--help'])).stdout]);
});

test.each([
  [
    'an unknown flag, with the nearest one',
    ['serve', '--prot', '1'],
    /unknown option '--prot'[\s\S]*--port/,
  ],
  ['an unknown flag without command', ['--nonsense'], /unknown option '--nonsense'/],
  ['an unknown command, with the nearest one', ['serv'], /unknown command 'serv'[\s\S]*serve/],
  ['an extra argument', ['serve', 'now'], /too many arguments/],
  ['a port beyond the range', ['serve', '--port', '65536'], /whole number from 0 to 65535/],
  [
    'a port that is not a number',
    ['serve', '--control-port', '42a'],
    /whole number from 0 to 65535/,
  ],
  ['a port without value', ['serve', '--port'], /argument missing/],
  ['one port for two', ['serve', '--port', '5000', '--control-port', '5000'], /must differ/],
  ['--save without a file', ['serve', '--save'], /--save needs --workspace/],
  ['--open without the page', ['serve', '--open', '--no-ui'], /--open has no effect without the/],
  [
    'two addresses of an instance',
    ['clock', '--control', 'http://a:1', '--port', '2'],
    /cannot be/,
  ],
  ['two formats', ['mistakes', '--json', '--tap'], /'--tap' cannot be used with option '--json'/],
  ['a user beside a username', ['token', '--username', 'a', '--user', 'b'], /cannot be used with/],
  [
    'a flag of another grant',
    ['token', '--grant', 'client_credentials', '--user', 'ada'],
    /--user has no effect with --grant client_credentials\./,
  ],
  ['a flag of no default grant', ['token', '--assertion', 'x'], /--assertion has no effect with/],
  ['an issuer with a query', ['serve', '--issuer', 'http://a.test/?a'], /without query, fragment/],
  ['an issuer of another scheme', ['serve', '--issuer', 'ftp://a.test'], /http or https/],
  ['a host with a scheme', ['serve', '--host', 'http://0.0.0.0'], /without scheme and port/],
])('rejects %s with exit 2', async (_name, args, words) => {
  const { code, stdout, stderr } = await callCli(args);
  expect(stderr).toMatch(words);
  expect(code).toBe(2);
  expect(stdout).toBe('');
});

test('rejects a guessable control token with exit 2', async () => {
  const env = { GRANTBENCH_CONTROL_TOKEN: 'secret' };
  const { code, stderr } = await callCli(['serve'], { env });
  expect(code).toBe(2);
  expect(stderr).toMatch(/GRANTBENCH_CONTROL_TOKEN must be random: 22 to 200/);
});

// Node 20 cannot keep compiled code.
test.runIf('enableCompileCache' in module)(
  'keeps compiled code where only its user can write, and runs where none can be kept',
  async () => {
    const version = (GRANTBENCH_USER_DATA: string) =>
      startCli(['--version'], { GRANTBENCH_USER_DATA }).ended;
    expect(await version(at('data'))).toMatchObject({ code: 0, stderr: '' });
    const kept = at('data', 'compile-cache');
    expect(readdirSync(kept, { recursive: true }).length).toBeGreaterThan(1);
    if (process.platform !== 'win32') expect(statSync(kept).mode & 0o777).toBe(0o700);

    writeFileSync(at('file'), '');
    expect(await version(at('file'))).toMatchObject({ code: 0, stderr: '' });
  },
);
