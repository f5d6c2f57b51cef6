// The command line's entry: runs the command that the arguments name, turns what went wrong into an exit
// code. Everything a token does not need is imported when it is needed, because `serve` must start fast.

import { join } from 'node:path';
import { CommandError } from './command-error.ts';

// Only this module knows where it lies: the build moves the others into chunks.
const app = join(import.meta.dirname, '..', '..');
const page = join(app, 'out', 'renderer');

// Set by an installer's command and in terminals inside Electron-based editors. An Electron that this process
// starts, or that a command under `exec` starts, would be a plain Node.
delete process.env['ELECTRON_RUN_AS_NODE'];

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
