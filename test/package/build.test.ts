// A build made while the former one runs: what is served meanwhile and afterwards, and when it is made anew.
// The last part needs a build of the product.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createBuild } from '../../scripts/create-build.mjs';
import { createStaticFiles } from '../../src/engine/control-server/static-files.ts';

let root: string;
const inRoot = (name: string) => join(root, name);

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'grantbench-build-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true });
  });
  write(inRoot('src/page.ts'), 'first');
});

/** A bundler that makes a page which loads one view: the name of each has a hash of the source. */
const bundle = (folder: string): Promise<string | null> => {
  const hash = readFileSync(inRoot('src/page.ts'), 'utf8').padEnd(8, '0');
  write(join(folder, 'renderer/assets', `page-${hash}.js`), `import('./view-${hash}.js')`);
  write(join(folder, 'renderer/assets', `view-${hash}.js`), hash);
  write(join(folder, 'renderer/index.html'), `<script src="./assets/page-${hash}.js">`);
  return Promise.resolve(null);
};

const create = (make = bundle) => createBuild({ root, sources: ['src'], bundle: make });

async function served(path: string): Promise<string | null> {
  const file = await createStaticFiles(inRoot('out/renderer'))(path);
  return file === null ? null : file.body.toString();
}

/** The build of the source in another state. */
async function makeOf(source: string): Promise<void> {
  write(inRoot('src/page.ts'), source);
  expect(await create().make()).toBeNull();
}

describe('a build', () => {
  it('is current until a source changes, comes or goes', async () => {
    const { isFresh } = create();
    expect(isFresh()).toBe(false);
    await makeOf('first');
    expect(isFresh()).toBe(true);
    write(inRoot('src/new.ts'), '');
    expect(isFresh()).toBe(false);
    await makeOf('first');
    rmSync(inRoot('src/new.ts'));
    expect(isFresh()).toBe(false);
    await makeOf('first');
    utimesSync(inRoot('src/page.ts'), 1, 1);
    expect(isFresh()).toBe(false);
  });

  it('is not current when the sources changed while it was made', async () => {
    const build = create(async (folder) => {
      await bundle(folder);
      write(inRoot('src/page.ts'), 'changed meanwhile');
      return null;
    });
    await build.make();
    expect(build.isFresh()).toBe(false);
  });

  it('is not current when a file of it is missing or another one', async () => {
    await makeOf('first');
    write(inRoot('out/renderer/index.html'), 'of npm run dev');
    expect(create().isFresh()).toBe(false);
    await makeOf('first');
    rmSync(inRoot('out/renderer/assets/view-first000.js'));
    expect(create().isFresh()).toBe(false);
  });

  it('leaves the former one to be served while it is made', async () => {
    await makeOf('first');
    write(inRoot('src/page.ts'), 'second');
    await create(async (folder) => {
      expect(await served('/')).toContain('page-first000.js');
      await bundle(folder);
      expect(await served('/')).toContain('page-first000.js');
      expect(await served('/assets/view-first000.js')).toBe('first000');
      return null;
    }).make();
    expect(await served('/')).toContain('page-second00.js');
    expect(await served('/assets/view-second00.js')).toBe('second00');
  });

  it('leaves every view to a page that is open, and takes away what was left to older ones', async () => {
    await makeOf('first');
    await makeOf('second');
    expect(await served('/assets/view-first000.js')).toBe('first000');
    await makeOf('third');
    expect(await served('/assets/view-first000.js')).toBeNull();
    expect(await served('/assets/view-second00.js')).toBe('second00');
    create().removeFormer();
    expect(await served('/assets/view-second00.js')).toBeNull();
    expect(await served('/assets/view-third000.js')).toBe('third000');
  });

  it('that fails leaves the former one as it was, and says why', async () => {
    await makeOf('first');
    const failed = create((folder) => {
      write(join(folder, 'renderer/index.html'), 'half of it');
      return Promise.resolve('a bracket is missing');
    });
    expect(await failed.make()).toBe('a bracket is missing');
    expect(await served('/')).toContain('page-first000.js');
    expect(failed.isFresh()).toBe(true);
  });

  it('that cannot be put in place whole is not named by the page', async () => {
    await makeOf('first');
    // A folder has the name of a file that the new page would load.
    write(inRoot('out/renderer/assets/view-second00.js/in-the-way'), '');
    await expect(makeOf('second')).rejects.toThrow();
    expect(await served('/')).toContain('page-first000.js');
    expect(create().isFresh()).toBe(false);
  });

  it('removes what a killed process had made of one, and nothing of a process that lives', async () => {
    const alive = `.building-${process.ppid}`;
    for (const name of [alive, '.building-99999999']) write(inRoot(`out/${name}/index.html`), '');
    await makeOf('first');
    expect(existsSync(inRoot('out/.building-99999999'))).toBe(false);
    expect(existsSync(inRoot(`out/${alive}`))).toBe(true);
    expect(existsSync(inRoot(`out/.building-${process.pid}`))).toBe(false);
  });
});

describe('the build of the product', () => {
  const out = fileURLToPath(new URL('../../out/', import.meta.url));
  const { files } = JSON.parse(readFileSync(join(out, 'build.json'), 'utf8')) as {
    files: Record<string, number>;
  };
  const names = Object.keys(files);
  const loaded = (name: string) => /^(?:renderer\/assets|node\/chunks)\//.test(name);

  it('has a hash of the content in the name of each file that others load', () => {
    const hashed = names.filter(loaded);
    expect(hashed.length).toBeGreaterThan(100);
    for (const name of hashed) expect(name).toMatch(/-[\w-]{8,}\.\w+$/);
    expect(names.filter((name) => !loaded(name)).sort()).toEqual([
      'bom.cdx.json',
      'declarations/control.d.ts',
      'node/cli.cjs',
      'node/index.cjs',
      'node/index.d.cts',
      'node/index.d.mts',
      'node/index.mjs',
      'node/window.cjs',
      'packages/node.json',
      'packages/preload.json',
      'packages/renderer.json',
      'preload/preload.cjs',
      'renderer/index.html',
      'third-party-licenses.txt',
    ]);
  });

  it('loads no file whose name stays the same from one whose name has a hash', () => {
    for (const name of names.filter((file) => loaded(file) && file.endsWith('.cjs')))
      expect(readFileSync(join(out, name), 'utf8'), name).not.toMatch(
        /\.\.\/(?:cli|index|window)\.cjs/,
      );
  });
});
