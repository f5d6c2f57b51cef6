// Builds the package under test and a later version of it, and installs and removes them with apt.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const PACKAGE = 'grantbench-test';

export interface Built {
  readonly file: string;
  /** The same package with a higher version. */
  readonly newer: string;
  readonly remove: () => void;
}

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** @returns its version */
function makeNewer(file: string, folder: string): string {
  const tree = join(folder, 'tree');
  run('dpkg-deb', '-R', file, tree);
  const control = join(tree, 'DEBIAN', 'control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .+$/m, '$&+newer'));
  const newer = join(folder, 'newer.deb');
  run('dpkg-deb', '--root-owner-group', '-Znone', '--build', tree, newer);
  return newer;
}

export function buildPackage(): Built {
  const folder = mkdtempSync(join(tmpdir(), 'grantbench-deb-'));
  // apt reads the file as its own user.
  chmodSync(folder, 0o755);
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const script = join(ROOT, 'scripts', 'package.mjs');
    run(process.execPath, script, '--linux', 'deb', '--electron', 'test', '--out', folder);
    const name = readdirSync(folder).find((one) => one.endsWith('.deb')) ?? '';
    const file = join(folder, name);
    return { file, newer: makeNewer(file, folder), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

export function install(file: string): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const args = ['install', '-q', '-y', '--no-install-recommends', file];
  execFileSync('apt-get', args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Prints nothing for a package that is not installed. */
export function purge(): void {
  spawnSync('apt-get', ['purge', '-q', '-y', PACKAGE], { stdio: 'ignore' });
}

export const installedVersion = (): string => run('dpkg-query', '-W', '-f', '${Version}', PACKAGE);

export const installedFiles = (): string[] => run('dpkg-query', '-L', PACKAGE).trim().split('\n');

/** Libraries of the program that are missing on the machine. */
export const missingLibraries = (program: string): string[] =>
  run('ldd', program)
    .split('\n')
    .filter((line) => line.includes('not found'));

/** The files that changed since dpkg installed the package. */
export const verify = (): string => run('dpkg', '--verify', PACKAGE);
