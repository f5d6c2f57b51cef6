// One login by the command: started without a shell, ended with all that it started when its time is over.

import { type ChildProcess, spawn } from 'node:child_process';
import { spawnable } from '../exec/child.ts';

export interface LoginEnd {
  /** Unknown when it had to be ended. */
  readonly login: 'succeeded' | 'failed' | 'unknown';
  /** Why it could not be started; null when it was. */
  readonly problem: string | null;
}

export interface LoginOrder {
  readonly command: readonly [name: string, ...args: string[]];
  /** Added to this process's own. */
  readonly env: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** Whether its output goes to standard error; else it is dropped. */
  readonly shown: boolean;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

const isWindows = process.platform === 'win32';

/** Ends the command and what it started: as a group of its own, or by the tree of processes on Windows. */
function endTree({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  if (isWindows) {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}

const GRACE_MS = 3000;

/** Runs the command once, to its end or to the end of its time. */
export function runLogin({ command, env, seconds, shown, signal }: LoginOrder): Promise<LoginEnd> {
  const { file, args, verbatim } = spawnable(command);
  return new Promise((resolve) => {
    const output = shown ? 2 : 'ignore';
    const child = spawn(file, args, {
      stdio: ['ignore', output, output],
      env: { ...process.env, ...env },
      windowsVerbatimArguments: verbatim,
      detached: !isWindows,
    });
    let ended = false;
    let grace: NodeJS.Timeout | undefined;
    const stop = () => {
      if (ended) return;
      ended = true;
      endTree(child, 'SIGTERM');
      grace = setTimeout(() => {
        endTree(child, 'SIGKILL');
      }, GRACE_MS);
    };
    const timer = setTimeout(stop, seconds * 1000);
    const killAll = () => {
      endTree(child, 'SIGKILL');
    };
    process.on('exit', killAll);
    const finish = (end: LoginEnd) => {
      clearTimeout(timer);
      clearTimeout(grace);
      process.off('exit', killAll);
      signal.removeEventListener('abort', stop);
      resolve(end);
    };
    signal.addEventListener('abort', stop);
    child.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'was not found' : `cannot be started: ${error.message}`;
      finish({ login: 'unknown', problem: `The command ${command[0]} ${why}.` });
    });
    child.once('exit', (code) => {
      // What it started must not go on into the next case.
      endTree(child, 'SIGTERM');
      finish({ login: ended ? 'unknown' : code === 0 ? 'succeeded' : 'failed', problem: null });
    });
    if (signal.aborted) stop();
  });
}

/** Runs a line of the command line in its shell. @returns whether it ended with 0 within so many seconds */
export function runShell(
  line: string,
  env: Readonly<Record<string, string>>,
  seconds: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(line, {
      shell: true,
      timeout: seconds * 1000,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, ...env },
    });
    child.once('error', () => {
      resolve(false);
    });
    child.once('exit', (code) => {
      resolve(code === 0);
    });
  });
}
