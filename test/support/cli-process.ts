// The built command line as a process: its output lines, its end and its exit code.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** GRANTBENCH_TEST_CLI selects another build. */
export const CLI =
  process.env['GRANTBENCH_TEST_CLI'] ??
  fileURLToPath(new URL('../../out/node/cli.cjs', import.meta.url));

/** Private to the tests of this process, so that their instances do not appear among the user's. */
export const userData = mkdtempSync(join(tmpdir(), 'grantbench-data-'));
process.on('exit', () => {
  rmSync(userData, { recursive: true, force: true });
});
// Vitest ends its workers with this signal, which does not run exit handlers.
process.once('SIGTERM', () => process.exit());

export interface Ready {
  readonly event: string;
  readonly issuer: string;
  readonly token_endpoint: string;
  /** Over HTTPS. */
  readonly certificate?: string;
  readonly control: { readonly url: string; readonly token: string };
}

export interface Output {
  readonly lines: readonly string[];
  /** The first matching line, past or future; rejects when the stream ends without one. */
  line(pattern: RegExp): Promise<string>;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliProcess {
  readonly child: ChildProcess;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly ended: Promise<Ending>;
  /** The ready event of `serve --json`. */
  ready(): Promise<Ready>;
}

function follow(stream: Readable, name: string): Output {
  const lines: string[] = [];
  const waiting = new Set<{
    pattern: RegExp;
    take: (line: string) => void;
    fail: (why: Error) => void;
  }>();
  let over = false;
  const without = (pattern: RegExp) =>
    new Error(`${name} ended without ${String(pattern)}:\n${lines.join('\n')}`);
  createInterface({ input: stream })
    .on('line', (line) => {
      lines.push(line);
      for (const one of waiting) if (one.pattern.test(line)) one.take(line);
    })
    .on('close', () => {
      over = true;
      for (const one of waiting) one.fail(without(one.pattern));
    });
  function line(pattern: RegExp): Promise<string> {
    const past = lines.find((text) => pattern.test(text));
    if (past !== undefined) return Promise.resolve(past);
    if (over) return Promise.reject(without(pattern));
    return new Promise((take, fail) => waiting.add({ pattern, take, fail }));
  }
  return { lines, line };
}

const alive = new Set<ChildProcess>();
process.on('exit', () => alive.forEach((child) => child.kill('SIGKILL')));

/** `env` is added to this process's; a value of undefined removes a name. */
export function startCli(args: readonly string[], env: NodeJS.ProcessEnv = {}): CliProcess {
  if (!existsSync(CLI)) throw new Error('There is no build to test: run `npm run build` first.');
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, GRANTBENCH_USER_DATA: userData, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  alive.add(child);
  const stdout = follow(child.stdout, 'stdout');
  const stderr = follow(child.stderr, 'stderr');
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      alive.delete(child);
      resolve({ code, signal, stdout: stdout.lines.join('\n'), stderr: stderr.lines.join('\n') });
    });
  });
  const ready = async () => JSON.parse(await stdout.line(/^\{"event":"ready"/)) as Ready;
  return { child, stdout, stderr, ended, ready };
}

/** Headless on free ports. */
export function startServe(...args: string[]): CliProcess {
  return startCli(['serve', '--port', '0', '--control-port', '0', '--json', ...args]);
}

/** Ends the process in any state. */
export async function stopCli(cli: CliProcess): Promise<void> {
  if (cli.child.exitCode === null && cli.child.signalCode === null) cli.child.kill('SIGKILL');
  await cli.ended;
}
