// The formats of each platform, and the functions that make them.

import { join } from 'node:path';
import { buildDeb } from './deb.mjs';
import { buildWithElectronBuilder } from './electron-builder.mjs';
import { layOut } from './linux-tree.mjs';
import { buildRpm } from './rpm.mjs';
import { buildTarball } from './tarball.mjs';

/**
 * @typedef {object} App
 * @property {string} folder with the app and its Electron
 * @property {string} packageName
 * @property {string} version
 * @property {string} electronVersion
 * @property {string} arch
 * @property {string} workshop removed at the end
 * @property {string} dist where the installer is made, before the finished one is moved
 */

/** @typedef {'linux' | 'mac' | 'win'} Platform */
/** @typedef {(app: App) => Promise<string>} Format the file that was made */

/** @param {(tree: string, app: App) => Promise<string>} build @param {string} format @returns {Format} */
const fromTree = (build, format) => async (app) => {
  const tree = join(app.workshop, format);
  await layOut(tree, app);
  return build(tree, app);
};

/** @type {Record<Platform, { platform: string, formats: Record<string, Format> }>} */
export const INSTALLERS = {
  linux: {
    platform: 'linux',
    formats: {
      deb: fromTree(buildDeb, 'deb'),
      rpm: fromTree(buildRpm, 'rpm'),
      'tar.gz': fromTree(buildTarball, 'tar'),
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
