// The Debian packages that the tests need: for the app and the browser, for the commands in documents and snippets,
// and for clients in other languages.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { run } from './run.mjs';

const PACKAGES = [
  'xvfb',
  'xauth',
  'libgtk-3-0',
  'libnss3',
  'libasound2',
  'libgbm1',
  'libatk-bridge2.0-0',
  'libcups2',
  'libdrm2',
  'libxkbcommon0',
  'curl',
  'python3',
  'python3-authlib',
  'python3-requests',
  'ruby-oauth2',
  'golang-go',
  'golang-golang-x-oauth2-dev',
  'golang-github-coreos-go-oidc-dev',
  'libapache2-mod-auth-openidc',
];

/** @returns {string[]} the id of this system and those of similar systems */
function distribution() {
  try {
    const release = readFileSync('/etc/os-release', 'utf8');
    return [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap(([, ids = '']) =>
      ids.split(' '),
    );
  } catch {
    return [];
  }
}

const ids = distribution();
export const isDebianLike = ids.includes('debian') || ids.includes('ubuntu');
/** Ubuntu's packages of these names are stubs for a snap. */
export const hasChromiumPackage = ids.includes('debian') && !ids.includes('ubuntu');
export const BROWSER_PACKAGE = 'chromium-headless-shell';
/** For a Debian without the other package. */
const BROWSER_WITH_WINDOWS = 'chromium';
export const mayInstall = process.getuid?.() === 0;

/** @param {string} name */
function isInstalled(name) {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${Status}', name], { encoding: 'utf8' });
  return stdout?.endsWith(' installed') ?? false;
}

/**
 * Newer versions of Debian and Ubuntu have other names for some of the libraries.
 *
 * @param {string} name
 */
function isMissing(name) {
  return !isInstalled(name) && !isInstalled(`${name}t64`);
}

/** @param {string[]} extra @returns {string[]} */
export function missingPackages(extra) {
  return isDebianLike ? [...PACKAGES, ...extra].filter(isMissing) : [];
}

/** @param {string} name */
function isKnown(name) {
  const { stdout } = spawnSync('apt-cache', ['show', '--no-all-versions', name], {
    encoding: 'utf8',
  });
  return Boolean(stdout?.trim());
}

/** @param {string} name */
function knownName(name) {
  if (name === BROWSER_PACKAGE) return isKnown(name) ? name : BROWSER_WITH_WINDOWS;
  return isKnown(`${name}t64`) ? `${name}t64` : name;
}

/** @param {string[]} names @throws {Error} if apt-get fails */
export async function installPackages(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if ((await run('apt-get', ['update', '-q'], { env })) !== 0)
    throw new Error('apt-get update failed');
  const options = ['install', '-q', '-y', '--no-install-recommends'];
  if ((await run('apt-get', [...options, ...names.map(knownName)], { env })) !== 0)
    throw new Error('apt-get install failed');
}
