// `serve --keep`: access tokens survive a restart of the process, revoked tokens stay revoked.

import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import type { CliProcess, Ready } from '../support/cli-process.ts';
import { ask, DEMO } from '../support/token-calls.ts';

const ISSUER = 'http://sandbox.test';
const SERVE = ['serve', '--port', '0', '--control-port', '0', '--json', '--quiet'];

const { at, start } = cliFolder('keep');

const serve = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  start([...SERVE, '--issuer', ISSUER, ...args], env);

async function end(cli: CliProcess): Promise<void> {
  cli.child.kill('SIGTERM');
  expect(await cli.ended).toMatchObject({ code: 0, stderr: '' });
}

const mint = async (ready: Ready) =>
  ask<{ access_token: string; lineage_id: string }>(ready, 'POST', '/tokens', {
    client_id: DEMO.client_id,
  });

async function isActive(ready: Ready, token: string): Promise<unknown> {
  const { port } = await ask<{ port: number }>(ready, 'GET', '/server');
  const { client_id, client_secret } = DEMO;
  const answer = await fetch(`http://127.0.0.1:${port}/oauth/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, token }),
  });
  return ((await answer.json()) as { active: unknown }).active;
}

describe('grantbench serve --keep', () => {
  test('behaviour 2, 2.9: an active access token stays active after a restart and a revoked one revoked, with the flag or GRANTBENCH_KEEP; without either, none is active', async () => {
    const file = at('kept', 'tokens.json');
    const first = serve(['--keep', file]);
    const before = await first.ready();
    const [good, revoked] = [await mint(before), await mint(before)];
    await ask(before, 'POST', `/lineages/${revoked.lineage_id}/revoke`);
    await end(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const seen = async (ready: Ready) => [
      await isActive(ready, good.access_token),
      await isActive(ready, revoked.access_token),
    ];
    const second = serve([], { GRANTBENCH_KEEP: file });
    expect(await seen(await second.ready())).toEqual([true, false]);
    await end(second);
    expect(await seen(await serve([]).ready())).toEqual([false, false]);
  });

  test('a random port causes a hint, because it changes the issuer at each start', async () => {
    const cli = start([...SERVE, '--keep', at('tokens.json')]);
    expect(await cli.stderr.line(/are kept in/)).toMatch(/Set --port or --issuer\.$/);
  });

  test.each([
    ['the workspace itself', ['--keep', 'a.json', '--workspace', './a.json'], /must differ/],
    ['an empty name', ['--keep', ''], /must not be empty/],
  ])('rejects %s with exit 2', async (_name, args, words) => {
    const { code, stderr } = await callCli([...SERVE, ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });
});
