// The machine that the package is installed on: an ordinary user and a display, both removed after the tests, whatever
// their result.

import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const USER = `grantbench-${process.pid}`;
const HOME = join('/home', USER);
/** The PATH that a desktop gives a program, independent of this process. */
const PATH = '/usr/local/bin:/usr/bin:/bin';

export interface Started {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** The first matching line of either stream, past or future; rejects when both end without one. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<{ readonly code: number | null; readonly text: string }>;
}

/** Follows both streams of a program as one. */
function follow(child: ChildProcess): Started {
  const lines: string[] = [];
  let hear = () => {};
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null)
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        hear();
      });
  const ended = new Promise<{ code: number | null; text: string }>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, text: lines.join('\n') });
    });
  });
  const find = (pattern: RegExp) =>
    lines.map((line) => pattern.exec(line)).find((match) => match !== null);
  const line = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = find(pattern);
        if (match) resolve(match);
      };
      const before = hear;
      hear = () => {
        before();
        look();
      };
      look();
      void ended.then(({ text }) => {
        reject(new Error(`It ended without ${String(pattern)}:\n${text}`));
      });
    });
  return { child, lines, line, ended };
}

export interface Machine {
  readonly home: string;
  /** Runs a program as the user. @param env added to a minimal environment */
  readonly start: (command: readonly string[], env?: NodeJS.ProcessEnv) => Started;
  /** Runs a command to its end. @returns its output @throws when it fails */
  readonly run: (command: readonly string[], env?: NodeJS.ProcessEnv) => string;
  /** The environment of a session on the display, without D-Bus. */
  readonly session: NodeJS.ProcessEnv;
  readonly remove: () => void;
}

const environment = (env: NodeJS.ProcessEnv) => ({ PATH, HOME, USER, LANG: 'C.UTF-8', ...env });

export interface Display {
  readonly child: ChildProcess;
  readonly name: string;
}

/** Starts a display server, which picks a free display and prints its name. */
export async function startDisplay(): Promise<Display> {
  const args = ['-displayfd', '1', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'];
  const child = spawn('Xvfb', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [number] = await follow(child).line(/^\d+$/);
  return { child, name: `:${number}` };
}

/** Kills the user's remaining processes and removes the user. */
function removeUser(): void {
  spawnSync('pkill', ['-KILL', '-u', USER]);
  // Forced, because a process killed a moment ago may still be listed.
  spawnSync('userdel', ['--force', '--remove', USER]);
  if (existsSync(HOME)) throw new Error(`${HOME} could not be removed`);
}

const idOf = (flag: string) => Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }));

function machineWith(display: Display): Machine {
  const ids = { uid: idOf('-u'), gid: idOf('-g') };
  const options = (env: NodeJS.ProcessEnv) => ({
    ...ids,
    cwd: HOME,
    env: environment(env),
    stdio: ['ignore' as const, 'pipe' as const, 'pipe' as const],
  });
  return {
    home: HOME,
    session: { DISPLAY: display.name },
    start: ([file = '', ...args], env = {}) => follow(spawn(file, args, options(env))),
    run: ([file = '', ...args], env = {}) =>
      execFileSync(file, args, { ...options(env), encoding: 'utf8' }),
    remove: () => {
      display.child.kill();
      removeUser();
    },
  };
}

export async function createMachine(): Promise<Machine> {
  execFileSync('useradd', ['--create-home', '--home-dir', HOME, '--shell', '/bin/sh', USER]);
  try {
    return machineWith(await startDisplay());
  } catch (error) {
    removeUser();
    throw error;
  }
}

/** The command of a desktop entry, with the file in place of its field code. */
export function desktopCommand(entry: string, file: string | null): string[] {
  const [, exec = ''] = /^Exec=(.+)$/m.exec(readFileSync(entry, 'utf8')) ?? [];
  return exec
    .split(' ')
    .flatMap((part) => (part === '%f' ? (file === null ? [] : [file]) : [part]));
}
