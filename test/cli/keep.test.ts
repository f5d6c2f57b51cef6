// `serve --keep`: access tokens survive a restart of the process, revoked tokens stay revoked.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
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

/** Whether a valid and a revoked token of one run are active in the next one. */
async function seenAfterRestart(args: readonly string[], env?: NodeJS.ProcessEnv) {
  const first = serve(args, env);
  const before = await first.ready();
  const [good, revoked] = [await mint(before), await mint(before)];
  await ask(before, 'POST', `/lineages/${revoked.lineage_id}/revoke`);
  await end(first);
  const after = await serve(args, env).ready();
  return [await isActive(after, good.access_token), await isActive(after, revoked.access_token)];
}

describe('grantbench serve --keep', () => {
  test('behaviour 2: an active access token stays active after a restart, a revoked one stays revoked', async () => {
    const file = at('kept', 'tokens.json');
    expect(await seenAfterRestart(['--keep', file])).toEqual([true, false]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('behaviour 2: GRANTBENCH_KEEP replaces the flag', async () => {
    const env = { GRANTBENCH_KEEP: at('tokens.json') };
    expect(await seenAfterRestart([], env)).toEqual([true, false]);
  });

  test('behaviour 2.9: without the flag every token is inactive after a restart', async () => {
    expect(await seenAfterRestart([])).toEqual([false, false]);
  });

  test('a random port causes a hint, because it changes the issuer at each start', async () => {
    const args = ['--keep', at('tokens.json')];
    const cli = start([...SERVE, ...args]);
    expect(await cli.stderr.line(/are kept in/)).toMatch(/Set --port or --issuer\.$/);
    const fixed = serve(args);
    await fixed.ready();
    await end(fixed);
  });

  test('an invalid file: exit 2 with its path and the problem, and it stays unchanged', async () => {
    const file = at('tokens.json');
    writeFileSync(file, '{"version": 1, "keys": 7}');
    const { code, stdout, stderr } = await serve(['--keep', file]).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`Cannot use the file ${file}. It was not changed.`);
    expect(stderr).toContain('  keys must be an array');
    expect(readFileSync(file, 'utf8')).toBe('{"version": 1, "keys": 7}');
  });

  test.each([
    ['the workspace itself', ['--keep', 'a.json', '--workspace', './a.json'], /must differ/],
    ['an empty name', ['--keep', ''], /must not be empty/],
  ])('rejects %s with exit 2', async (_name, args, words) => {
    const { code, stderr } = await serve(args).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });
});
