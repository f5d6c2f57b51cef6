// Finds an Electron that is already on this machine. The `electron` package is never imported: its main
// module starts a download and prints when the binary is missing.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A binary, or why there is none. */
export type Found = { readonly binary: string } | { readonly reason: string };

const EXECUTABLES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};
const EXECUTABLE = EXECUTABLES[process.platform] ?? 'electron';

/** ELECTRON_OVERRIDE_DIST_PATH is a folder, as for the package; ELECTRON_EXEC_PATH names the file. */
function fromEnvironment(): Found | null {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const file = process.env['ELECTRON_EXEC_PATH'];
  const binary = folder ? join(folder, EXECUTABLE) : file;
  if (!binary) return null;
  if (existsSync(binary)) return { binary };
  const name = folder ? 'ELECTRON_OVERRIDE_DIST_PATH' : 'ELECTRON_EXEC_PATH';
  return { reason: `${name} is set, but there is no ${binary}` };
}

function fromPackage(): Found {
  let folder: string;
  try {
    folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return { reason: 'the electron package is not installed' };
  }
  // Written last when the download is unpacked: without it, dist may be half of one.
  const path = join(folder, 'path.txt');
  const binary = existsSync(path) ? join(folder, 'dist', readFileSync(path, 'utf8').trim()) : null;
  if (binary !== null && existsSync(binary)) return { binary };
  return { reason: 'the electron package has no binary yet (npx install-electron downloads it)' };
}

export function findElectron(): Found {
  return fromEnvironment() ?? fromPackage();
}

/** Why no window can be shown here, or null. */
export function missingDisplay(): string | null {
  if (process.platform !== 'linux') return null;
  if (process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']) return null;
  return 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)';
}

/** Electron's own flags for this session. */
export function electronFlags(): string[] {
  if (process.platform !== 'linux') return [];
  const flags: string[] = [];
  // Chromium refuses to start its sandbox as root; the app warns about it.
  if (process.getuid?.() === 0) flags.push('--no-sandbox');
  if (!process.env['DISPLAY']) flags.push('--ozone-platform=wayland');
  return flags;
}
