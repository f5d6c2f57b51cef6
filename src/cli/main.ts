// The command line's entry: runs the command that the arguments name, turns what went wrong into an exit
// code. Everything a token does not need is imported when it is needed, because `serve` must start fast.

import { join } from 'node:path';
import { CommandError } from './command-error.ts';

// Only this module knows where it lies: the build moves the others into chunks.
const app = join(import.meta.dirname, '..', '..');
const page = join(app, 'out', 'renderer');

/** What a file may bring along need not be made; and whoever asks for help waits for no key. */
const needsKey = (args: readonly string[]) =>
  !args.some((arg) => /^(-h|--(help|workspace|keep)\b)/.test(arg)) &&
  !process.env['GRANTBENCH_WORKSPACE'] &&
  !process.env['GRANTBENCH_KEEP'];

async function headStart(args: readonly string[]): Promise<void> {
  if (needsKey(args)) (await import('../engine/first-key.ts')).beginFirstKey();
  await import('./serve.ts');
}

// Not awaited: the engine loads, and its key is made, while the arguments are read.
if (process.argv[2] === 'serve') void headStart(process.argv.slice(3));

async function run(): Promise<void> {
  const { runCommand } = await import('./program.ts');
  await runCommand(process.argv, { app, page, version: __APP_VERSION__ });
}

run().catch(async (error: unknown) => {
  const expected = error instanceof CommandError;
  const failure = expected
    ? { text: error.message, exit_code: error.exit_code }
    : (await import('./failure.ts')).describeFailure(error);
  process.stderr.write(`${failure.text}\n`);
  process.exit(failure.exit_code);
});
