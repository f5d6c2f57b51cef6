// Failures of the file system during saving: locked files, unsupported operations, files of other users, leftovers of
// killed processes. System calls fail here as they do in reality.

import { spawnSync } from 'node:child_process';
import { closeSync, constants, default as fs, lstatSync, openSync, readSync } from 'node:fs';
import {
  chmod,
  chown,
  default as promises,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  appendDurably,
  closeToOthers,
  replaceFile,
  replaceFileSync,
  sweepTemporaryFiles,
  temporaryName,
} from '../../src/engine/files/atomic-file.ts';
import { inPieces, readIfThere, readRegularFile } from '../../src/engine/files/file-text.ts';
import { temporaryFolder } from '../support/harness.ts';

const onWindows = process.platform === 'win32';
const asRoot = process.getuid?.() === 0;

const newFile = async () => join(await temporaryFolder(), 'a.json');
const failure = (code: string) => Object.assign(new Error(`${code}: as the test wants`), { code });

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  syncBuiltinESMExports();
});

/** The prototype of open files, whose calls can be watched. */
async function handles(): Promise<FileHandle> {
  const handle = await open(await temporaryFolder(), 'r');
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

describe.skipIf(onWindows)('saved data is on disk', () => {
  /** What was flushed to disk, in order. */
  const watch = async () => {
    const flushed: string[] = [];
    const handle = await handles();
    for (const way of ['sync', 'datasync'] as const) {
      const real = handle[way];
      vi.spyOn(handle, way).mockImplementation(async function (this: FileHandle) {
        flushed.push((await this.stat()).isDirectory() ? 'folder' : 'file');
        await real.call(this);
      });
    }
    return flushed;
  };

  it('first the text, then its entry in the folder', async () => {
    const file = await newFile();
    const flushed = await watch();
    await replaceFile({ file, text: ['x'] });
    expect(flushed).toEqual(['file', 'folder']);
  });

  it('appended data too, and the entry of a new file', async () => {
    const file = await newFile();
    const flushed = await watch();
    await appendDurably(file, 'x');
    await appendDurably(file, 'y');
    expect(flushed).toEqual(['file', 'folder', 'file']);
    expect(await readFile(file, 'utf8')).toBe('xy');
  });

  const failFolders = async (code: string) => {
    const handle = await handles();
    const real = handle.sync;
    vi.spyOn(handle, 'sync').mockImplementation(async function (this: FileHandle) {
      if ((await this.stat()).isDirectory()) throw failure(code);
      await real.call(this);
    });
  };

  it.each(['EACCES', 'EINVAL', 'ENOTSUP', 'EPERM'])(
    'a file is saved even if its folder cannot be flushed (%s)',
    async (code) => {
      const file = await newFile();
      await failFolders(code);
      await replaceFile({ file, text: ['x'] });
      expect(await readFile(file, 'utf8')).toBe('x');
    },
  );

  it('a failure to flush the folder is reported', async () => {
    const file = await newFile();
    await failFolders('EIO');
    await expect(replaceFile({ file, text: ['x'] })).rejects.toThrow(/^EIO/);
  });
});

describe('a file that another process has open', () => {
  const hold = (code: string, times: number, platform: NodeJS.Platform) => {
    const real = promises.rename;
    let left = times;
    const rename = vi.spyOn(promises, 'rename').mockImplementation(async (from, to) => {
      if (left-- > 0) throw failure(code);
      await real(from, to);
    });
    syncBuiltinESMExports();
    vi.stubGlobal('process', Object.create(process, { platform: { value: platform } }));
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    return rename;
  };
  /** Lets the pauses between the tries go by. */
  const settled = async (saving: Promise<unknown>) => {
    const state = { over: false };
    const done = saving.finally(() => (state.over = true));
    done.catch(() => undefined);
    while (!state.over) {
      await new Promise(setImmediate);
      await vi.advanceTimersByTimeAsync(100);
    }
    return done;
  };

  it.each(['EACCES', 'EBUSY', 'EPERM'])(
    'for a moment on Windows (%s) is replaced once it is free',
    async (code) => {
      const file = await newFile();
      const rename = hold(code, 2, 'win32');
      await settled(replaceFile({ file, text: ['x'] }));
      expect(rename).toHaveBeenCalledTimes(3);
      expect(await readFile(file, 'utf8')).toBe('x');
    },
  );

  it('for five seconds on Windows causes an error', async () => {
    const file = await newFile();
    const rename = hold('EBUSY', 1000, 'win32');
    await expect(settled(replaceFile({ file, text: ['x'] }))).rejects.toThrow(/^EBUSY/);
    expect(rename).toHaveBeenCalledTimes(50);
  });

  it.each([
    ['EBUSY', 'linux'],
    ['EIO', 'win32'],
  ] as const)(
    'or that fails otherwise (%s on %s) causes an error at once',
    async (code, platform) => {
      const file = await newFile();
      const rename = hold(code, 1000, platform);
      await expect(settled(replaceFile({ file, text: ['x'] }))).rejects.toThrow(code);
      expect(rename).toHaveBeenCalledTimes(1);
      expect(await readdir(join(file, '..'))).toEqual([]);
    },
  );

  it('causes the system’s error in a synchronous call, and nothing is left behind', async () => {
    const file = await newFile();
    const error = failure('EBUSY');
    vi.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw error;
    });
    syncBuiltinESMExports();
    let caught: unknown;
    try {
      replaceFileSync({ file, text: 'x' });
    } catch (thrown) {
      caught = thrown;
    }
    expect(caught).toBe(error);
    expect(await readdir(join(file, '..'))).toEqual([]);
  });
});

describe.runIf(asRoot)('a user’s file that the superuser saves', () => {
  const owners = async (file: string) => {
    const { uid, gid } = await stat(file);
    return [uid, gid];
  };

  it.each([
    [1234, 5678],
    [1234, 0],
    [0, 5678],
  ])('stays that user’s (%i:%i)', async (uid, gid) => {
    const file = await newFile();
    await writeFile(file, 'old');
    await chown(file, uid, gid);
    await replaceFile({ file, text: ['new'] });
    expect(await owners(file)).toEqual([uid, gid]);
    replaceFileSync({ file, text: 'newer' });
    expect(await owners(file)).toEqual([uid, gid]);
  });

  it('is saved as the superuser’s if its owner cannot be kept', async () => {
    const file = await newFile();
    await writeFile(file, 'old');
    await chown(file, 1234, 5678);
    vi.spyOn(await handles(), 'chown').mockRejectedValue(failure('EPERM'));
    const fchown = vi.spyOn(fs, 'fchownSync').mockImplementation(() => {
      throw failure('EPERM');
    });
    syncBuiltinESMExports();
    replaceFileSync({ file, text: 'new' });
    expect(fchown).toHaveBeenCalled();
    await chown(file, 1234, 5678);
    await replaceFile({ file, text: ['newer'] });
    expect(await owners(file)).toEqual([0, 0]);
    expect(await readFile(file, 'utf8')).toBe('newer');
  });

  it('is not saved if that fails otherwise', async () => {
    const file = await newFile();
    await writeFile(file, 'old');
    await chown(file, 1234, 5678);
    vi.spyOn(await handles(), 'chown').mockRejectedValue(failure('EIO'));
    vi.spyOn(fs, 'fchownSync').mockImplementation(() => {
      throw failure('EIO');
    });
    syncBuiltinESMExports();
    await expect(replaceFile({ file, text: ['new'] })).rejects.toThrow(/^EIO/);
    expect(() => {
      replaceFileSync({ file, text: 'new' });
    }).toThrow(/^EIO/);
    expect(await readFile(file, 'utf8')).toBe('old');
    expect(await readdir(join(file, '..'))).toEqual(['a.json']);
  });
});

it('a missing folder is created, with its parents', async () => {
  const file = join(await temporaryFolder(), 'one', 'two', 'a.json');
  await replaceFile({ file, text: ['x'] });
  expect(await readFile(file, 'utf8')).toBe('x');
});

describe.skipIf(onWindows)('a file that others could read', () => {
  const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

  it.each([0o644, 0o640, 0o604, 0o777])('is for its owner only again (%i)', async (mode) => {
    const file = await newFile();
    await writeFile(file, 'x');
    await chmod(file, mode);
    await closeToOthers(file);
    expect(await modeOf(file)).toBe(0o600);
  });

  it('is not changed if only its owner could read it', async () => {
    const file = await newFile();
    await writeFile(file, 'x');
    await chmod(file, 0o400);
    await closeToOthers(file);
    expect(await modeOf(file)).toBe(0o400);
  });
});

it.runIf(process.platform === 'linux')('nothing stays open', async () => {
  const file = await newFile();
  const opened = async () => (await readdir('/proc/self/fd')).length;
  await replaceFile({ file, text: ['x'] });
  const before = await opened();
  for (let count = 0; count < 5; count++) {
    await replaceFile({ file, text: [String(count)] });
    await appendDurably(file, 'x');
    await readIfThere(file);
    replaceFileSync({ file, text: 'x' });
  }
  expect(await opened()).toBe(before);
});

it.skipIf(onWindows)('a pipe is written to, and stays one', async () => {
  const file = await newFile();
  spawnSync('mkfifo', [file]);
  const reader = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  replaceFileSync({ file, text: 'through' });
  const read = Buffer.alloc(100);
  expect(read.toString('utf8', 0, readSync(reader, read))).toBe('through');
  closeSync(reader);
  expect(lstatSync(file).isFIFO()).toBe(true);
});

describe('temporary files of killed processes', () => {
  let dead: number;
  beforeAll(() => {
    dead = spawnSync(process.execPath, ['-e', '']).pid;
  });

  it('are removed, as is one with this process’s own id, but no other file', async () => {
    const file = await newFile();
    const names = (pids: readonly string[]) => pids.map((pid) => `a.json.tmp-${pid}`);
    const swept = names([`${dead}-1f`, `${process.pid}-1f`]);
    const kept = names([`x${dead}-1f`, `${dead}-1f.bak`, `${dead}-`, `${process.ppid}-1f`]);
    for (const name of [...swept, ...kept]) await writeFile(join(file, '..', name), 'x');
    await sweepTemporaryFiles(file);
    expect((await readdir(join(file, '..'))).toSorted()).toEqual(kept.toSorted());
  });

  it('are removed before a synchronous replacement, except those that this process is writing', async () => {
    const file = await newFile();
    await writeFile(`${file}.tmp-${dead}-1f`, 'x');
    const own = temporaryName(file);
    await writeFile(own, 'x');
    replaceFileSync({ file, text: 'new' });
    await sweepTemporaryFiles(file);
    expect(await readdir(join(file, '..'))).toEqual(['a.json', basename(own)]);
  });

  it('are removed beside a circular link, including folders with their content', async () => {
    const file = await newFile();
    await symlink('a.json', file);
    await writeFile(`${file}.tmp-${dead}-1f`, 'x');
    await mkdir(`${file}.tmp-${dead}-2f`);
    await writeFile(join(`${file}.tmp-${dead}-2f`, 'key.pem'), 'x');
    await sweepTemporaryFiles(file);
    expect(await readdir(join(file, '..'))).toEqual(['a.json']);
  });

  it('are ignored if the folder is missing', async () => {
    await expect(
      sweepTemporaryFiles(join(await temporaryFolder(), 'gone', 'a.json')),
    ).resolves.toBeUndefined();
  });
});

describe.skipIf(onWindows)('a file that is not a regular file', () => {
  const refused = 'it is a device, a pipe or a socket, not a regular file';

  it('is not read: an endless device, a pipe without a writer, a socket', async () => {
    const [pipe, socket] = [await newFile(), await newFile()];
    spawnSync('mkfifo', [pipe]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    for (const file of ['/dev/zero', pipe, socket]) {
      await expect(readRegularFile(file)).rejects.toThrow(refused);
      await expect(readIfThere(file)).rejects.toThrow(refused);
    }
    server.close();
  });
});

describe('a text', () => {
  it('keeps its byte order mark when it is read', async () => {
    const file = await newFile();
    await writeFile(file, '\uFEFF{}');
    expect((await readIfThere(file))?.text).toBe('\uFEFF{}');
  });

  it('is split into pieces of at least 64 KiB, except the last', () => {
    const parts = ['x'.repeat(65_535), 'y', 'z'.repeat(70_000), 'end'];
    const pieces = [...inPieces(parts)];
    expect(pieces.map(({ length }) => length)).toEqual([65_536, 70_000, 3]);
    expect(Buffer.concat(pieces).toString()).toBe(parts.join(''));
  });
});
