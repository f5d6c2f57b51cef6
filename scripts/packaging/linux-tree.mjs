// The files that are installed on Linux, in the locations of the Filesystem Hierarchy Standard and freedesktop.org:
// the same for .deb, .rpm and .tar.gz.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../run.mjs';

/** @typedef {import('./installers.mjs').App} App */

const LINUX = join(ROOT, 'resources', 'linux');
const ICONS = join(ROOT, 'resources', 'icons');
/** The folders in which shells look for completions of packages. */
const COMPLETIONS = {
  bash: 'usr/share/bash-completion/completions/grantbench',
  zsh: 'usr/share/zsh/vendor-completions/_grantbench',
  fish: 'usr/share/fish/vendor_completions.d/grantbench.fish',
};
const DOCUMENTS = [
  'behaviour.md',
  'specification.md',
  'reference/cli.md',
  'reference/workspace.md',
  'internals/security.md',
];

/** @param {string} root */
function writerIn(root) {
  return (/** @type {string} */ path, /** @type {string | Buffer} */ content) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
}

/** Compresses without a timestamp, so that the same text gives the same file. @param {string | Buffer} text */
const zipped = (text) => gzipSync(text, { level: 9 });

/** Sets permissions: readable by all and writable by root, regardless of the umask. @param {string} path */
function setModes(path) {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return;
  if (stats.isDirectory()) {
    for (const name of readdirSync(path)) setModes(join(path, name));
    chmodSync(path, 0o755);
  } else {
    chmodSync(path, stats.mode & 0o100 ? 0o755 : 0o644);
  }
}

/** @param {string} root @param {string} version */
async function addManual(root, version) {
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(join(import.meta.dirname, 'man-page.ts'));
  const { manPage } = /** @type {typeof import('./man-page.ts')} */ (module);
  writerIn(root)('usr/share/man/man1/grantbench.1.gz', zipped(manPage(version)));
}

/** @param {string} root */
function addCompletions(root) {
  const cli = join(ROOT, 'out', 'node', 'cli.cjs');
  const write = writerIn(root);
  for (const [shell, path] of Object.entries(COMPLETIONS))
    write(path, execFileSync(process.execPath, [cli, 'completion', shell]));
}

/** @param {string} root */
function addDesktop(root) {
  const write = writerIn(root);
  const read = (/** @type {string} */ name) => readFileSync(join(LINUX, name));
  write('usr/share/applications/grantbench.desktop', read('grantbench.desktop'));
  write('usr/share/mime/packages/grantbench.xml', read('grantbench.xml'));
  const icons = 'usr/share/icons/hicolor';
  const drawn = readdirSync(ICONS).filter((name) => name.endsWith('.png'));
  for (const name of drawn) {
    const size = name.replace('.png', '');
    write(`${icons}/${size}x${size}/apps/grantbench.png`, readFileSync(join(ICONS, name)));
  }
  const resources = join(ROOT, 'resources');
  write(`${icons}/512x512/apps/grantbench.png`, readFileSync(join(resources, 'icon.png')));
  write(`${icons}/scalable/apps/grantbench.svg`, readFileSync(join(resources, 'icon.svg')));
}

/** @param {string} root @param {App} app */
function addDocuments(root, { folder, packageName, bill }) {
  const write = writerIn(root);
  const docs = `usr/share/doc/${packageName}`;
  write(`${docs}/bom.cdx.json`, bill);
  const licenses = 'third-party-licenses.txt';
  write(`${docs}/${licenses}`, readFileSync(join(ROOT, 'out', licenses)));
  write(`${docs}/copyright`, copyrightText(readFileSync(join(folder, 'LICENSE'), 'utf8'), docs));
  write(`${docs}/changelog.gz`, zipped(readFileSync(join(ROOT, 'CHANGELOG.md'))));
  for (const name of DOCUMENTS) write(`${docs}/${name}`, readFileSync(join(ROOT, 'docs', name)));
  cpSync(join(ROOT, 'resources', 'scenarios'), join(root, docs, 'examples'), { recursive: true });
}

/** @param {string} electronLicense @param {string} docs */
function copyrightText(electronLicense, docs) {
  const own = readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim();
  return [
    `Grantbench\n\n${own}`,
    `Electron\n\n${electronLicense.trim()}`,
    'Chromium and what it contains: /usr/lib/grantbench/LICENSES.chromium.html',
    `The packages in the build: /${docs}/third-party-licenses.txt`,
  ].join('\n\n');
}

/**
 * Creates all files in an empty folder.
 *
 * @param {string} root
 * @param {App} app
 */
export async function layOut(root, app) {
  const library = join(root, 'usr', 'lib', 'grantbench');
  cpSync(app.folder, library, { recursive: true });
  mkdirSync(join(library, 'bin'));
  cpSync(join(LINUX, 'grantbench'), join(library, 'bin', 'grantbench'));
  mkdirSync(join(root, 'usr', 'bin'), { recursive: true });
  symlinkSync('../lib/grantbench/bin/grantbench', join(root, 'usr', 'bin', 'grantbench'));
  addDesktop(root);
  addCompletions(root);
  addDocuments(root, app);
  await addManual(root, app.version);
  setModes(root);
  // Chromium's sandbox helper is setuid root, for systems on which ordinary users cannot create a sandbox.
  chmodSync(join(library, 'chrome-sandbox'), 0o4755);
}
