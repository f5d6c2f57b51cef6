// The README's links are relative: npm resolves them only against the repository of the package.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/harness.ts';

const ROOT = join(import.meta.dirname, '..', '..');

async function publish(members: object) {
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(members));
  const script = join(ROOT, 'scripts', 'before-publishing.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd, encoding: 'utf8' });
  return { status, stderr };
}

it('the package cannot be published without a repository', async () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['prepublishOnly']).toBe('node scripts/before-publishing.mjs');
  expect(await publish({})).toEqual({
    status: 1,
    stderr: 'Set repository in package.json first: npm needs it for the links of the README.\n',
  });
  for (const repository of ['github:example/app', { type: 'git', url: 'git+https://x.test/a' }])
    expect(await publish({ repository })).toEqual({ status: 0, stderr: '' });
});

it('each relative link of the README leads to a file of the repository', () => {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => path);
  expect(targets).toContain('docs/tutorial.md');
  expect(targets.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
