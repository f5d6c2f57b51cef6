// A file is replaced completely or not at all, by a file that only its owner may read, at the target of a link.

import {
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendDurably, followLinks, replaceFile } from '../../src/engine/files/atomic-file.ts';
import { isOther, readIfThere } from '../../src/engine/files/file-text.ts';
import { formatWorkspace } from '../../src/engine/workspace/document.ts';
import { DEMO_WORKSPACE } from '../../src/engine/workspace/demo.ts';
import { temporaryFolder } from '../support/harness.ts';

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

describe.skipIf(process.platform === 'win32')('permissions', () => {
  it('are for the owner only, whatever they were, as are those of the temporary file', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'a.json');
    await writeFile(file, 'old', { mode: 0o666 });
    const seen: number[] = [];
    function* text() {
      for (const name of readdirSync(folder)) {
        if (name !== 'a.json') seen.push(statSync(join(folder, name)).mode & 0o777);
      }
      yield 'new';
    }
    await replaceFile({ file, text: text() });
    expect(seen).toEqual([0o600]);
    expect(await modeOf(file)).toBe(0o600);
    expect(await readFile(file, 'utf8')).toBe('new');
    const appended = join(folder, 'b.json');
    await appendDurably(appended, 'x');
    expect(await modeOf(appended)).toBe(0o600);
  });
});

describe('a link', () => {
  it('stays a link when its target is missing, which is created', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'link.json');
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join('elsewhere', 'target.json'), file);
    await replaceFile({ file, text: ['first'] });
    await replaceFile({ file, text: ['second'] });
    expect(await readlink(file)).toBe(join('elsewhere', 'target.json'));
    expect(await readFile(join(folder, 'elsewhere', 'target.json'), 'utf8')).toBe('second');
    expect(await readdir(join(folder, 'elsewhere'))).toEqual(['target.json']);
  });

  it('is followed through other links and linked folders', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'real'));
    await symlink('real', join(folder, 'alias'));
    await symlink('second.json', join(folder, 'alias', 'first.json'));
    await symlink('third.json', join(folder, 'real', 'second.json'));
    const end = await followLinks(join(folder, 'alias', 'first.json'));
    expect(end).toBe(join(await followLinks(join(folder, 'real')), 'third.json'));
  });

  it('into a missing folder is an error that names the folder, which is not created', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'link.json');
    await symlink(join(folder, 'gone', 'target.json'), file);
    const failure = replaceFile({ file, text: ['x'] });
    await expect(failure).rejects.toThrow(
      /it is a link to .*target\.json, and there is no folder .*gone/,
    );
    expect(await readdir(folder)).toEqual(['link.json']);
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
  });

  it('to itself is an error', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'link.json');
    await symlink('link.json', file);
    await expect(replaceFile({ file, text: ['x'] })).rejects.toThrow(/ELOOP/);
  });
});

describe('a failure leaves the file unchanged, and nothing beside it', () => {
  const cases: [string, () => Iterable<string>, RegExp][] = [
    [
      'a text that cannot be generated',
      function* () {
        yield 'x'.repeat(200_000);
        throw new RangeError('Invalid string length');
      },
      /Invalid string length/,
    ],
    [
      'a text of more than 256 MiB',
      function* () {
        for (let count = 0; count < 257; count++) yield 'x'.repeat(1024 * 1024);
      },
      /it would exceed the maximum of 256 MiB/,
    ],
  ];
  it.each(cases)('%s', async (_, text, problem) => {
    const folder = await temporaryFolder();
    const file = join(folder, 'a.json');
    await writeFile(file, 'old');
    await expect(replaceFile({ file, text: text() })).rejects.toThrow(problem);
    expect(await readFile(file, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.json']);
  });

  it('a file of more than 256 MiB is not read', async () => {
    const file = join(await temporaryFolder(), 'a.json');
    const { open } = await import('node:fs/promises');
    const handle = await open(file, 'w');
    await handle.truncate(257 * 1024 * 1024);
    await handle.close();
    await expect(readIfThere(file)).rejects.toThrow(/it exceeds the maximum of 256 MiB/);
  });
});

it('existing content is distinguished from another text of the same length', async () => {
  const file = join(await temporaryFolder(), 'a.json');
  const known = await replaceFile({ file, text: ['ab', 'c'] });
  expect((await readIfThere(file))?.fingerprint).toEqual(known);
  expect(await isOther(file, known)).toBe(false);
  await writeFile(file, 'abd');
  expect(await isOther(file, known)).toBe(true);
});

it('a workspace written in pieces equals indented JSON', () => {
  const odd = { ...DEMO_WORKSPACE, name: 'line\nbreak "quoted"', audiences: [], faults: [] };
  for (const workspace of [DEMO_WORKSPACE, odd]) {
    expect([...formatWorkspace(workspace)].join('')).toBe(
      `${JSON.stringify(workspace, null, 2)}\n`,
    );
  }
});
