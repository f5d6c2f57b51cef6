// Packages that only some tests or benchmarks need, pinned in separate folders with their own lock files, so that the
// main installation stays small.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, run } from './run.mjs';

/** @param {string} file @returns {Record<string, any>} */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Returns names and versions. @param {string} folder @returns {[string, string][]} */
function pinsOf(folder) {
  const { dependencies, devDependencies } = readJson(join(folder, 'package.json'));
  return Object.entries({ ...dependencies, ...devDependencies });
}

/** Whether every package is installed in its pinned version. @param {string} folder */
export function hasPinnedPackages(folder) {
  return pinsOf(folder).every(([name, version]) => {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    return existsSync(manifest) && readJson(manifest).version === version;
  });
}

/**
 * Installs the packages of the lock file, without their scripts.
 *
 * @param {string} folder
 * @throws {Error} if npm fails
 */
export async function installPinnedPackages(folder) {
  console.log(
    `installing ${pinsOf(folder)
      .map((pin) => pin.join(' '))
      .join(', ')}`,
  );
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const { command, args, shell } = npm(['ci', '--ignore-scripts', ...quiet]);
  if ((await run(command, args, { cwd: folder, shell })) !== 0)
    throw new Error(`npm could not install the packages of ${folder}`);
}
