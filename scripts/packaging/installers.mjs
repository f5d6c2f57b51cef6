// The formats of each platform, and the functions that make them.

import { mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { runOrThrow } from '../run.mjs';
import { buildDeb } from './deb.mjs';
import { buildWithElectronBuilder } from './electron-builder.mjs';
import { layOut } from './linux-tree.mjs';
import { buildRpm } from './rpm.mjs';

/**
 * @typedef {object} App
 * @property {string} folder with the app and its Electron
 * @property {string} packageName
 * @property {string} version
 * @property {string} electronVersion
 * @property {string} bill the text of the bill of materials
 * @property {string} arch
 * @property {string} workshop removed at the end
 * @property {string} dist where the installer is made, before the finished one is moved
 */

/** @typedef {'linux' | 'mac' | 'win'} Platform */
/** @typedef {(app: App) => Promise<string>} Format the file that was made */

/**
 * Makes the archive for other Linux systems: unpack it anywhere, and run or link its bin/grantbench.
 *
 * @param {string} tree
 * @param {App} app
 */
async function buildTarball(tree, { packageName, version, arch, workshop, dist }) {
  const name = `${packageName}-${version}-linux-${arch}`;
  const file = join(dist, `${name}.tar.gz`);
  renameSync(join(tree, 'usr'), join(workshop, name));
  // Users unpack it without root, and a file that does not belong to root cannot be setuid root.
  const owners = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u-s'];
  await runOrThrow('tar', ['-C', workshop, ...owners, '-czf', file, name]);
  return file;
}

/** @param {(tree: string, app: App) => Promise<string>} build @returns {Format} */
const fromTree = (build) => async (app) => {
  const tree = mkdtempSync(join(app.workshop, 'tree-'));
  await layOut(tree, app);
  return build(tree, app);
};

/** @type {Record<Platform, { platform: string, formats: Record<string, Format> }>} */
export const INSTALLERS = {
  linux: {
    platform: 'linux',
    formats: {
      deb: fromTree(buildDeb),
      rpm: fromTree(buildRpm),
      'tar.gz': fromTree(buildTarball),
      AppImage: buildWithElectronBuilder('--linux', 'AppImage'),
    },
  },
  mac: {
    platform: 'darwin',
    formats: {
      dmg: buildWithElectronBuilder('--mac', 'dmg'),
      zip: buildWithElectronBuilder('--mac', 'zip'),
    },
  },
  win: { platform: 'win32', formats: { nsis: buildWithElectronBuilder('--win', 'nsis') } },
};
