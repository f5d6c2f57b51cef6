// Builds when the output is missing or older than what it is made of.

import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, packageFile } from './run.mjs';

const SOURCES = ['src', 'package.json', 'electron.vite.config.ts', 'tsdown.config.ts'];
const OUTPUTS = [
  'main/main.js',
  'preload/preload.cjs',
  'renderer/index.html',
  'node/cli.cjs',
  'node/index.cjs',
  'third-party-licenses.txt',
];

/** As `npm run build` has them. */
const STEPS = [
  [packageFile('electron-vite', 'bin/electron-vite.js'), 'build'],
  [packageFile('tsdown', 'dist/run.mjs')],
  [join(ROOT, 'scripts', 'notices.mjs')],
];

/** @param {string} path @returns {number} */
function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isStale() {
  const built = OUTPUTS.map((file) =>
    statSync(join(ROOT, 'out', file), { throwIfNoEntry: false }),
  ).map((stats) => stats?.mtimeMs ?? 0);
  return Math.min(...built) < Math.max(...SOURCES.map((path) => newest(join(ROOT, path))));
}

/** @returns {boolean} whether there is a build now */
export function buildIfStale() {
  if (!isStale()) return true;
  console.error('Building (once, until a source changes)…');
  return STEPS.every((step) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, step, {
      cwd: ROOT,
      encoding: 'utf8',
    });
    if (status !== 0) console.error(`${stdout}${stderr}\nThe build failed.`);
    return status === 0;
  });
}
