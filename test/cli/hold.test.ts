// `grantbench hold` prints what it holds and carries out decisions, its own and those of other commands.

import { spawn } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import { CLI, type CliProcess, type Ready, userData } from '../support/cli-process.ts';
import { DEMO, issueCode } from '../support/token-calls.ts';

const { start, serve } = cliFolder('hold', 'all');
let ready: Ready;
beforeAll(async () => {
  ready = await serve('--quiet').ready();
});

async function redeem(code: string): Promise<number> {
  const form = { grant_type: 'authorization_code', code, ...DEMO };
  const body = new URLSearchParams(form);
  return (await fetch(ready.token_endpoint, { method: 'POST', body })).status;
}

/** Whether the server holds exchanges: a request would otherwise pass before. */
async function holding(): Promise<CliProcess> {
  const follower = start(['hold', '--next']);
  await follower.stderr.line(/^Holding\./);
  return follower;
}

test('prints a held request with its outlook; another command answers it, and hold ends', async () => {
  const follower = await holding();
  const status = redeem('unknown');
  const line = await follower.stdout.line(/^#\d+ POST \/oauth\/token demo-app/);
  expect(line).toMatch(/would get 400 invalid_grant: \S/);
  const [, number = ''] = /^#(\d+)/.exec(line) ?? [];
  expect((await callCli(['holds'])).stdout).toContain('POST /oauth/token');
  const answered = await callCli(['holds', 'answer', number, '--reason', 'throttled']);
  expect(answered).toMatchObject({ code: 0, stderr: `Answered ${number}.\n` });
  expect(await status).toBe(429);
  expect(await follower.ended).toMatchObject({ code: 0 });
  expect(await callCli(['holds', 'drop', number])).toMatchObject({ code: 3 });
});

test('reads decisions from standard input', async () => {
  const child = spawn(process.execPath, [CLI, 'hold', '--next'], {
    env: { ...process.env, GRANTBENCH_USER_DATA: userData },
  });
  // It may end before the held request is answered here.
  const closed = new Promise((resolve) => child.once('close', resolve));
  let stderr = '';
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (text: Buffer) => {
      stderr += text.toString();
      if (stderr.includes('Holding.')) resolve();
    });
  });
  const status = redeem(await issueCode(ready));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.stdin.write('a nothing\n');
  child.stdin.write('r\n');
  expect(await status).toBe(200);
  expect(await closed).toBe(0);
  expect(stderr).toMatch(/reason must be a refusal/);
});

test('a reset ends it, which is no success', async () => {
  const follower = start(['hold']);
  await follower.stderr.line(/^Holding\./);
  await callCli(['reset']);
  await follower.stderr.line(/^Holding has ended: the sandbox was reset or stopped\.$/);
  expect(await follower.ended).toMatchObject({ code: 1 });
});

test.each([
  [['--release-after', '2h'], /a time of at most an hour/],
  [['--release-after', '0'], /a time of at most an hour/],
  [['--path', 'token'], /match\.path must begin with \//],
])('hold %j is rejected', async (flags, message) => {
  const { code, stderr } = await callCli(['hold', ...flags]);
  expect(code).toBeGreaterThan(1);
  expect(stderr).toMatch(message);
});
