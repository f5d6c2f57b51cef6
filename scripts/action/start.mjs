// The main step of action.yml: installs the command, starts `grantbench serve`, and sets the outputs once it is ready.
// It runs in the Node of the runner and in a checkout without dependencies, so it imports nothing that is installed.

import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** @typedef {{ issuer: string, token_endpoint: string, certificate?: string, control: { url: string, token: string } }} Ready */

/** @param {string} name an input of action.yml @returns {string} empty if it was not given */
const input = (name) => process.env[`INPUT_${name.toUpperCase()}`]?.trim() ?? '';

/**
 * Adds a line to one of the files with which a step passes values to the runner.
 *
 * @param {'GITHUB_OUTPUT' | 'GITHUB_PATH' | 'GITHUB_STATE'} file
 * @param {string} line
 */
function tell(file, line) {
  const path = process.env[file];
  if (path === undefined) throw new Error(`${file} is not set: only a GitHub runner runs this.`);
  appendFileSync(path, `${line}\n`);
}

/** Resolves a path of a file or folder, because npm runs in another folder. */
function packageToInstall() {
  const given = input('package');
  if (given !== '') return existsSync(given) ? resolve(given) : given;
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { name, version } = JSON.parse(manifest);
  return `${name}@${version}`;
}

/**
 * Installs the package into a separate folder with the job's npm, and returns the path of its script.
 *
 * @param {string} folder
 */
function install(folder) {
  const wanted = packageToInstall();
  const args = [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    wanted,
  ];
  // On Windows, npm is a .cmd file, which needs a shell, and a shell interprets characters of a name.
  const shell = process.platform === 'win32';
  if (shell && /["%&<>^|]/.test(args.join(''))) throw new Error(`Cannot install ${wanted} here.`);
  const quoted = shell ? args.map((arg) => `"${arg}"`) : args;
  const { status, error } = spawnSync('npm', quoted, { stdio: 'inherit', shell });
  if (error !== undefined) throw new Error(`Cannot start npm: ${error.message}`);
  if (status !== 0) throw new Error(`npm could not install ${wanted}.`);
  const modules = join(folder, 'node_modules');
  tell('GITHUB_PATH', join(modules, '.bin'));
  const root = join(modules, 'grantbench');
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return join(root, bin.grantbench);
}

/** All other flags have environment variables, which the step may set. */
function serveArguments() {
  const given = ['workspace', 'shape', 'port'].filter((name) => input(name) !== '');
  return ['serve', '--json', ...given.flatMap((name) => [`--${name}`, input(name)])];
}

/**
 * Waits for the ready line, which `serve` prints when it accepts requests.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} log
 * @returns {Promise<Ready>}
 */
function readiness(child, log) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`serve ended with ${code ?? signal}:\n${readFileSync(log, 'utf8')}`)),
    );
    if (child.stdout === null) throw new Error('serve has no output to read.');
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)));
  });
}

/**
 * Starts a process that keeps running after this one has ended; `stop.mjs` ends it.
 *
 * @param {string} script
 * @param {string} log
 */
async function serve(script, log) {
  const errors = openSync(log, 'a');
  const child = spawn(process.execPath, [script, ...serveArguments()], {
    detached: true,
    stdio: ['ignore', 'pipe', errors],
    env: {
      ...process.env,
      GRANTBENCH_CONTROL_PORT: process.env['GRANTBENCH_CONTROL_PORT'] || '0',
    },
  });
  closeSync(errors);
  if (child.pid !== undefined) tell('GITHUB_STATE', `pid=${child.pid}`);
  const ready = await readiness(child, log);
  child.removeAllListeners('exit');
  child.stdout?.destroy();
  child.unref();
  return ready;
}

/** Escapes line breaks, which would end a workflow command. @param {string} text */
const escaped = (text) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

async function main() {
  const folder = mkdtempSync(join(process.env['RUNNER_TEMP'] ?? tmpdir(), 'grantbench-'));
  const log = join(folder, 'exchanges.log');
  const { issuer, token_endpoint, certificate = '', control } = await serve(install(folder), log);
  console.log(`::add-mask::${control.token}`);
  tell('GITHUB_OUTPUT', `issuer=${issuer}`);
  tell('GITHUB_OUTPUT', `token-endpoint=${token_endpoint}`);
  tell('GITHUB_OUTPUT', `certificate=${certificate}`);
  tell('GITHUB_OUTPUT', `control-url=${control.url}`);
  tell('GITHUB_OUTPUT', `control-token=${control.token}`);
  tell('GITHUB_OUTPUT', `log=${log}`);
  console.log(`The sandbox is ready: ${issuer}`);
}

try {
  await main();
} catch (error) {
  console.log(`::error title=Grantbench::${escaped(/** @type {Error} */ (error).message)}`);
  process.exit(1);
}
