// The archive for other Linux systems: unpack it anywhere, and run or link its bin/grantbench.

import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runOrThrow } from '../run.mjs';

/**
 * @param {string} tree
 * @param {import('./installers.mjs').App} app
 * @returns {Promise<string>}
 */
export async function buildTarball(tree, { packageName, version, arch, dist }) {
  const name = `${packageName}-${version}-linux-${arch}`;
  const file = join(dist, `${name}.tar.gz`);
  const folder = join(dirname(tree), name);
  renameSync(join(tree, 'usr'), folder);
  // Users unpack it without root, and a file that does not belong to root cannot be setuid root.
  const owners = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u-s'];
  await runOrThrow('tar', ['-C', dirname(folder), ...owners, '-czf', file, name]);
  return file;
}
