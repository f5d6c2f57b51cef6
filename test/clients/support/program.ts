// Runs a program that contains the settings of a library in its own process.

import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished, vi } from 'vitest';

const execute = promisify(execFile);

/** Below the node_modules of this suite, so that Node finds its packages. */
const PROGRAMS = join(import.meta.dirname, '..', 'node_modules', '.programs');

export type Files = Readonly<Record<string, string>>;

/** A folder with these files, removed after the test. */
export function folderOf(files: Files): string {
  mkdirSync(PROGRAMS, { recursive: true });
  const folder = mkdtempSync(join(PROGRAMS, 'program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** The environment without proxies, so that requests reach this machine directly. */
const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name))),
  ...more,
});

/** Runs the command to its end. @returns its last line, parsed as JSON */
export async function resultOf(
  files: Files,
  [command, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
): Promise<unknown> {
  const { stdout } = await execute(command, args, {
    cwd: folderOf(files),
    env: environment(env),
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

interface ServerOrder {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Rejects until the server listens. */
  readonly listens: () => Promise<unknown>;
}

/** Starts a server and waits until it listens. It is killed after the test. */
export async function serve(
  command: string,
  args: readonly string[],
  { cwd, env, listens }: ServerOrder,
): Promise<void> {
  const child = spawn(command, args, {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const failed = ended.then(() => {
    throw new Error(`${command} ended before it listened`);
  });
  failed.catch(() => undefined);
  await Promise.race([vi.waitFor(listens, { timeout: 30_000 }), failed]);
}
