// `grantbench` without a command: opens the window, or serves the page as `serve` does if no window can be opened.
// Looks for an Electron that is already on this machine, never downloads one, and watches the window's process.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { type Build, isWorkspaceFile } from './command.ts';
import { givenControlToken } from './flag-values.ts';
import { keepOption, portOptions, type ServeOptions } from './serve/options.ts';

type Given = Pick<ServeOptions, 'port' | 'controlPort' | 'keep'>;

function headless({ port, controlPort, keep }: Given, file: string | undefined): string[] {
  const ports = ['--port', String(port), '--control-port', String(controlPort)];
  const workspace = file === undefined ? [] : ['--workspace', file, '--save'];
  return [
    'serve',
    '--open',
    ...ports,
    ...workspace,
    ...(keep === undefined ? [] : ['--keep', keep]),
  ];
}

/** Declares what the program does without a command. `serve` must be declared as well: it runs when no window opens. */
export function declareOpen(program: Command, { app }: Build): void {
  for (const option of [...portOptions(), keepOption()]) program.addOption(option.hideHelp());
  program.allowExcessArguments().action(async (given: Given) => {
    const [file, ...others] = program.args;
    const unknown = [file, ...others].find((one) => one !== undefined && !isWorkspaceFile(one));
    if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
    if (others.length > 0) program.error('error: only one workspace file can be opened');
    givenControlToken(program);
    const reason = await openWindow(app, file === undefined ? null : resolve(file));
    if (reason === null) return;
    process.stderr.write(`Cannot open the window: ${reason}. Serving the page instead.\n`);
    await program.parseAsync(headless(given, file), { from: 'user' });
  });
}

/** A process that exits sooner than this never showed a window. */
const EARLY_MS = 5000;

/** The prefix of the window process's own lines; the other lines come from Chromium. */
const OWN_LINE = 'grantbench: ';

/** On Windows, Ctrl+Break is SIGBREAK, the only signal that one program can send to another. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** Matches what Chromium prints when the X or Wayland display is gone. */
const DISPLAY_LOST = /X connection error|Wayland communication error/;

interface Ending {
  readonly reason: string;
  readonly failed: boolean;
}

function start(binary: string, args: readonly string[]): ChildProcess {
  const flags = electronFlags(process.platform, process.env, process.getuid?.());
  return spawn(binary, [...flags, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

interface Output {
  readonly last: string | null;
  readonly displayLost: boolean;
}

/** Prints our own lines, and keeps the last line of the others that may explain why the process ended. */
function listen(child: ChildProcess): () => Output {
  let output: Output = { last: null, displayLost: false };
  if (child.stderr === null) return () => output;
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith(OWN_LINE)) process.stderr.write(`${line}\n`);
    else if (line.trim() !== '')
      output = {
        last: line.trim(),
        displayLost: output.displayLost || DISPLAY_LOST.test(line),
      };
  });
  return () => output;
}

function ended(child: ChildProcess, outputOf: () => Output): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({ reason: `Electron did not start (${error.message})`, failed: true }),
    );
    // 'close' instead of 'exit', because the last lines on stderr may arrive after the process has ended.
    child.once('close', (code, signal) => {
      const { last, displayLost } = outputOf();
      const how = signal === null ? `code ${code}` : signal;
      const reason = displayLost
        ? 'its display is gone'
        : `Electron ended with ${how}${last === null ? '' : ` (${last})`}`;
      resolve({ reason, failed: code !== 0 });
    });
  });
}

interface Signals {
  readonly arrived: () => boolean;
  readonly ignore: () => void;
}

/** The first signal asks the window to close, which drains the engine; the second signal kills it. */
function passSignals(child: ChildProcess): Signals {
  let asked = false;
  const pass = () => {
    if (asked) child.kill('SIGKILL');
    else if (child.connected) child.send('quit');
    else child.kill();
    asked = true;
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  return {
    arrived: () => asked,
    ignore: () => SIGNALS.forEach((signal) => process.off(signal, pass)),
  };
}

/** The app sends a message once its window is shown. */
function detectWindow(child: ChildProcess): () => boolean {
  let shown = false;
  child.once('message', () => (shown = true));
  return () => shown;
}

async function watch(child: ChildProcess): Promise<string | null> {
  const startedAt = performance.now();
  const signals = passSignals(child);
  const opened = detectWindow(child);
  const { reason, failed } = await ended(child, listen(child));
  signals.ignore();
  const early = performance.now() - startedAt < EARLY_MS;
  if (early && !signals.arrived() && (failed || !opened())) return reason;
  if (failed) process.stderr.write(`The window closed unexpectedly: ${reason}.\n`);
  process.exitCode = failed ? 1 : 0;
  return null;
}

/**
 * Resolves to null once the window was closed, or immediately to the reason why no window can be opened.
 * @param file workspace to open in the window
 */
async function openWindow(appFolder: string, file: string | null): Promise<string | null> {
  const noDisplay = missingDisplay(process.platform, process.env);
  if (noDisplay !== null) return noDisplay;
  const electron = findElectron(appFolder);
  if ('reason' in electron) return electron.reason;
  return watch(start(electron.binary, [...electron.args, ...(file === null ? [] : [file])]));
}

/**
 * A binary with the arguments that open the app, or the reason why there is none. The `electron` package is never
 * imported, because its main module downloads the binary and prints if it is missing.
 */
type Found =
  { readonly binary: string; readonly args: readonly string[] } | { readonly reason: string };

type Environment = Readonly<Record<string, string | undefined>>;

const EXECUTABLES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/** Returns the path of the binary inside the folder that Electron was unpacked into. */
export const executableOf = (platform: NodeJS.Platform): string =>
  EXECUTABLES[platform] ?? 'electron';

/** ELECTRON_OVERRIDE_DIST_PATH names a folder, as it does for the package; ELECTRON_EXEC_PATH names the file. */
function fromEnvironment(): string | { readonly reason: string } | null {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const file = process.env['ELECTRON_EXEC_PATH'];
  const binary = folder ? join(folder, executableOf(process.platform)) : file;
  if (!binary) return null;
  if (existsSync(binary)) return binary;
  const name = folder ? 'ELECTRON_OVERRIDE_DIST_PATH' : 'ELECTRON_EXEC_PATH';
  return { reason: `${name} is set, but there is no ${binary}` };
}

function fromPackage(): string | { readonly reason: string } {
  let folder: string;
  try {
    folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return { reason: 'the electron package is not installed' };
  }
  // The package writes this file last when it unpacks the download; without it, dist may be incomplete.
  const path = join(folder, 'path.txt');
  const binary = existsSync(path) ? join(folder, 'dist', readFileSync(path, 'utf8').trim()) : null;
  if (binary !== null && existsSync(binary)) return binary;
  // In a checkout, `npm start` has tried to download it and passes the result in this variable.
  const { GRANTBENCH_NO_ELECTRON: tried } = process.env;
  if (tried)
    return {
      reason: `${tried}; ELECTRON_OVERRIDE_DIST_PATH can name the folder of another Electron`,
    };
  return { reason: 'the electron package has no binary yet (npx install-electron downloads it)' };
}

/** @param app folder of the app; an installed Electron has it in an archive and opens nothing else */
function findElectron(app: string): Found {
  if (app.endsWith('.asar')) return { binary: process.execPath, args: [] };
  const found = fromEnvironment() ?? fromPackage();
  return typeof found === 'string' ? { binary: found, args: [app] } : found;
}

/** Returns why no window can be shown here, or null. */
export function missingDisplay(platform: NodeJS.Platform, env: Environment): string | null {
  if (platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY']) return null;
  return 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)';
}

/** Returns the flags that Electron needs in this session. @param uid of the user; undefined on Windows */
export function electronFlags(
  platform: NodeJS.Platform,
  env: Environment,
  uid: number | undefined,
): string[] {
  if (platform !== 'linux') return [];
  const flags: string[] = [];
  // Chromium does not start its sandbox as root; the app warns about it.
  if (uid === 0) flags.push('--no-sandbox');
  // Older versions of Electron use X unless this flag is set.
  if (!env['DISPLAY']) flags.push('--ozone-platform=wayland');
  return flags;
}
