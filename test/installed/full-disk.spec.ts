// A full disk while packaging: the test mounts a small file system, which requires root.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const SCRIPT = fileURLToPath(new URL('../../scripts/package.mjs', import.meta.url));

let folder: string;
let problem: string | null;

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantbench-small-'));
  const options = ['-t', 'tmpfs', '-o', 'size=20m', 'none', folder];
  const { status, stderr } = spawnSync('mount', options, { encoding: 'utf8' });
  problem = status === 0 ? null : stderr.trim();
});

test.afterEach(() => {
  if (problem === null) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true });
});

for (const [where, settings] of [
  ['where packages go', () => ({ args: ['--out', folder], env: {} })],
  [
    'where they are made',
    () => ({ args: ['--out', join(folder, 'dist')], env: { TMPDIR: folder } }),
  ],
] as const)
  test(`a full disk ${where} is reported in one sentence, and no partial package remains`, () => {
    test.skip(problem !== null, `no small file system can be mounted: ${problem}`);
    const { args, env } = settings();
    const command = [SCRIPT, '--linux', 'deb', '--electron', 'test', ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n').at(-1)).toMatch(
      /^Not packaged: no space is left in .+: make room, or choose others with --out and TMPDIR\.$/,
    );
    const left = readdirSync(folder, { recursive: true }).map(String);
    expect(left.filter((name) => name !== 'dist')).toEqual([]);
  });
