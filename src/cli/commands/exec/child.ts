// The command as a child of this process: its streams are ours, signals are handed on, and so is its
// exit code.

import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { ExecOptions } from './options.ts';
import { spawnable } from './spawnable.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof SIGNALS)[number];

/** As shells have them. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

const signalCode = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** Signals from the start to the end, whether the command runs already or not. */
interface Signals {
  /** Hands them on to the command from now on. */
  readonly handTo: (child: ChildProcess) => void;
  /** The command is over: another signal ends the rest at once. */
  readonly release: () => void;
}

/** Before the command runs, a signal ends all: nothing is left behind. */
export function catchSignals(): Signals {
  let heir: ((signal: Signal) => void) | null = null;
  const take = (signal: Signal) => {
    if (heir === null) process.exit(signalCode(signal));
    heir(signal);
  };
  for (const signal of SIGNALS) process.on(signal, take);
  return {
    handTo: (child) => {
      heir = (signal) => {
        // The terminal has told the command itself; told twice, it might give up cleaning up.
        if (signal === 'SIGINT' && process.stdin.isTTY) return;
        child.kill(signal);
      };
      process.on('exit', () => child.kill('SIGKILL'));
    },
    release: () => {
      heir = null;
    },
  };
}

interface CommandEnd {
  readonly exit_code: number;
  /** Why it could not be started, or null. */
  readonly problem: string | null;
}

function notStarted(name: string, error: NodeJS.ErrnoException): CommandEnd {
  if (error.code === 'ENOENT') {
    const problem = `The command ${name} was not found. Check that it is installed and in PATH.`;
    return { exit_code: NOT_FOUND, problem };
  }
  const problem = `The command ${name} cannot be started: ${error.message}.`;
  return { exit_code: NOT_EXECUTABLE, problem };
}

/** Runs it to its end. @param env added to this process's own */
export function runCommand(
  command: ExecOptions['command'],
  env: Readonly<Record<string, string>>,
  signals: Signals,
): Promise<CommandEnd> {
  const { file, args, verbatim } = spawnable(command);
  return new Promise((resolve) => {
    const end = (ending: CommandEnd) => {
      signals.release();
      resolve(ending);
    };
    try {
      const child = spawn(file, args, {
        stdio: 'inherit',
        env: { ...process.env, ...env },
        windowsVerbatimArguments: verbatim,
      });
      signals.handTo(child);
      child.once('error', (error) => {
        end(notStarted(command[0], error));
      });
      child.once('exit', (code, signal) => {
        end({ exit_code: signal === null ? (code ?? 1) : signalCode(signal), problem: null });
      });
    } catch (error) {
      end(notStarted(command[0], error as NodeJS.ErrnoException));
    }
  });
}
