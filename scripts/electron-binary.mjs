// Finds the Electron of the environment or of the `electron` package. The package is never imported, because its main
// module starts a download if the binary is missing.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFile, run } from './run.mjs';

const MANIFEST = packageFile('electron', 'package.json');
const FOLDER = dirname(MANIFEST);

/** The download has failed if no data arrives for this long. */
const STALLED_MS = 15_000;

export const ELECTRON_VERSION = /** @type {string} */ (
  JSON.parse(readFileSync(MANIFEST, 'utf8')).version
);

/** @type {Partial<Record<NodeJS.Platform, string>>} */
const EXECUTABLES = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };
const EXECUTABLE = EXECUTABLES[process.platform] ?? 'electron';

/**
 * Returns the Electron that ELECTRON_OVERRIDE_DIST_PATH (a folder) or ELECTRON_EXEC_PATH (a file) names.
 *
 * @returns {{ name: string, binary: string, exists: boolean } | null}
 */
export function environmentElectron() {
  const { ELECTRON_OVERRIDE_DIST_PATH: folder, ELECTRON_EXEC_PATH: file } = process.env;
  const binary = folder ? join(folder, EXECUTABLE) : file;
  if (!binary) return null;
  const name = folder ? 'ELECTRON_OVERRIDE_DIST_PATH' : 'ELECTRON_EXEC_PATH';
  return { name, binary, exists: existsSync(binary) };
}

/** @returns {string | null} the binary of the electron package, if it was downloaded */
export function packagedElectron() {
  const binary = join(FOLDER, 'dist', EXECUTABLE);
  const version = join(FOLDER, 'dist', 'version');
  // path.txt is written last, so its existence shows that unpacking was completed.
  if (![binary, version, join(FOLDER, 'path.txt')].every((file) => existsSync(file))) return null;
  return readFileSync(version, 'utf8').trim().replace(/^v/, '') === ELECTRON_VERSION
    ? binary
    : null;
}

/** Shows the progress of the download: on one line in a terminal, else in quarters. */
function progressLine() {
  const label = `Fetching Electron ${ELECTRON_VERSION}`;
  let shown = -1;
  console.error(`${label} (once)…`);
  /** @param {number} share */
  return (share) => {
    const step = process.stderr.isTTY ? 1 : 25;
    const percent = Math.floor((share * 100) / step) * step;
    if (percent === shown) return;
    shown = percent;
    if (!process.stderr.isTTY) console.error(`  ${percent} %`);
    else process.stderr.write(`\r  ${percent} %${percent === 100 ? '\n' : ''}`);
  };
}

/**
 * Downloads the archive into the cache of @electron/get, from which install.js unpacks it.
 *
 * @param {{ platform: string, arch: string }} target
 * @returns {Promise<string>} the archive
 * @throws if it cannot be downloaded
 */
export async function downloadElectron({ platform, arch }) {
  const required = createRequire(MANIFEST);
  const { downloadArtifact } = await import(pathToFileURL(required.resolve('@electron/get')).href);
  const abort = new AbortController();
  const stalled = () => abort.abort(new Error(`no data for ${STALLED_MS / 1000} s`));
  let timer = setTimeout(stalled, STALLED_MS);
  const show = progressLine();
  try {
    return await downloadArtifact({
      version: ELECTRON_VERSION,
      artifactName: 'electron',
      cacheRoot: process.env['electron_config_cache'],
      checksums: required('./checksums.json'),
      platform,
      arch,
      downloadOptions: {
        quiet: true,
        signal: abort.signal,
        /** @param {{ percent: number }} progress */
        getProgressCallback: ({ percent }) => {
          clearTimeout(timer);
          timer = setTimeout(stalled, STALLED_MS);
          show(percent);
        },
      },
    });
  } finally {
    clearTimeout(timer);
  }
}

/** The same value as in install.js. */
function ownTarget() {
  const { env } = process;
  return {
    platform: env['ELECTRON_INSTALL_PLATFORM'] ?? env['npm_config_platform'] ?? process.platform,
    arch: env['ELECTRON_INSTALL_ARCH'] ?? env['npm_config_arch'] ?? process.arch,
  };
}

/** @param {unknown} error @returns {string} */
export function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

/**
 * Installs the binary of the electron package, unless it exists.
 *
 * @returns {Promise<string | null>} why there is no binary, or null
 */
export async function fetchElectron() {
  if (packagedElectron() !== null) return null;
  try {
    await downloadElectron(ownTarget());
  } catch (error) {
    return `Electron could not be fetched (${reasonOf(error)})`;
  }
  const code = await run(process.execPath, [join(FOLDER, 'install.js')]);
  return code === 0 && packagedElectron() !== null ? null : 'Electron could not be unpacked';
}
