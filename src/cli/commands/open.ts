// `grantbench` without a command: the window if there is one to be had, else what `serve` serves. It finds an Electron
// that is already on this machine and watches the window's process; it never downloads one.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { Build } from './command.ts';
import { givenControlToken } from './flag-values.ts';
import { keepOption, portOptions, type ServeOptions } from './serve/options.ts';

/** What installers have open with the workbench; Windows and macOS do not tell upper from lower case. */
export const isWorkspaceFile = (argument: string): boolean =>
  argument.toLowerCase().endsWith('.grantbench.json');

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

/** Declared with all the other commands beside it: `serve` stands in. */
export function declareOpen(program: Command, { app }: Build): void {
  for (const option of [...portOptions(), keepOption()]) program.addOption(option.hideHelp());
  program.allowExcessArguments().action(async (given: Given) => {
    const [file, ...others] = program.args;
    const unknown = [file, ...others].find((one) => one !== undefined && !isWorkspaceFile(one));
    if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
    if (others.length > 0) program.error('error: one workspace file can be opened at a time');
    givenControlToken(program);
    const reason = await openWindow(app, file === undefined ? null : resolve(file));
    if (reason === null) return;
    process.stderr.write(`The window cannot be opened: ${reason}. Serving its page instead.\n`);
    await program.parseAsync(headless(given, file), { from: 'user' });
  });
}

/** A window that is gone sooner than this never was one. */
const EARLY_MS = 5000;

/** What the window's process starts its own lines with; the others are Chromium's noise. */
const OWN_LINE = 'grantbench: ';

/** On Windows, Ctrl+Break is SIGBREAK, which is all that a program can send another one there. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** What Chromium says when X or Wayland is gone, among much else. */
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

interface Noise {
  readonly last: string | null;
  readonly displayLost: boolean;
}

/** Passes our own lines on and keeps what the others may say of why it ended. */
function listen(child: ChildProcess): () => Noise {
  let noise: Noise = { last: null, displayLost: false };
  if (child.stderr === null) return () => noise;
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith(OWN_LINE)) process.stderr.write(`${line}\n`);
    else if (line.trim() !== '')
      noise = {
        last: line.trim(),
        displayLost: noise.displayLost || DISPLAY_LOST.test(line),
      };
  });
  return () => noise;
}

function ended(child: ChildProcess, heard: () => Noise): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({ reason: `Electron did not start (${error.message})`, failed: true }),
    );
    // 'close' and not 'exit': the last words on stderr may come after the end.
    child.once('close', (code, signal) => {
      const { last, displayLost } = heard();
      const how = signal === null ? `code ${code}` : signal;
      const reason = displayLost
        ? 'the display that it was on is gone'
        : `Electron ended with ${how}${last === null ? '' : ` (${last})`}`;
      resolve({ reason, failed: code !== 0 });
    });
  });
}

interface Signals {
  readonly arrived: () => boolean;
  readonly ignore: () => void;
}

/** The first signal asks the window to close, which drains the engine; a second one kills it. */
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

/** The app says a word once its window is there. */
function hearsOfWindow(child: ChildProcess): () => boolean {
  let heard = false;
  child.once('message', () => (heard = true));
  return () => heard;
}

async function watch(child: ChildProcess): Promise<string | null> {
  const startedAt = performance.now();
  const signals = passSignals(child);
  const opened = hearsOfWindow(child);
  const { reason, failed } = await ended(child, listen(child));
  signals.ignore();
  const early = performance.now() - startedAt < EARLY_MS;
  if (early && !signals.arrived() && (failed || !opened())) return reason;
  if (failed) process.stderr.write(`The window closed unexpectedly: ${reason}.\n`);
  process.exitCode = failed ? 1 : 0;
  return null;
}

/**
 * Resolves to null once the window was closed, or at once to why there can be none.
 * @param file workspace to open in it
 */
async function openWindow(appFolder: string, file: string | null): Promise<string | null> {
  const noDisplay = missingDisplay(process.platform, process.env);
  if (noDisplay !== null) return noDisplay;
  const electron = findElectron(appFolder);
  if ('reason' in electron) return electron.reason;
  return watch(start(electron.binary, [...electron.args, ...(file === null ? [] : [file])]));
}

/**
 * A binary with the arguments that make it show the app, or why there is none. The `electron` package is never
 * imported: its main module starts a download and prints when the binary is missing.
 */
type Found =
  { readonly binary: string; readonly args: readonly string[] } | { readonly reason: string };

type Environment = Readonly<Record<string, string | undefined>>;

const EXECUTABLES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/** The binary in the folder that Electron was unpacked into. */
export const executableOf = (platform: NodeJS.Platform): string =>
  EXECUTABLES[platform] ?? 'electron';

/** ELECTRON_OVERRIDE_DIST_PATH is a folder, as for the package; ELECTRON_EXEC_PATH names the file. */
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
  // Written last when the download is unpacked: without it, dist may be half of one.
  const path = join(folder, 'path.txt');
  const binary = existsSync(path) ? join(folder, 'dist', readFileSync(path, 'utf8').trim()) : null;
  if (binary !== null && existsSync(binary)) return binary;
  // In a checkout, `npm start` has tried to fetch it and says what came of that.
  const { GRANTBENCH_NO_ELECTRON: tried } = process.env;
  if (tried)
    return { reason: `${tried}; ELECTRON_OVERRIDE_DIST_PATH can name the folder of another` };
  return { reason: 'the electron package has no binary yet (npx install-electron downloads it)' };
}

/** @param app folder of the app; an installer puts it into an archive, with an Electron that opens nothing else */
function findElectron(app: string): Found {
  if (app.endsWith('.asar')) return { binary: process.execPath, args: [] };
  const found = fromEnvironment() ?? fromPackage();
  return typeof found === 'string' ? { binary: found, args: [app] } : found;
}

/** Why no window can be shown here, or null. */
export function missingDisplay(platform: NodeJS.Platform, env: Environment): string | null {
  if (platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY']) return null;
  return 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)';
}

/** Electron's own flags for this session. @param uid of the user; Windows has none */
export function electronFlags(
  platform: NodeJS.Platform,
  env: Environment,
  uid: number | undefined,
): string[] {
  if (platform !== 'linux') return [];
  const flags: string[] = [];
  // Chromium refuses to start its sandbox as root; the app warns about it.
  if (uid === 0) flags.push('--no-sandbox');
  // Older versions of Electron look for X unless they are told.
  if (!env['DISPLAY']) flags.push('--ozone-platform=wayland');
  return flags;
}
