// A program around the settings of a library, in a process of its own.

import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished, vi } from 'vitest';

const execute = promisify(execFile);

/** Below the packages of this suite, so that Node finds them. */
const PROGRAMS = join(import.meta.dirname, '..', 'node_modules', '.programs');

export type Files = Readonly<Record<string, string>>;

/** A folder with these files, until the test is over. */
export function folderOf(files: Files): string {
  mkdirSync(PROGRAMS, { recursive: true });
  const folder = mkdtempSync(join(PROGRAMS, 'program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** To this machine straight, whatever proxy there is. */
const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name))),
  ...more,
});

/** Runs it to its end. @returns what it prints last, as JSON */
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
  /** Fails until it listens. */
  readonly listens: () => Promise<unknown>;
}

/** Starts a server and waits until it listens. It ends with the test. */
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
