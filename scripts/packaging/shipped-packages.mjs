// Determines the packages in a build from each bundler's list of modules, so that licences and the bill of materials
// name exactly what is shipped.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

/** @param {string} out folder of the build */
const listsIn = (out) => join(out, 'packages');
const LICENSE_FILE = /^(licen[cs]e|copying|notice|ofl)([-.].*)?$/i;

/**
 * @typedef {object} ShippedPackage
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX expression
 * @property {string} text of its licence files
 */

/** Returns the folder of a module's package, or null for our modules. @param {string} id */
function packageFolder(id) {
  const file = id.replace(/^\0/, '').replace(/\?.*$/, '').split('/').join(sep);
  const modules = `${sep}node_modules${sep}`;
  const start = file.lastIndexOf(modules);
  if (start < 0) return null;
  const [scope = '', name = ''] = file.slice(start + modules.length).split(sep);
  const folder =
    file.slice(0, start + modules.length) +
    join(...(scope.startsWith('@') ? [scope, name] : [scope]));
  return existsSync(join(folder, 'package.json')) ? folder : null;
}

/**
 * Returns a plugin for Vite and Rolldown that records the packages of a build.
 *
 * @param {string} root of the project: a configuration is bundled before it runs, so this module cannot know where it
 * is
 * @param {string} out folder of the build
 * @param {string} part of it
 */
export function recordShippedPackages(root, out, part) {
  return {
    name: 'shipped-packages',
    /**
     * @this {{ getModuleIds(): Iterable<string> }}
     * @param {unknown} _options
     * @param {Record<string, { moduleIds?: string[], originalFileNames?: string[] }>} bundle
     */
    generateBundle(_options, bundle) {
      const taken = Object.values(bundle).flatMap(({ moduleIds = [], originalFileNames = [] }) => [
        ...moduleIds,
        // Paths of fonts and pictures are relative to the folder of the page.
        ...originalFileNames.map((file) => resolve(root, 'src', 'renderer', file)),
      ]);
      // Styles become separate files and are in no chunk.
      const styles = [...this.getModuleIds()].filter((id) => /\.css(\?|$)/.test(id));
      const folders = [...taken, ...styles].map(packageFolder).filter((folder) => folder !== null);
      const names = [...new Set(folders)].map((folder) => relative(root, folder)).sort();
      mkdirSync(listsIn(out), { recursive: true });
      writeFileSync(join(listsIn(out), `${part}.json`), `${JSON.stringify(names, null, 2)}\n`);
    },
  };
}

/** @param {string} folder @returns {ShippedPackage} */
function readPackage(folder) {
  const {
    name,
    version,
    license = 'NOASSERTION',
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  // A few packages declare a licence without including its text.
  const text = texts.join('\n\n') || `License: ${license}, as its package.json declares.`;
  return { name, version, license, text };
}

/**
 * Returns the packages of a build by name.
 *
 * @param {string} root of the project
 * @param {string} [out] folder of the build
 * @returns {ShippedPackage[]}
 */
export function shippedPackages(root, out = join(root, 'out')) {
  const lists = listsIn(out);
  const folders = readdirSync(lists).flatMap(
    (file) => /** @type {string[]} */ (JSON.parse(readFileSync(join(lists, file), 'utf8'))),
  );
  return [...new Set(folders)]
    .map((folder) => readPackage(join(root, folder)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
