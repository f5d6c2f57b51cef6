// What the window remembers about itself is its owner's only, whole, and no reason to stop.

import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createWindowSettings } from '../../src/main/window-settings.ts';
import { writeSmallFile } from '../../src/main/small-file.ts';
import { temporaryFolder } from '../support/harness.ts';

it.skipIf(process.platform === 'win32')('can be read by its owner only, a link stays', async () => {
  const folder = await temporaryFolder();
  const target = join(folder, 'target.json');
  const link = join(folder, 'link.json');
  await writeFile(target, 'old');
  await chmod(target, 0o644);
  await symlink('target.json', link);
  writeSmallFile(link, 'new');
  expect(await readFile(target, 'utf8')).toBe('new');
  expect((await stat(target)).mode & 0o777).toBe(0o600);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect((await readdir(folder)).toSorted()).toEqual(['link.json', 'target.json']);
});

it('settings that cannot be written hold for this run, and stderr says so', async () => {
  const file = join(await temporaryFolder(), 'window-settings.json');
  await mkdir(file);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const settings = createWindowSettings(file);
  settings.set({ keep_running: true });
  expect(settings.get().keep_running).toBe(true);
  expect(said.mock.calls).toEqual([
    [expect.stringMatching(/^grantbench: window-settings\.json could not be saved: EISDIR/)],
  ]);
  said.mockRestore();
});
