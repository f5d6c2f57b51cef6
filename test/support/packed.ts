// The npm package as a fresh project has it: packed, unpacked into a node_modules, and beside it nothing
// but its runtime dependencies, which are those of this checkout.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

export interface FreshProject {
  readonly folder: string;
  /** Names in the tarball. */
  readonly files: readonly string[];
  /** Bytes of the tarball. */
  readonly size: number;
  readonly manifest: Manifest;
  readonly write: (name: string, text: string) => Promise<string>;
  readonly remove: () => Promise<void>;
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Without its scripts: they would build anew. */
async function pack(folder: string): Promise<Packed> {
  const npm =
    process.env['npm_execpath'] ??
    join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const args = [npm, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run(process.execPath, args, { cwd: ROOT, maxBuffer: 16_777_216 });
  const [packed] = JSON.parse(stdout) as [Packed];
  return packed;
}

async function linkDependency(name: string, modules: string): Promise<void> {
  const target = join(modules, name);
  await mkdir(dirname(target), { recursive: true });
  await symlink(join(ROOT, 'node_modules', name), target, 'junction');
}

export async function createFreshProject(): Promise<FreshProject> {
  const folder = await mkdtemp(join(tmpdir(), 'grantbench-fresh-'));
  const packed = await pack(folder);
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await run('tar', ['-xzf', join('..', packed.filename)], { cwd: modules });
  await rename(join(modules, 'package'), join(modules, 'grantbench'));
  const text = await readFile(join(modules, 'grantbench', 'package.json'), 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  for (const name of Object.keys(manifest.dependencies)) await linkDependency(name, modules);
  await writeFile(join(folder, 'package.json'), '{"name": "fresh", "type": "module"}');
  return {
    folder,
    files: packed.files.map(({ path }) => path),
    size: packed.size,
    manifest,
    write: async (name, content) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
