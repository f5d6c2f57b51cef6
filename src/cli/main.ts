// The entry point of the command line: runs the command in the arguments and turns errors into exit codes. It never
// evaluates an OAuth request. What the first token does not need is imported later, because `serve` must start fast.

import { join } from 'node:path';
import { failureOf } from './command-error.ts';

// Only this module has a fixed location: the build moves the others into chunks.
const app = join(import.meta.dirname, '..', '..');
const page = join(app, 'out', 'renderer');

// The command of an installer and terminals inside Electron-based editors set this variable. With it, an Electron
// started by this process, or by a command under `exec`, would run as plain Node.
delete process.env['ELECTRON_RUN_AS_NODE'];

// Whoever reads the remarks of a command may end before it (EPIPE).
process.stderr.on('error', () => undefined);

async function run(): Promise<void> {
  const { runCommand } = await import('./program.ts');
  await runCommand(process.argv, { app, page, version: __APP_VERSION__ });
}

run().catch(async (error: unknown) => {
  const { text, exit_code } = await failureOf(error);
  process.stderr.write(`${text}\n`);
  process.exit(exit_code);
});
