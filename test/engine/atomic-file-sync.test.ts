// A file that is replaced synchronously: completely or not at all, at the target of a link, and with a clear error.

import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFileSync } from '../../src/engine/files/atomic-file.ts';
import { saveText } from '../../src/cli/files.ts';
import { temporaryFolder } from '../support/harness.ts';

const modeOf = (file: string) => statSync(file).mode & 0o777;
const textOf = (file: string) => readFileSync(file, 'utf8');

describe.skipIf(process.platform === 'win32')('permissions', () => {
  it('are for the owner only, whatever they were', async () => {
    const file = join(await temporaryFolder(), 'a.json');
    replaceFileSync({ file, text: 'first' });
    expect(modeOf(file)).toBe(0o600);
    await chmod(file, 0o644);
    replaceFileSync({ file, text: 'second' });
    expect(modeOf(file)).toBe(0o600);
    expect(textOf(file)).toBe('second');
  });

  it('stay those of a replaced file; a new file is readable by its owner only', async () => {
    const file = join(await temporaryFolder(), 'a.json');
    saveText(file, 'first');
    expect(modeOf(file)).toBe(0o600);
    await chmod(file, 0o664);
    saveText(file, 'second');
    expect(modeOf(file)).toBe(0o664);
  });
});

describe('a link', () => {
  it('stays a link, and its target is replaced', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'link.json');
    await writeFile(join(folder, 'target.json'), 'old');
    await symlink('target.json', file);
    replaceFileSync({ file, text: 'new' });
    expect(readlinkSync(file)).toBe('target.json');
    expect(textOf(join(folder, 'target.json'))).toBe('new');
    expect(readdirSync(folder).toSorted()).toEqual(['link.json', 'target.json']);
  });

  it('stays a link when its target is missing, which is created', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'link.json');
    mkdirSync(join(folder, 'elsewhere'));
    await symlink('second.json', file);
    await symlink(join('elsewhere', 'target.json'), join(folder, 'second.json'));
    saveText(file, 'new');
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(folder, 'second.json')).isSymbolicLink()).toBe(true);
    expect(textOf(join(folder, 'elsewhere', 'target.json'))).toBe('new');
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['target.json']);
  });

  it('is an error when it leads to itself', async () => {
    const file = join(await temporaryFolder(), 'link.json');
    await symlink('link.json', file);
    expect(() => {
      replaceFileSync({ file, text: 'x' });
    }).toThrow(/ELOOP/);
  });
});

describe('the error names the cause, and nothing is left behind:', () => {
  const failure = (file: string) => () => {
    replaceFileSync({ file, text: 'x' });
  };

  it('a missing folder, which is not created', async () => {
    const folder = await temporaryFolder();
    expect(failure(join(folder, 'gone', 'a.json'))).toThrow(/^ENOENT: there is no folder .*gone$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a link into a missing folder', async () => {
    const folder = await temporaryFolder();
    await symlink(join(folder, 'gone', 'target.json'), join(folder, 'link.json'));
    expect(failure(join(folder, 'link.json'))).toThrow(
      /^ENOENT: it is a link to .*target\.json, and there is no folder .*gone$/,
    );
    expect(readdirSync(folder)).toEqual(['link.json']);
  });

  it('a folder of that name', async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, 'a.json'));
    expect(failure(join(folder, 'a.json'))).toThrow(/^EISDIR: a folder has this name$/);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('a name that is too long, which the error repeats', async () => {
    const folder = await temporaryFolder();
    const name = `${'n'.repeat(300)}.json`;
    expect(failure(join(folder, name))).toThrow(/ENAMETOOLONG: .*n{300}\.json/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a name that leaves no room for that of the temporary file', async () => {
    const folder = await temporaryFolder();
    const name = 'n'.repeat(250);
    expect(failure(join(folder, name))).toThrow(/^ENAMETOOLONG: the name n{250} is too long$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  // The superuser may write every file.
  it.skipIf(process.getuid?.() === 0)(
    'a file that is read-only, which stays as it was',
    async () => {
      const folder = await temporaryFolder();
      const file = join(folder, 'a.json');
      await writeFile(file, 'old', { mode: 0o400 });
      expect(failure(file)).toThrow(/EACCES|EPERM/);
      expect(textOf(file)).toBe('old');
      expect(readdirSync(folder)).toEqual(['a.json']);
    },
  );
});
