// The archive of an Electron to package, with the path and name that @electron/packager expects.

import { createWriteStream, existsSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { downloadElectron, ELECTRON_VERSION, reasonOf } from '../electron-binary.mjs';
import {
  buildFallbackElectron,
  FALLBACK_VERSION,
  fallbackElectron,
  isFallbackPossible,
} from '../fallback-electron.mjs';

/**
 * @typedef {object} ElectronZip
 * @property {string} version
 * @property {string} folder that holds `electron-v<version>-<platform>-<arch>.zip`
 * @property {boolean} isTestRuntime whether it may be used for tests only
 */

/** @typedef {{ platform: string, arch: string }} Target */

/** Uncompressed, because it is unpacked immediately. @param {string} runtime @param {string} file */
async function writeZip(runtime, file) {
  const zip = new yazl.ZipFile();
  const entries = await readdir(runtime, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const { mode } = await stat(path);
    const name = relative(runtime, path).split(sep).join('/');
    zip.addFile(path, name, { mode, compress: false });
  }
  // Every release has these two files, and @electron/packager needs them.
  zip.addBuffer(Buffer.from(FALLBACK_VERSION), 'version');
  zip.addFile(join(runtime, 'LICENSE.electron.txt'), 'LICENSE');
  zip.end();
  const draft = `${file}.${process.pid}.draft`;
  try {
    await pipeline(zip.outputStream, createWriteStream(draft));
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns the runtime of the app's tests as an archive, which is made once. @returns {Promise<ElectronZip>} */
async function testRuntimeZip() {
  await buildFallbackElectron();
  const binary = fallbackElectron();
  if (binary === null) throw new Error('the test runtime exists for Linux on x64 only');
  const runtime = dirname(binary);
  const folder = dirname(runtime);
  const file = join(folder, `electron-v${FALLBACK_VERSION}-linux-x64.zip`);
  if (!existsSync(file)) await writeZip(runtime, file);
  return { version: FALLBACK_VERSION, folder, isTestRuntime: true };
}

/** Returns the Electron version of the project. @param {Target} target @returns {Promise<ElectronZip>} */
async function releasedZip(target) {
  const archive = await downloadElectron(target);
  return { version: ELECTRON_VERSION, folder: dirname(archive), isTestRuntime: false };
}

/**
 * @param {Target} target
 * @param {'released' | 'test' | 'any'} wanted `any` selects the test runtime if the release cannot be downloaded
 * @returns {Promise<ElectronZip>}
 */
export async function electronZip(target, wanted) {
  if (wanted === 'test') return testRuntimeZip();
  try {
    return await releasedZip(target);
  } catch (error) {
    const { platform, arch } = target;
    const isTestable = isFallbackPossible && platform === 'linux' && arch === 'x64';
    if (wanted === 'released' || !isTestable)
      throw new Error(
        `Electron ${ELECTRON_VERSION} for ${platform} ${arch} could not be fetched: ${reasonOf(error)}`,
      );
    console.error(`Electron could not be fetched (${reasonOf(error)}); taking the test runtime.`);
    return testRuntimeZip();
  }
}
