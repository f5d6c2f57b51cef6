// `npm run build [-- --alone]`, and the build for every script that needs a current one. --alone removes files of
// former builds, as a package requires.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createBuild } from './create-build.mjs';
import { packageFile, ROOT, runQuietly, VERSION } from './run.mjs';

/** Writes the licences of the packages in a build, and its bill of materials. @param {string} out */
async function writeNotices(out) {
  const { billText, licenseTexts } = await import('./packaging/bill-of-materials.mjs');
  const { shippedPackages } = await import('./packaging/shipped-packages.mjs');
  const packages = shippedPackages(ROOT, out);
  writeFileSync(join(out, 'third-party-licenses.txt'), licenseTexts(packages));
  writeFileSync(join(out, 'bom.cdx.json'), billText(VERSION, null, packages));
}

/**
 * Builds the page with the preload script and the Node programs concurrently, because they are independent.
 * @param {string} out
 */
async function bundle(out) {
  const env = { ...process.env, GRANTBENCH_BUILD_FOLDER: out };
  const bundlers = [
    [packageFile('electron-vite', 'bin/electron-vite.js'), 'build', '--ignoreConfigWarning'],
    [packageFile('tsdown', 'dist/run.mjs')],
  ];
  const ended = await Promise.all(
    bundlers.map((args) => runQuietly(process.execPath, args, { env })),
  );
  const failed = ended.find(({ code }) => code !== 0);
  if (failed !== undefined) return failed.output;
  await writeNotices(out);
  return null;
}

const build = createBuild({
  root: ROOT,
  sources: [
    'src',
    'docs',
    'scripts',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'electron.vite.config.ts',
    'tsdown.config.ts',
  ],
  bundle,
});

export const { removeFormer } = build;

/** @returns {Promise<boolean>} whether the build succeeded; prints the reason if not */
async function make() {
  const problem = await build.make();
  if (problem !== null) console.error(`${problem}\nThe build failed.`);
  return problem === null;
}

/** @returns {Promise<boolean>} whether there is a current build */
export async function buildIfStale() {
  if (build.isFresh()) return true;
  console.error('Building (once, until a source changes)…');
  return make();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (!(await make())) process.exitCode = 1;
  else if (process.argv.includes('--alone')) removeFormer();
}
