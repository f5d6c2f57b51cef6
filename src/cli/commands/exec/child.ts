// The command as a child of this process: it inherits the streams, gets the signals, and its exit code is passed on. It
// is started without a shell; on Windows a .cmd or .bat (npm, npx) is only run by cmd.exe, and then its arguments must be
// quoted so that neither it nor the program reads more into them.

import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof SIGNALS)[number];

/** As shells have them. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

const signalCode = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** Signals from the start to the end, whether the command runs already or not. */
interface Signals {
  /** Passes them to the command from now on. */
  readonly passTo: (child: ChildProcess) => void;
  /** The command is over: another signal ends the rest at once. */
  readonly release: () => void;
}

/** Before the command runs, a signal ends all: nothing is left behind. */
export function catchSignals(): Signals {
  let passOn: ((signal: Signal) => void) | null = null;
  const take = (signal: Signal) => {
    if (passOn === null) process.exit(signalCode(signal));
    passOn(signal);
  };
  for (const signal of SIGNALS) process.on(signal, take);
  return {
    passTo: (child) => {
      passOn = (signal) => {
        // The terminal has sent it to the command already; after a second one it might not clean up.
        if (signal === 'SIGINT' && process.stdin.isTTY) return;
        child.kill(signal);
      };
      process.on('exit', () => child.kill('SIGKILL'));
    },
    release: () => {
      passOn = null;
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
  command: readonly [name: string, ...args: string[]],
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
      signals.passTo(child);
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

interface Spawnable {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly verbatim: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

function candidates(name: string, env: Environment): string[] {
  const endings = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const path = env['PATH'] ?? env['Path'] ?? '';
  const folders = /[\\/]/.test(name) ? [''] : ['', ...path.split(';').filter(Boolean)];
  const names = win32.extname(name) === '' ? endings.map((end) => name + end) : [name];
  return folders.flatMap((folder) =>
    names.map((each) => (folder ? win32.join(folder, each) : each)),
  );
}

const META = /([()\][%!^"`<>&|;, *?])/g;

/** Before a quote, each backslash is written twice. */
function withDoubledEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\\') end -= 1;
  return text + text.slice(end);
}

function quoted(text: string): string {
  const inQuotes = `"${text.split('"').map(withDoubledEnd).join('\\"')}"`;
  const escaped = inQuotes.replace(META, '^$1');
  // The batch file hands its arguments on to one more reading by cmd.exe.
  return escaped.replace(META, '^$1');
}

/** @param exists whether there is such a file */
export function windowsSpawnable(
  [name, ...args]: readonly [string, ...string[]],
  env: Environment,
  exists: (file: string) => boolean,
): Spawnable {
  const found = candidates(name, env).find(exists);
  if (found === undefined || !/\.(cmd|bat)$/i.test(found)) {
    return { file: found ?? name, args, verbatim: false };
  }
  const line = [found.replace(META, '^$1'), ...args.map(quoted)].join(' ');
  const file = env['ComSpec'] ?? env['COMSPEC'] ?? 'cmd.exe';
  return { file, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

export function spawnable(command: readonly [string, ...string[]]): Spawnable {
  if (process.platform === 'win32') return windowsSpawnable(command, process.env, existsSync);
  const [file, ...args] = command;
  return { file, args, verbatim: false };
}
