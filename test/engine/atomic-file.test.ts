// A file is replaced completely or not at all, by a file that only its owner may read, at the target of a link. Both
// versions do so; the synchronous one names every cause of an error.

import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saveText } from '../../src/cli/files.ts';
import {
  appendDurably,
  followLinks,
  followLinksSync,
  replaceFile,
  replaceFileSync,
} from '../../src/engine/files/atomic-file.ts';
import { readIfThere } from '../../src/engine/files/file-text.ts';
import { formatWorkspace } from '../../src/engine/workspace/document.ts';
import { DEMO_WORKSPACE } from '../../src/engine/workspace/demo.ts';
import { temporaryFolder } from '../support/harness.ts';

const modeOf = (file: string) => statSync(file).mode & 0o777;
const textOf = (file: string) => readFileSync(file, 'utf8');
const isLink = (file: string) => lstatSync(file).isSymbolicLink();

/** The two versions, both called as asynchronous ones, and the beginning of their message about a missing folder. */
const VERSIONS: [string, (file: string, text: string) => Promise<unknown>, RegExp][] = [
  ['replaceFile', (file, text) => replaceFile({ file, text: [text] }), /^it is a link to /],
  [
    'replaceFileSync',
    async (file, text) => {
      replaceFileSync({ file, text });
    },
    /^ENOENT: it is a link to /,
  ],
];

describe.each(VERSIONS)('%s', (_, replace, missing) => {
  it.skipIf(process.platform === 'win32')(
    'makes the file readable by its owner only, whatever the permissions were',
    async () => {
      const file = join(await temporaryFolder(), 'a.json');
      await replace(file, 'first');
      expect(modeOf(file)).toBe(0o600);
      await chmod(file, 0o666);
      await replace(file, 'second');
      expect(modeOf(file)).toBe(0o600);
      expect(textOf(file)).toBe('second');
    },
  );

  it('replaces the target of a link, which stays a link', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'link.json');
    writeFileSync(join(folder, 'target.json'), 'old');
    symlinkSync('target.json', file);
    await replace(file, 'new');
    expect(readlinkSync(file)).toBe('target.json');
    expect(textOf(join(folder, 'target.json'))).toBe('new');
    expect(readdirSync(folder).toSorted()).toEqual(['link.json', 'target.json']);
  });

  it('rejects a link into a missing folder, which it names and does not create', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'link.json');
    symlinkSync(join(folder, 'gone', 'target.json'), file);
    const failure = replace(file, 'x');
    await expect(failure).rejects.toThrow(missing);
    await expect(failure).rejects.toThrow(/target\.json, and there is no folder .*gone$/);
    expect(readdirSync(folder)).toEqual(['link.json']);
    expect(isLink(file)).toBe(true);
  });

  it('rejects a link to itself', async () => {
    const file = join(await temporaryFolder(), 'link.json');
    symlinkSync('link.json', file);
    await expect(replace(file, 'x')).rejects.toThrow(/ELOOP/);
  });
});

describe.skipIf(process.platform === 'win32')('permissions', () => {
  it('are for the owner only in the temporary file and in one that is appended to', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'a.json');
    await writeFile(file, 'old', { mode: 0o666 });
    const seen: number[] = [];
    function* text() {
      for (const name of readdirSync(folder)) {
        if (name !== 'a.json') seen.push(modeOf(join(folder, name)));
      }
      yield 'new';
    }
    await replaceFile({ file, text: text() });
    expect(seen).toEqual([0o600]);
    const appended = join(folder, 'b.json');
    await appendDurably(appended, 'x');
    expect(modeOf(appended)).toBe(0o600);
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

it('a link is followed through other links and linked folders to its missing target, in both ways', async () => {
  const folder = await followLinks(await temporaryFolder());
  mkdirSync(join(folder, 'real'));
  symlinkSync('real', join(folder, 'alias'));
  symlinkSync('second.json', join(folder, 'alias', 'first.json'));
  symlinkSync('third.json', join(folder, 'real', 'second.json'));
  const end = join(folder, 'real', 'third.json');
  for (const name of ['first.json', 'third.json']) {
    const file = join(folder, 'alias', name);
    expect([await followLinks(file), followLinksSync(file)]).toEqual([end, end]);
  }
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
    expect(textOf(file)).toBe('old');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('a file of more than 256 MiB is not read', async () => {
    const file = join(await temporaryFolder(), 'a.json');
    writeFileSync(file, '');
    truncateSync(file, 257 * 1024 * 1024);
    await expect(readIfThere(file)).rejects.toThrow(/it exceeds the maximum of 256 MiB/);
  });
});

it('a workspace written in pieces equals indented JSON', () => {
  const odd = { ...DEMO_WORKSPACE, name: 'line\nbreak "quoted"', audiences: [], faults: [] };
  for (const workspace of [DEMO_WORKSPACE, odd]) {
    expect([...formatWorkspace(workspace)].join('')).toBe(
      `${JSON.stringify(workspace, null, 2)}\n`,
    );
  }
});

describe('the error of replaceFileSync names the cause, and nothing is left behind:', () => {
  const failure = (file: string) => () => {
    replaceFileSync({ file, text: 'x' });
  };

  it('a missing folder, which is not created', async () => {
    const folder = await temporaryFolder();
    expect(failure(join(folder, 'gone', 'a.json'))).toThrow(/^ENOENT: there is no folder .*gone$/);
    expect(readdirSync(folder)).toEqual([]);
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
