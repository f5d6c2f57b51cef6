// The window's stored state is readable by its owner only, and its failures never stop the app.

import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openEngine } from '../../src/main/engine.ts';
import { createWindowSettings, remember } from '../../src/main/window-settings.ts';
import { temporaryFolder } from '../support/harness.ts';

it.skipIf(process.platform === 'win32')('can be read by its owner only', async () => {
  const file = join(await temporaryFolder(), 'new-folder', 'state.json');
  remember(file, 'first');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await chmod(file, 0o644);
  remember(file, 'second');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).toBe('second');
});

it('a file where its folder should be is not changed, and stderr says so', async () => {
  const place = join(await temporaryFolder(), 'taken');
  await writeFile(place, 'mine');
  const shown = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  remember(join(place, 'state.json'), 'new');
  expect(shown.mock.calls).toEqual([
    [expect.stringMatching(/^grantbench: state\.json could not be saved: E(EXIST|NOTDIR)/)],
  ]);
  shown.mockRestore();
  expect(await readFile(place, 'utf8')).toBe('mine');
});

it('settings that cannot be written apply to this run, and stderr says so', async () => {
  const file = join(await temporaryFolder(), 'window-settings.json');
  await mkdir(file);
  const shown = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const settings = createWindowSettings(file);
  settings.set({ keep_running: true });
  expect(settings.get().keep_running).toBe(true);
  expect(shown.mock.calls).toEqual([
    [expect.stringMatching(/^grantbench: window-settings\.json could not be saved: EISDIR/)],
  ]);
  shown.mockRestore();
});

it('members of a newer version stay in the settings', async () => {
  const file = join(await temporaryFolder(), 'window-settings.json');
  await writeFile(file, JSON.stringify({ colour: 'of tomorrow', keep_running: false }));
  createWindowSettings(file).set({ keep_running: true });
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    colour: 'of tomorrow',
    keep_running: true,
  });
});

it('a damaged settings file is reported and not overwritten; a missing one is neither', async () => {
  const file = join(await temporaryFolder(), 'window-settings.json');
  expect(createWindowSettings(file).problem).toBeNull();
  await writeFile(file, '{"workspace": "/shop');
  const settings = createWindowSettings(file);
  expect(settings.problem).toContain('JSON');
  settings.set({ theme: 'dark' });
  expect(await readFile(file, 'utf8')).toBe('{"workspace": "/shop');
});

it('a workspace that was opened before and is gone is reported, and not replaced by the demo workspace; the first start creates its file', async () => {
  const folder = await temporaryFolder();
  const listening = { port: 0, host: undefined, https: false, certificate_folder: folder };
  const open = async (opened: boolean) => {
    const workspace = join(folder, opened ? 'moved.json' : 'first.json');
    const { engine, unreadable } = await openEngine({ workspace, opened, kept: null }, listening);
    const { file } = engine.server().workspace;
    await engine.close();
    return {
      file,
      reported: unreadable.map(({ error, what }) => ({ what, ...error.problems[0] })),
    };
  };
  const gone = { what: 'workspace', path: '', message: 'there is no such file' };
  expect(await open(true)).toEqual({ file: null, reported: [gone] });
  expect(await open(false)).toEqual({ file: 'first.json', reported: [] });
});
