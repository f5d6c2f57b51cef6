import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import { startSlowRequest, untilRefused } from '../support/slow-request.ts';
import { takenPort } from '../support/taken-port.ts';
import { ask, DEMO, exchange, exchangeBody, issueCode, refresh } from '../support/token-calls.ts';

const { at, start, serve } = cliFolder('cli');

/** Calls it in this process, for what it refuses before it listens. */
const refuse = (...args: string[]) =>
  callCli(['serve', '--port', '0', '--control-port', '0', '--json', ...args]);
const portOf = (url: string) => Number(new URL(url).port);

function workspaceFile(content: unknown): string {
  const file = at('workspace.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

describe('grantbench serve', () => {
  test('--shape imitates a provider from the start, and an unknown shape is a usage error', async () => {
    const { issuer } = await serve('--shape', 'okta').ready();
    expect(new URL(issuer).pathname).toBe('/oauth2/default');
    const found = await fetch(`${issuer}/.well-known/openid-configuration`);
    expect(await found.json()).toMatchObject({ issuer, token_endpoint: `${issuer}/v1/token` });

    const { code, stderr } = await refuse('--shape', 'unheard');
    expect(code).toBe(2);
    expect(stderr).toContain('auth0, okta, entra, keycloak');
  });

  test('the bundle rejects escapes that are not UTF-8, although a bundler could consider the check redundant', async () => {
    const { token_endpoint } = await serve().ready();
    const answer = await fetch(token_endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&refresh_token=%ff',
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      error: 'invalid_request',
      error_description: 'the request body must be valid UTF-8',
    });
  });

  test('prints all addresses in one JSON line, and nothing else to stdout', async () => {
    const cli = serve();
    const ready = await cli.ready();
    const { issuer } = ready;
    expect(issuer).toMatch(/^http:\/\/localhost:\d+$/);
    expect(ready).toEqual({
      event: 'ready',
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      control: {
        url: expect.stringMatching(/^http:\/\/localhost:\d+$/) as string,
        token: expect.stringMatching(/^[\w-]{22,}$/) as string,
      },
    });
    expect((await exchange(ready, await issueCode(ready))).status).toBe(200);
    await cli.stderr.line(/ 200 /);
    cli.child.kill('SIGTERM');
    const { code, stdout } = await cli.ended;
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(1);
  });

  test('prints the addresses, the workbench with its token in the fragment, and the workspace', async () => {
    const cli = start(['serve', '--port', '0', '--control-port', '0']);
    await cli.stdout.line(/^ {2}Workspace +Demo \(in memory; changes are not saved\)$/);
    const text = cli.stdout.lines.join('\n');
    expect(text).toMatch(/Base URL +http:\/\/localhost:\d+$/m);
    expect(text).toMatch(/Token endpoint +http:\/\/localhost:\d+\/oauth\/token$/m);
    expect(text).toMatch(/Workbench +http:\/\/localhost:\d+\/#token=[\w-]{22,}$/m);
  });

  test('serves the page without a token, and the control API only with one', async () => {
    const { control } = await serve().ready();
    const page = await fetch(control.url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="root">');
    expect((await fetch(`${control.url}/api/server`)).status).toBe(401);
  });

  test('prints each exchange with its cause on stderr, without secrets', async () => {
    const cli = serve();
    const ready = await cli.ready();
    const code = await issueCode(ready);
    const tokens = (await (await exchange(ready, code)).json()) as Record<string, string>;
    await refresh(ready, tokens['refresh_token'] ?? '');
    await exchange(ready, code);
    await fetch(`${ready.token_endpoint}?client_secret=${DEMO.client_secret}`, { method: 'POST' });
    const refused = await cli.stderr.line(/ 400 authorization_code /);
    expect(refused).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3}Z #\d+ POST \/oauth\/token 400 authorization_code demo-app invalid_grant: \S.+/,
    );
    await cli.stderr.line(/ 200 refresh_token demo-app/);
    await cli.stderr.line(/ POST \/oauth\/token\?… 400 - - invalid_request: /);
    const reported = cli.stderr.lines.join('\n');
    const secrets = [DEMO.client_secret, code, tokens['access_token'], tokens['refresh_token']];
    for (const secret of secrets) expect(reported).not.toContain(secret);
  });

  test('--quiet prints no exchanges, and --no-ui serves no page', async () => {
    const cli = serve('--quiet', '--no-ui');
    const ready = await cli.ready();
    await exchange(ready, 'unknown');
    expect((await fetch(ready.control.url)).status).toBe(404);
    expect(await ask(ready, 'GET', '/server')).toMatchObject({ state: 'running' });
    cli.child.kill('SIGTERM');
    expect((await cli.ended).stderr).toBe('');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s completes a request in flight and ends with 0',
    async (signal) => {
      const cli = serve();
      const ready = await cli.ready();
      const port = portOf(ready.issuer);
      const request = await startSlowRequest(port, exchangeBody(await issueCode(ready)));
      cli.child.kill(signal);
      await untilRefused(port);
      expect(await request.finish()).toMatch(/^HTTP\/1\.1 200 [\s\S]*"access_token"/);
      expect(await cli.ended).toMatchObject({ code: 0, signal: null });
    },
  );

  test('a second signal ends it immediately, despite requests in flight', async () => {
    const cli = serve();
    const port = portOf((await cli.ready()).issuer);
    await startSlowRequest(port, exchangeBody('never-sent'));
    cli.child.kill('SIGTERM');
    await untilRefused(port);
    cli.child.kill('SIGTERM');
    expect((await cli.ended).code).toBe(143);
  });

  test('continues when the reader of its output ends', async () => {
    const cli = serve();
    const ready = await cli.ready();
    cli.child.stdout?.destroy();
    cli.child.stderr?.destroy();
    await exchange(ready, 'unknown');
    expect((await exchange(ready, await issueCode(ready))).status).toBe(200);
    cli.child.kill('SIGTERM');
    expect((await cli.ended).code).toBe(0);
  });

  test('ends quietly without a reader of its first line', async () => {
    const cli = start(['serve', '--port', '0', '--control-port', '0']);
    cli.child.stdout?.destroy();
    expect(await cli.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test.each(['--port', '--control-port'])(
    '%s in use: exit 2, the port, what to do and a free one',
    async (flag) => {
      const port = await takenPort();
      const cli = serve(flag, String(port));
      const { code, stdout, stderr } = await cli.ended;
      expect(code).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toMatch(
        new RegExp(`^Port ${port} is in use\\..*another port, such as (\\d+) .*${flag}`),
      );
      const free = Number(/such as (\d+)/.exec(stderr)?.[1]);
      expect((await serve(flag, String(free)).ready()).event).toBe('ready');
    },
  );

  test.each(['--host', '--control-host'])(
    '%s of another machine: exit 2, with the address and both flags',
    async (flag) => {
      const { code, stdout, stderr } = await refuse(flag, '192.0.2.1');
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/192\.0\.2\.1\. Choose a host .* \(--host, --control-host\)\.\n$/);
    },
  );

  test('an invalid workspace: exit 2 with the path of each invalid field, and the file stays unchanged', async () => {
    const content = {
      version: 1,
      settings: { throttle: { limit: 0 } },
      clients: [{ client_id: '' }],
      extra: 1,
    };
    const file = workspaceFile(content);
    const { code, stdout, stderr } = await refuse('--workspace', file, '--save');
    expect(code).toBe(2);
    expect(stdout).toBe('');
    for (const path of ['settings.throttle.limit', 'clients[0].client_id', 'extra']) {
      expect(stderr).toContain(`  ${path} `);
    }
    expect(stderr).toContain(`Cannot use the file ${file}. It was not changed.`);
    expect(readFileSync(file, 'utf8')).toBe(JSON.stringify(content));
  });

  test('writes the workspace only with --save', async () => {
    const file = workspaceFile({ version: 1, name: 'Team' });
    const before = readFileSync(file, 'utf8');
    for (const args of [[], ['--save']]) {
      const cli = serve('--workspace', file, ...args);
      await ask(await cli.ready(), 'POST', '/users', { sub: 'grace' });
      cli.child.kill('SIGTERM');
      expect((await cli.ended).code).toBe(0);
      if (args.length === 0) expect(readFileSync(file, 'utf8')).toBe(before);
    }
    expect(readFileSync(file, 'utf8')).toContain('"grace"');
  });

  test('--issuer is used everywhere, and the endpoints are below its path', async () => {
    const cli = serve('--issuer', 'http://sandbox.test/tenant');
    const ready = await cli.ready();
    expect(ready.issuer).toBe('http://sandbox.test/tenant');
    expect(ready.token_endpoint).toBe('http://sandbox.test/tenant/oauth/token');
  });

  test('a wider --host keeps the issuer at localhost and reports it', async () => {
    const cli = serve('--host', '0.0.0.0');
    const hint = await cli.stderr.line(/--issuer/);
    expect(hint).toMatch(/0\.0\.0\.0.*http:\/\/localhost:\d+/);
  });
});
