// Runs a command of the command line inside the test process, which takes a tenth of the time of a process. Commands run
// one after another; those that end by a signal, or whose child processes print, need `runCli`.

import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { failureOf } from '../../src/cli/command-error.ts';
import { runCommand } from '../../src/cli/program.ts';
import { userData } from './cli-process.ts';
import type { Ran } from './run-cli.ts';

const BUILD = { app: '', page: '', version: '0.0.0-test' };

/** Thrown by `process.exit` instead of ending the process. */
class Exit extends Error {
  readonly code: number;
  constructor(code: number) {
    super('The command has ended.');
    this.code = code;
  }
}

/** As src/cli/main.ts does. */
async function exitCodeOf(args: readonly string[]): Promise<number> {
  try {
    await runCommand(['node', 'grantbench', ...args], BUILD);
    return takeExitCode();
  } catch (error) {
    if (error instanceof Exit) return error.code;
    const { text, exit_code } = await failureOf(error);
    process.stderr.write(`${text}\n`);
    return exit_code;
  }
}

/** It would become that of the test process. */
function takeExitCode(): number {
  const { exitCode = 0 } = process;
  process.exitCode = undefined;
  return Number(exitCode);
}

/** Takes what is written instead of the stream. Returns it, and leaves the stream as it was. */
function capture(stream: NodeJS.WriteStream): () => string {
  let text = '';
  const listeners = stream.listeners('error');
  const spy = vi.spyOn(stream, 'write').mockImplementation((chunk, ...rest) => {
    text += String(chunk);
    const written = rest.at(-1) as (() => void) | string | undefined;
    if (typeof written === 'function') written();
    return true;
  });
  return () => {
    spy.mockRestore();
    stream.removeAllListeners('error');
    for (const listener of listeners) stream.on('error', listener as () => void);
    return text;
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** Returns a function that removes the listeners of signals which a command leaves to the end of its process. */
function keepSignals(): () => void {
  const former = new Set<unknown>(SIGNALS.flatMap((signal) => process.listeners(signal)));
  return () => {
    for (const signal of SIGNALS)
      for (const listener of process.listeners(signal))
        if (!former.has(listener)) process.off(signal, listener);
  };
}

/** Uses the instances of this test file, unless `env` overrides it. */
export async function callCli(
  args: readonly string[],
  { env = {}, input = '' }: { readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
): Promise<Ran> {
  const own = Object.keys(process.env).filter((name) => name.startsWith('GRANTBENCH_'));
  for (const name of own) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries({ GRANTBENCH_USER_DATA: userData, ...env }))
    vi.stubEnv(name, value);
  const given: unknown = Readable.from([Buffer.from(input)]);
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(given as typeof process.stdin);
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const restoreSignals = keepSignals();
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Exit(Number(code ?? 0));
  });
  const code = await exitCodeOf(args);
  exit.mockRestore();
  restoreSignals();
  vi.unstubAllEnvs();
  stdin.mockRestore();
  return { code, stdout: stdout(), stderr: stderr() };
}
