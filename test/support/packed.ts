// The npm package, packed and installed from its tarball in a new project, without network.

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { removeFormer } from '../../scripts/build.mjs';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
}

export interface FreshProject {
  readonly folder: string;
  /** Names in the tarball. */
  readonly files: readonly string[];
  readonly tarball: string;
  /** Bytes of the tarball. */
  readonly size: number;
  /** Names of all installed packages, including this one. */
  readonly installed: readonly string[];
  readonly manifest: Manifest;
  readonly write: (name: string, text: string) => Promise<string>;
  readonly remove: () => Promise<void>;
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

async function npm(cwd: string, ...args: string[]): Promise<string> {
  const script =
    process.env['npm_execpath'] ??
    join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const { stdout } = await run(process.execPath, [script, ...args], {
    cwd,
    maxBuffer: 16_777_216,
  });
  return stdout;
}

/** Makes the tarball in this folder, with the steps of the script `prepack` but the build. */
export async function pack(folder: string): Promise<Packed> {
  removeFormer();
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(await npm(ROOT, ...args)) as [Packed];
  return packed;
}

export async function createFreshProject(): Promise<FreshProject> {
  const folder = await mkdtemp(join(tmpdir(), 'grantbench-fresh-'));
  const packed = await pack(folder);
  const tarball = join(folder, packed.filename);
  await writeFile(join(folder, 'package.json'), '{"name": "fresh", "type": "module"}');
  await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', tarball);
  const modules = join(folder, 'node_modules');
  const text = await readFile(join(modules, 'grantbench', 'package.json'), 'utf8');
  return {
    folder,
    files: packed.files.map(({ path }) => path),
    tarball,
    size: packed.size,
    installed: (await readdir(modules)).filter((name) => !name.startsWith('.')),
    manifest: JSON.parse(text) as Manifest,
    write: async (name, content) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
