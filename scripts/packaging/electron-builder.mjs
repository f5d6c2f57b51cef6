// AppImage, NSIS, dmg and zip: electron-builder makes them from the finished app folder. electron-builder and its
// tools are much larger than all other packages, so it is installed in a separate folder when needed.

import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { hasPinnedPackages, installPinnedPackages } from '../pinned-packages.mjs';
import { ROOT, run } from '../run.mjs';

const FOLDER = join(import.meta.dirname, 'electron-builder');
const CONFIGURATION = join(FOLDER, 'electron-builder.json');
const MADE = /\.(AppImage|exe|dmg|zip)$/;

/**
 * @param {string} platform its flag
 * @param {string} format
 * @returns {import('./installers.mjs').Format}
 */
export const buildWithElectronBuilder = (platform, format) => async (app) => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 12))
    throw new Error(`${format} is made by electron-builder, which needs Node 22.12 or later`);
  if (!hasPinnedPackages(FOLDER)) await installPinnedPackages(FOLDER);
  const output = join(app.workshop, `electron-builder-${format}`);
  const code = await run(
    process.execPath,
    [
      join(FOLDER, 'node_modules', 'electron-builder', 'cli.js'),
      platform,
      format,
      `--${app.arch}`,
      '--publish=never',
      `--projectDir=${FOLDER}`,
      `--config=${CONFIGURATION}`,
      `--prepackaged=${app.folder}`,
      `--config.directories.output=${output}`,
      `--config.extraMetadata.version=${app.version}`,
      `--config.electronVersion=${app.electronVersion}`,
    ],
    { cwd: ROOT },
  );
  if (code !== 0) throw new Error(`electron-builder could not make ${format}`);
  const name = readdirSync(output).find((file) => MADE.test(file));
  if (name === undefined) throw new Error(`electron-builder made no ${format}`);
  const file = join(
    app.dist,
    `${app.packageName}-${app.version}-${app.arch}.${name.split('.').at(-1)}`,
  );
  renameSync(join(output, name), file);
  return file;
};
