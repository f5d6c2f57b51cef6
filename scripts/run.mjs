// Runs child processes without a shell, in the same way on every system.

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

export const VERSION = /** @type {string} */ (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version
);

const require = createRequire(import.meta.url);

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} the exit code; 1 when it could not start or was killed
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
    child.once('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(1);
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/**
 * Runs a command to its end and returns its output.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} the exit code; 1 when it could not start or was killed
 */
export function runQuietly(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (/** @type {string} */ text) => (output += text);
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);
    child.once('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}` }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {string[]} args
 * @throws {Error} with its output if it fails
 */
export async function runOrThrow(command, args) {
  const { code, output } = await runQuietly(command, args);
  if (code !== 0) throw new Error(`${command} failed: ${output.trim()}`);
}

/**
 * Returns the path of a package's file, even if the package does not export it.
 *
 * @param {string} name
 * @param {string} file
 */
export function packageFile(name, file) {
  return join(dirname(require.resolve(`${name}/package.json`)), file);
}

/**
 * Returns the command and arguments that run npm. Under `npm run`, npm names its script; otherwise it is a .cmd file
 * on Windows, which needs a shell.
 *
 * @param {string[]} args
 * @returns {{ command: string, args: string[], shell: boolean }}
 */
export function npm(args) {
  const script = process.env['npm_execpath'];
  if (script?.endsWith('.js'))
    return { command: process.execPath, args: [script, ...args], shell: false };
  return { command: 'npm', args, shell: process.platform === 'win32' };
}

/** @param {string} command */
export function isOnPath(command) {
  const { error } = spawnSync(command, ['--help'], { stdio: 'ignore' });
  return error === undefined;
}
