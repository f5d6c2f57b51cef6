// The command line's entry: reads the arguments, runs the command, turns what went wrong into an exit
// code. Everything a token does not need is imported when it is needed, because `serve` must start fast.

import { join } from 'node:path';
import type { ExecOptions } from './exec/options.ts';
import type { ServeOptions } from './options.ts';

// Only this module knows where it lies: the build moves the others into chunks.
const appFolder = join(import.meta.dirname, '..', '..');
const pageFolder = join(appFolder, 'out', 'renderer');

// Not awaited, so that the engine loads and makes its keys while the arguments are read.
const serving = process.argv[2] === 'serve' ? import('./serve.ts') : null;

async function serve(options: ServeOptions): Promise<void> {
  const { serve: run } = await (serving ?? import('./serve.ts'));
  await run(options, { page: pageFolder, version: __APP_VERSION__ });
}

async function open(headless: ServeOptions): Promise<void> {
  const { openWindow } = await import('./open.ts');
  const reason = await openWindow(appFolder);
  if (reason === null) return;
  process.stderr.write(`No window: ${reason}. The workbench is served headless instead.\n`);
  await serve(headless);
}

async function exec(options: ExecOptions): Promise<void> {
  const { exec: run } = await import('./exec/exec.ts');
  process.exit(await run(options, __APP_VERSION__));
}

async function run(): Promise<void> {
  const { parseCommand } = await import('./program.ts');
  const command = parseCommand(process.argv, __APP_VERSION__);
  if (command.name === 'serve') await serve(command.options);
  else if (command.name === 'exec') await exec(command.options);
  else if (command.name === 'open') await open(command.headless);
  else process.exitCode = command.exit_code;
}

run().catch(async (error: unknown) => {
  const { describeFailure } = await import('./failure.ts');
  const failure = describeFailure(error);
  process.stderr.write(`${failure.text}\n`);
  process.exit(failure.exit_code);
});
