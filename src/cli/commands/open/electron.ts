// Finds an Electron that is already on this machine. The `electron` package is never imported: its main
// module starts a download and prints when the binary is missing.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A binary with the arguments that make it show the app, or why there is none. */
export type Found =
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
  return { reason: 'the electron package has no binary yet (npx install-electron downloads it)' };
}

/** @param app folder of the app; an installer puts it into an archive, with an Electron that opens nothing else */
export function findElectron(app: string): Found {
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
