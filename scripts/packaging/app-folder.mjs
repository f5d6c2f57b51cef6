// The app with its Electron for all installers: the build in an archive, the fuses set, the executable renamed.

import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import packager from '@electron/packager';
import { ROOT, VERSION } from '../run.mjs';

/** @typedef {import('./electron-zip.mjs').ElectronZip} ElectronZip */
/** @typedef {import('./electron-zip.mjs').Target} Target */

const RESOURCES = join(ROOT, 'resources');
/** The parts of the build for the window and the command line; the library is only for npm. */
const IN_ARCHIVE = ['out/node', 'out/preload', 'out/renderer', 'resources/icon.png'];
const LIBRARY = /[\\/]out[\\/]node[\\/]index\.\w+(\.\w+)?$/;

/** The declaration of workspace files for Finder and Launch Services. */
const DOCUMENT_TYPES = {
  CFBundleDocumentTypes: [
    {
      CFBundleTypeName: 'Grantbench workspace',
      CFBundleTypeRole: 'Editor',
      LSHandlerRank: 'Owner',
      LSItemContentTypes: ['dev.grantbench.workspace'],
    },
  ],
  UTExportedTypeDeclarations: [
    {
      UTTypeIdentifier: 'dev.grantbench.workspace',
      UTTypeDescription: 'Grantbench workspace',
      UTTypeConformsTo: ['public.json'],
      UTTypeTagSpecification: { 'public.filename-extension': ['grantbench.json'] },
    },
  ],
};

/** @param {string} folder */
async function stage(folder) {
  for (const path of IN_ARCHIVE)
    await cp(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (source) => !LIBRARY.test(source),
    });
  const manifest = {
    name: 'grantbench',
    productName: 'Grantbench',
    version: VERSION,
    license: 'MIT',
    type: 'module',
    main: './out/node/window.cjs',
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** @type {Record<string, string>} */
const EXECUTABLES = { darwin: 'Electron.app', win32: 'electron.exe' };

/** @param {string} folder @param {Target} target */
async function setFuses(folder, { platform, arch }) {
  await flipFuses(join(folder, EXECUTABLES[platform] ?? 'electron'), {
    version: FuseVersion.V1,
    resetAdHocDarwinSignature: platform === 'darwin' && arch === 'arm64',
    // The command line runs this Electron as Node; see docs/internals/security.md.
    [FuseV1Options.RunAsNode]: true,
    [FuseV1Options.EnableCookieEncryption]: false,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: false,
    // Linux does not support the hash.
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: platform !== 'linux',
    [FuseV1Options.OnlyLoadAppFromAsar]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  });
}

/** Credentials exist only in a release; without them nothing is signed. */
function signing() {
  const { APPLE_ID, APPLE_PASSWORD, APPLE_TEAM, WINDOWS_CERTIFICATE, WINDOWS_PASSWORD } =
    process.env;
  const mac =
    APPLE_ID && APPLE_PASSWORD && APPLE_TEAM
      ? {
          osxSign: {},
          osxNotarize: { appleId: APPLE_ID, appleIdPassword: APPLE_PASSWORD, teamId: APPLE_TEAM },
        }
      : {};
  const windows =
    WINDOWS_CERTIFICATE && WINDOWS_PASSWORD
      ? {
          windowsSign: {
            certificateFile: WINDOWS_CERTIFICATE,
            certificatePassword: WINDOWS_PASSWORD,
          },
        }
      : {};
  return { ...mac, ...windows };
}

/**
 * Returns files to put next to the archive on platforms without standard locations.
 *
 * @param {Target} target
 * @param {string} bill the text of the bill of materials
 * @param {string} folder for what is made here
 * @returns {Promise<string[]>}
 */
async function besideTheArchive({ platform }, bill, folder) {
  if (platform === 'linux') return [];
  const billFile = join(folder, 'bom.cdx.json');
  await writeFile(billFile, bill);
  const command = platform === 'win32' ? 'grantbench.cmd' : 'grantbench';
  return [
    join(RESOURCES, platform, command),
    join(ROOT, 'LICENSE'),
    join(ROOT, 'out', 'third-party-licenses.txt'),
    billFile,
  ];
}

/** @type {Record<string, string>} */
const ICONS = { darwin: 'icon.icns', win32: 'icon.ico' };

/**
 * Makes the app folder, or the bundle on macOS.
 *
 * @param {Target} target
 * @param {ElectronZip} electron
 * @param {string} bill the text of the bill of materials
 * @param {string} out an empty folder for it
 * @returns {Promise<string>}
 */
export async function buildAppFolder(target, electron, bill, out) {
  const { platform, arch } = target;
  const workshop = await mkdtemp(join(tmpdir(), 'grantbench-package-'));
  try {
    const dir = join(workshop, 'app');
    await mkdir(dir);
    await stage(dir);
    const [made] = await packager({
      dir,
      out,
      platform,
      arch,
      name: 'Grantbench',
      executableName: platform === 'linux' ? 'grantbench' : 'Grantbench',
      electronVersion: electron.version,
      electronZipDir: electron.folder,
      tmpdir: workshop,
      asar: true,
      extraResource: await besideTheArchive(target, bill, workshop),
      // Everything is bundled, so there is no node_modules to prune.
      prune: false,
      quiet: true,
      icon: join(RESOURCES, 'icons', ICONS[platform] ?? 'icon.ico'),
      appBundleId: 'dev.grantbench.Grantbench',
      appCategoryType: 'public.app-category.developer-tools',
      appCopyright: 'Copyright (c) the Grantbench contributors',
      extendInfo: DOCUMENT_TYPES,
      win32metadata: { CompanyName: 'Grantbench', FileDescription: 'Grantbench' },
      afterExtract: [
        (folder, _version, _platform, _arch, done) => {
          setFuses(folder, target).then(() => done(), done);
        },
      ],
      ...signing(),
    });
    if (made === undefined) throw new Error(`nothing was packaged for ${platform} ${arch}`);
    return made;
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}
