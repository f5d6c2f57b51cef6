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

function packageFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}

function executable(folder: string | null): string {
  const file = folder === null ? null : join(folder, 'path.txt');
  if (file !== null && existsSync(file)) return readFileSync(file, 'utf8').trim();
  return EXECUTABLES[process.platform] ?? 'electron';
}

export function findElectron(): Found {
  const folder = packageFolder();
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override) {
    const binary = join(override, executable(folder));
    return existsSync(binary)
      ? { binary }
      : { reason: `ELECTRON_OVERRIDE_DIST_PATH holds no Electron` };
  }
  if (folder === null) return { reason: 'the electron package is not installed' };
  const binary = join(folder, 'dist', executable(folder));
  if (existsSync(binary)) return { binary };
  return {
    reason: 'the Electron binary has not been downloaded (npx install-electron fetches it)',
  };
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
