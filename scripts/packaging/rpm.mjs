// The package for Fedora, openSUSE and similar systems. Needs rpmbuild, which is in Debian's package `rpm`.

import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOrThrow } from '../run.mjs';

/** @type {Record<string, string>} */
const ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' };

/** Named by content, because distributions have different package names. */
const REQUIRES = ['libgtk-3.so.0', 'libnss3.so', 'libasound.so.2', 'libgbm.so.1', 'libcups.so.2'];

/** @param {import('./installers.mjs').App} app */
function specText({ packageName, version }) {
  return `Name: ${packageName}
Version: ${version.replace('-', '~')}
Release: 1
Summary: Sandbox OAuth 2.0 authorization server
License: MIT
Group: Development/Tools
AutoReqProv: no
${REQUIRES.map((name) => `Requires: ${name}()(64bit)`).join('\n')}
%define _build_id_links none
%define __os_install_post %{nil}

%description
A token server on localhost that shows how it evaluates each request, with a
workbench in a window, a command line and a control API.

%files
%defattr(-,root,root,-)
/usr/bin/grantbench
/usr/lib/grantbench
%attr(4755,root,root) /usr/lib/grantbench/chrome-sandbox
/usr/share/applications/grantbench.desktop
/usr/share/bash-completion/completions/grantbench
/usr/share/doc/${packageName}
/usr/share/fish/vendor_completions.d/grantbench.fish
/usr/share/icons/hicolor/*/apps/grantbench.*
/usr/share/man/man1/grantbench.1.gz
/usr/share/mime/packages/grantbench.xml
/usr/share/zsh/site-functions/_grantbench
`;
}

/**
 * @param {string} tree
 * @param {import('./installers.mjs').App} app
 * @returns {Promise<string>}
 */
export async function buildRpm(tree, app) {
  const { workshop, dist, arch } = app;
  // Only Debian has this folder for files of packages.
  const zsh = join(tree, 'usr', 'share', 'zsh');
  renameSync(join(zsh, 'vendor-completions'), join(zsh, 'site-functions'));
  const spec = join(workshop, 'grantbench.spec');
  writeFileSync(spec, specText(app));
  const made = join(workshop, 'rpm-made');
  const defines = [`_topdir ${join(workshop, 'rpmbuild')}`, `_rpmdir ${made}`];
  await runOrThrow('rpmbuild', [
    '-bb',
    '--target',
    `${ARCHITECTURES[arch]}-linux`,
    '--buildroot',
    tree,
    ...defines.flatMap((define) => ['--define', define]),
    spec,
  ]);
  const [name] = readdirSync(made, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.rpm'));
  if (name === undefined) throw new Error('rpmbuild made no package');
  const file = join(dist, name.split('/').at(-1) ?? name);
  renameSync(join(made, name), file);
  return file;
}
