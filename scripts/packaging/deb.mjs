// The Debian package.

import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOrThrow } from '../run.mjs';

/** @type {Record<string, string>} */
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** The libraries that Electron is linked with; some have two names in Debian and Ubuntu. */
const renamed = (/** @type {string} */ name) => `${name} | ${name}t64`;
const DEPENDS = [
  renamed('libasound2'),
  renamed('libatk-bridge2.0-0'),
  renamed('libatk1.0-0'),
  renamed('libatspi2.0-0'),
  'libc6 (>= 2.28)',
  'libcairo2',
  renamed('libcups2'),
  'libdbus-1-3',
  'libdrm2',
  'libexpat1',
  'libgbm1',
  'libgcc-s1',
  renamed('libglib2.0-0'),
  renamed('libgtk-3-0'),
  'libnspr4',
  'libnss3',
  'libpango-1.0-0',
  'libudev1',
  'libx11-6',
  'libxcb1',
  'libxcomposite1',
  'libxdamage1',
  'libxext6',
  'libxfixes3',
  'libxkbcommon0',
  'libxrandr2',
];

/** @param {string} path @returns {number} bytes */
function sizeOf(path) {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/**
 * Returns the Debian version: a pre-release sorts before its release, so 1.0.0-beta.1 becomes 1.0.0~beta.1.
 * @param {string} version
 */
export const debianVersion = (version) => version.replace('-', '~');

/** @param {{ packageName: string, version: string, arch: string, kibibytes: number }} deb */
function controlText({ packageName, version, arch, kibibytes }) {
  const isTest = packageName !== 'grantbench';
  const fields = {
    Package: packageName,
    Version: debianVersion(version),
    Architecture: ARCHITECTURES[arch],
    Maintainer: 'The Grantbench maintainers',
    'Installed-Size': kibibytes,
    Depends: DEPENDS.join(', '),
    ...(isTest ? { Conflicts: 'grantbench' } : {}),
    Section: 'devel',
    Priority: 'optional',
    Description: [
      `sandbox OAuth 2.0 authorization server${isTest ? ' (built for tests only)' : ''}`,
      ' A token server on localhost that shows how it evaluates each request, with a',
      ' workbench in a window, a command line and a control API.',
      ...(isTest ? [' .', ' This package contains an old Electron. Do not use it.'] : []),
    ].join('\n'),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join('\n')}\n`;
}

/**
 * @param {string} tree what is installed
 * @param {import('./installers.mjs').App} app
 * @returns {Promise<string>}
 */
export async function buildDeb(tree, { packageName, version, arch, dist }) {
  const kibibytes = Math.ceil(sizeOf(tree) / 1024);
  mkdirSync(join(tree, 'DEBIAN'));
  const control = controlText({ packageName, version, arch, kibibytes });
  writeFileSync(join(tree, 'DEBIAN', 'control'), control);
  const name = `${packageName}_${debianVersion(version)}_${ARCHITECTURES[arch]}.deb`;
  const file = join(dist, name);
  // xz takes minutes, and a test package is only installed once, here.
  const compression = packageName === 'grantbench' ? '-Zxz' : '-Znone';
  await runOrThrow('dpkg-deb', ['--root-owner-group', compression, '--build', tree, file]);
  return file;
}
