// How commands find a running instance and report a missing one; completion; invalid input without an instance.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { readdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { type AnyRouter, os } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import { CLI, stopCli } from '../support/cli-process.ts';
import { exchangeSummary } from '../support/exchanges.ts';
import { freePort } from '../support/free-port.ts';
import { ask, exchange } from '../support/token-calls.ts';

const SERVE = ['serve', '--port', '0', '--control-port', '0', '--json', '--quiet'];

const { at, start: startCli } = cliFolder('instances');

const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  startCli(args, { GRANTBENCH_USER_DATA: at(), ...env });

const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  callCli(args, { env: { GRANTBENCH_USER_DATA: at(), ...env } });

const portOf = (url: string) => new URL(url).port;

describe('finding an instance', () => {
  test('uses the newest instance on this machine, or the one named by port, issuer or control URL', async () => {
    const first = await start(SERVE).ready();
    const second = await start([...SERVE, '--issuer', 'http://sandbox.test']).ready();
    const asked = ['workspace', 'export', '--json'];
    const issuers = async (...flags: string[]) => {
      const { code, stdout } = await run(['code', '--json', ...flags]);
      expect(code).toBe(0);
      return (JSON.parse(stdout) as { redirect_to: string }).redirect_to;
    };
    const firstIs = `iss=${encodeURIComponent(first.issuer)}`;
    expect(await issuers()).toContain('iss=http%3A%2F%2Fsandbox.test');
    expect(await issuers('--port', portOf(first.issuer))).toContain(firstIs);
    expect(await issuers('--issuer', first.issuer)).toContain(firstIs);
    expect(await issuers('--issuer', `${first.issuer}/`)).toContain(firstIs);
    // The token of a local instance is known; the printed URL contains it, too.
    expect(await issuers('--control', first.control.url)).toContain(firstIs);
    const elsewhere = { GRANTBENCH_USER_DATA: at('nothing') };
    const printed = `${second.control.url}/#token=${second.control.token}`;
    expect(await run([...asked, '--control', printed], elsewhere)).toMatchObject({ code: 0 });
    const { url: GRANTBENCH_CONTROL, token: GRANTBENCH_CONTROL_TOKEN } = first.control;
    const env = { ...elsewhere, GRANTBENCH_CONTROL, GRANTBENCH_CONTROL_TOKEN };
    expect(await run(asked, env)).toMatchObject({ code: 0 });
    const none = await run([...asked, '--port', '1']);
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(
      /^No instance with port 1 is running on this machine\. Running: http:/,
    );
  });

  test('behaviour 15.1: finds an instance that was moved or has another issuer', async () => {
    const ready = await start(SERVE).ready();
    const { issuer } = ready;
    const former = portOf(issuer);
    const port = await freePort();
    await ask(ready, 'POST', '/server/start', { port });
    expect(await run(['clients', '--port', former])).toMatchObject({ code: 2 });
    expect(await run(['clients', '--port', String(port)])).toMatchObject({ code: 0 });
    await ask(ready, 'PATCH', '/settings', { issuer: 'http://login.test' });
    expect(await run(['clients', '--issuer', 'http://login.test'])).toMatchObject({ code: 0 });
    const { code, stderr } = await run(['clients', '--issuer', issuer]);
    expect(code).toBe(2);
    expect(stderr).toContain(`Running: http://login.test (port ${port}).`);
  });

  test('removes the entry of a killed instance, and reports in one line that none is running', async () => {
    const killed = start(SERVE);
    await killed.ready();
    expect(readdirSync(at('run'))).toHaveLength(1);
    await stopCli(killed);
    const { code, stdout, stderr } = await run(['clients']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^No instance of Grantbench on this machine can be reached\. [^\n]* turn on automation access [^\n]*\n$/,
    );
    expect(readdirSync(at('run'))).toEqual([]);
    const ended = start(SERVE);
    await ended.ready();
    ended.child.kill('SIGTERM');
    expect((await ended.ended).code).toBe(0);
    expect(readdirSync(at('run'))).toEqual([]);
  });

  test('reports a wrong or missing token, or another server, in one line with exit code 2', async () => {
    const { control, issuer } = await start(SERVE).ready();
    const elsewhere = at('nothing');
    const listAt = (GRANTBENCH_CONTROL: string, GRANTBENCH_CONTROL_TOKEN: string) =>
      run(['clients'], {
        GRANTBENCH_USER_DATA: elsewhere,
        GRANTBENCH_CONTROL,
        GRANTBENCH_CONTROL_TOKEN,
      });
    for (const [url, token, words] of [
      [control.url, 'another-token-than-it-has', /rejected the control token/],
      [control.url, '', /control token is missing/],
      [issuer, control.token, /has no control API\. .*not the issuer/],
      ['http://localhost:1', control.token, /No response from \S+ \(nothing listens on its port\)/],
      [
        control.url.replace('http:', 'https:'),
        control.token,
        /\(it does not use TLS, so use http:/,
      ],
      ['nonsense', control.token, /^nonsense is not the URL of a control server/],
      [new URL(control.url).host, control.token, /is not the URL of a control server/],
      [control.url, 'no subprotocol', /rejected the control token/],
    ] as const) {
      const { code, stdout, stderr } = await listAt(url, token);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(words);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });

  test('traffic --follow prints each new exchange, and ends quietly with its reader', async () => {
    const ready = await start(SERVE).ready();
    const follower = start(['traffic', '--follow', '--json']);
    // Printing the existing exchanges shows that it follows.
    await exchange(ready, 'before');
    await follower.stdout.line(/"number":1,/);
    await exchange(ready, 'after');
    await follower.stdout.line(/"number":2,.*invalid_grant/);
    follower.child.stdout?.destroy();
    await exchange(ready, 'unread');
    expect(await follower.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('traffic --follow prints an exchange that ends after a later one', async () => {
    const ready = await start(SERVE).ready();
    const { url, token } = ready.control;
    const effect = { kind: 'answer', status: 503 };
    const added = await fetch(`${url}/api/faults`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        when: 'instead',
        match: { path: '/userinfo' },
        delay_ms: 1500,
        effect,
      }),
    });
    expect(added.status).toBe(201);
    const follower = start(['traffic', '--follow', '--json']);
    await exchange(ready, 'before');
    await follower.stdout.line(/"number":1,/);
    const slow = fetch(`${ready.issuer}/userinfo`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await exchange(ready, 'later');
    await follower.stdout.line(/"number":3,/);
    await slow;
    await follower.stdout.line(/"number":2,.*"status":503/);
  });
});

/** Runs a command with a control server that has these operations only. */
async function runWith(router: AnyRouter, args: readonly string[]) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const handler = new RPCHandler(router);
  server.on('connection', (socket) => void handler.upgrade(socket));
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await run([...args, '--control', `${url}/#token=x`]);
  } finally {
    for (const socket of server.clients) socket.terminate();
    server.close();
  }
}

test('reports an instance of another version that lacks the operation', async () => {
  const { code, stdout, stderr } = await runWith({}, ['keys', 'list']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^http:\S+ is another version of /);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('traffic --follow says how many requests it missed, as in a gap of the feed', async () => {
  const batch = (first: number, last: number, requests: number, number: number) => ({
    sandbox: 'the same',
    first,
    last,
    totals: { requests },
    exchanges: [exchangeSummary({ number })],
  });
  const router = {
    exchanges: { list: os.handler(() => ({ items: [], next: null })) },
    events: os.handler(async function* () {
      yield batch(8, 9, 3, 3);
      yield batch(10, 12, 4, 4);
      yield batch(5000, 6000, 1204, 1204);
      yield { ...batch(6500, 6501, 1, 1), sandbox: 'after a reset' };
    }),
  };
  const { stdout, stderr } = await runWith(router, ['traffic', '--follow', '--json']);
  const numbers = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { number: number }).number);
  expect(numbers).toEqual([3, 4, 1204, 1]);
  const missed = 'Missed 1,199 requests: too many arrived at once.';
  expect(stderr).toMatch(`${missed} grantbench traffic --limit 1000 lists the newest.\n`);
  expect(stderr.match(/Missed/g)).toHaveLength(1);
});

describe('serve', () => {
  test('every flag has a variable, of which 0 and empty leave it out; a flag wins over it', async () => {
    const env = {
      GRANTBENCH_PORT: '0',
      GRANTBENCH_CONTROL_PORT: '0',
      GRANTBENCH_ISSUER: 'http://sandbox.test',
      GRANTBENCH_JSON: '1',
      GRANTBENCH_QUIET: 'true',
      GRANTBENCH_UI: '0',
      GRANTBENCH_HTTPS: '0',
      GRANTBENCH_HOST: '',
    };
    const ready = await start(['serve'], env).ready();
    expect(ready.issuer).toBe('http://sandbox.test');
    expect((await fetch(ready.control.url)).status).toBe(404);
    const other = await start(['serve', '--issuer', 'http://other.test'], env).ready();
    expect(other.issuer).toBe('http://other.test');
    // The variables that exec sets for its command must not configure another sandbox.
    const GRANTBENCH_TOKEN_ENDPOINT = 'http://sandbox.test/oauth/token';
    const inExec = await start(['serve'], { ...env, GRANTBENCH_TOKEN_ENDPOINT }).ready();
    expect(inExec.issuer).toMatch(/^http:\/\/localhost:\d+$/);
    const wrong = await run(['serve'], { GRANTBENCH_SAVE: 'perhaps' });
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/GRANTBENCH_SAVE must be 1, 0 or empty/);
  });

  test('the control server accepts --allow-host on --control-host, and no other foreign name', async () => {
    const hosts = ['--control-host', '0.0.0.0', '--allow-host', 'bench.test,build.test:99'];
    const { control } = await start([...SERVE, ...hosts]).ready();
    const { port } = new URL(control.url);
    const status = (Host: string, Origin?: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = {
          Host,
          Authorization: `Bearer ${control.token}`,
          ...(Origin === undefined ? {} : { Origin }),
        };
        request({ host: '127.0.0.1', port, path: '/api/server', headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await status(`bench.test:${port}`)).toBe(200);
    expect(await status('build.test:99', 'https://bench.test')).toBe(200);
    expect(await status('build.test:98')).toBe(403);
    // DNS rebinding: a foreign page whose name resolves to this machine.
    expect(await status(`rebound.test:${port}`)).toBe(403);
    expect(await status(`localhost:${port}`, 'http://rebound.test')).toBe(403);
    const bad = await run(['serve', '--allow-host', 'http://a.test']);
    expect(bad.stderr).toMatch(/names without scheme and path/);
  });
});

describe('misspelled words', () => {
  test.each([
    [['clcok'], /unknown command 'clcok'\n\(Did you mean clock\?\)/],
    [['clock', 'advnce', '2h'], /unknown command 'advnce'\n\(Did you mean advance\?\)/],
    [['traffic', '--folow'], /unknown option '--folow'\n\(Did you mean --follow\?\)/],
    [
      ['token', '--grant', 'implicit'],
      /Allowed choices are authorization_code, client_credentials/,
    ],
    [['clients', '--control', 'localhost:4281'], /It must be the URL that serve printed/],
  ])('%j: exit code 2, and the nearest known word', async (args, words) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(words);
  });
});

describe('completion', () => {
  const bash = spawnSync('bash', ['--version']).status === 0;
  const completionOf = async (shell: string) => (await callCli(['completion', shell])).stdout;

  test.runIf(bash)('bash completes commands, subcommands, flags and what a flag takes', () => {
    const script = `
eval "$("$1" "$2" completion bash)"
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _grantbench; echo "\${COMPREPLY[*]}"; }
try grantbench cl
try grantbench clock a
try grantbench serve --control-
try grantbench token --grant ''
try grantbench clients add --profile ''
try grantbench traffic --har CHANGEL
try grantbench run ''
try grantbench run --j`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, CLI], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([
      'clients clock client-checks',
      'advance',
      '--control-port --control-host',
      'authorization_code client_credentials token-exchange jwt-bearer password',
      'documented strict interop',
      'CHANGELOG.md',
      '',
      '--json',
      '',
    ]);
  });

  test.each(['zsh', 'fish'])(
    '%s parses its script without errors (if it is installed)',
    async (shell) => {
      const script = await completionOf(shell);
      expect(script).toContain('grantbench');
      expect(script).toContain('clock/advance');
      if (spawnSync(shell, ['--version']).status !== 0) return;
      const checked = spawnSync(shell, ['-n', '-c', script], { encoding: 'utf8' });
      expect(checked).toMatchObject({ status: 0, stderr: '' });
    },
  );

  test('the script for PowerShell is ASCII, for all versions, and quotes its content', async () => {
    const script = await completionOf('powershell');
    expect(script).toMatch(/^[\n\x20-\x7e]+$/);
    expect(script).toContain("'clock/advance'");
    expect(script).toContain("& $offer '--control-port' ");
    for (const line of script.split('\n')) {
      expect(line.replaceAll("''", '').split("'").length % 2).toBe(1);
    }
  });

  const powershell = ['pwsh', 'powershell'].find(
    (name) => spawnSync(name, ['-NoProfile', '-Command', '1']).status === 0,
  );

  test.runIf(powershell !== undefined)(
    'PowerShell completes commands, subcommands, flags and what a flag takes',
    async () => {
      const lines = [
        'grantbench cl',
        'grantbench clock a',
        'grantbench serve --control-',
        'grantbench token --grant ',
        'grantbench traffic --har CHANGEL',
      ];
      const file = at('completion.ps1');
      writeFileSync(
        file,
        `${await completionOf('powershell')}
foreach ($line in ${lines.map((line) => `'${line}'`).join(', ')}) {
  (TabExpansion2 -inputScript $line -cursorColumn $line.Length).CompletionMatches.CompletionText -join ' '
}`,
      );
      const args = ['-NoProfile', '-ExecutionPolicy', 'Bypass', '-File', file];
      const { stdout, stderr } = spawnSync(powershell ?? '', args, { encoding: 'utf8' });
      expect(stderr).toBe('');
      expect(stdout.trim().split(/\r?\n/)).toEqual([
        'clients clock client-checks',
        'advance',
        '--control-port --control-host',
        'authorization_code client_credentials',
        expect.stringMatching(/CHANGELOG\.md$/),
      ]);
    },
  );
});
