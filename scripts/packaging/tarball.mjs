// The archive for every other Linux: it is unpacked anywhere, and its bin/grantbench run or linked.

import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runQuietly } from '../run.mjs';

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
  // Whoever unpacks it is no root, and a program that belongs to anybody else cannot be setuid.
  const owners = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u-s'];
  const { code, output } = await runQuietly('tar', [
    '-C',
    dirname(folder),
    ...owners,
    '-czf',
    file,
    name,
  ]);
  if (code !== 0) throw new Error(`tar failed: ${output.trim()}`);
  return file;
}
