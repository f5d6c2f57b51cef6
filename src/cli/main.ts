// The entry point of the command line: runs the command in the arguments and turns errors into exit codes. It never
// evaluates an OAuth request. What the first token does not need is imported later, because `serve` must start fast.

import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { failureOf } from './command-error.ts';
import { dataFolder } from './data-folder.ts';

// Only this module has a fixed location: the build moves the others into chunks.
const app = join(import.meta.dirname, '..', '..');
const page = join(app, 'out', 'renderer');

// The command of an installer and terminals inside Electron-based editors set this variable. With it, an Electron
// started by this process, or by a command under `exec`, would run as plain Node.
delete process.env['ELECTRON_RUN_AS_NODE'];

// Whoever reads the remarks of a command may end before it (EPIPE).
process.stderr.on('error', () => undefined);

/** A part of `node:module` that Node 20 lacks. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Keeps the code that V8 compiles for later starts. Node's default for it is in the system's temporary folder, where
 * other users could plant code.
 */
function cacheCompiledCode(): void {
  const { enableCompileCache } = module as typeof module & CompileCache;
  if (enableCompileCache === undefined) return;
  const folder = join(dataFolder(), 'compile-cache');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return; // Nothing can be kept in a read-only home, and nothing depends on it.
  }
  enableCompileCache(folder);
}

async function run(): Promise<void> {
  cacheCompiledCode();
  const { runCommand } = await import('./program.ts');
  await runCommand(process.argv, { app, page, version: __APP_VERSION__ });
}

run().catch(async (error: unknown) => {
  const { text, exit_code } = await failureOf(error);
  process.stderr.write(`${text}\n`);
  process.exit(exit_code);
});
