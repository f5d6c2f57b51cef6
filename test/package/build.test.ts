// Builds while an earlier build is being served: what is served during and after the build, and when a new one is
// needed. The last part needs a build of the product.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createBuild } from '../../scripts/create-build.mjs';
import { createStaticFiles } from '../../src/engine/control-server/static-files.ts';
import { words } from '../support/words.ts';

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

/** A stand-in bundler: a page that loads one view, each with a hash of the source in its name. */
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

/** Builds from this content of the source. */
async function makeOf(source: string): Promise<void> {
  write(inRoot('src/page.ts'), source);
  expect(await create().make()).toBeNull();
}

describe('a build', () => {
  it('is current until a source is changed, added or removed', async () => {
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

  it('is not current when a source changed during the build', async () => {
    const build = create(async (folder) => {
      await bundle(folder);
      write(inRoot('src/page.ts'), 'changed meanwhile');
      return null;
    });
    await build.make();
    expect(build.isFresh()).toBe(false);
  });

  it('is not current when one of its files is missing or was replaced', async () => {
    await makeOf('first');
    write(inRoot('out/renderer/index.html'), 'of npm run dev');
    expect(create().isFresh()).toBe(false);
    await makeOf('first');
    rmSync(inRoot('out/renderer/assets/view-first000.js'));
    expect(create().isFresh()).toBe(false);
  });

  it('leaves the earlier build in place until it is complete', async () => {
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

  it('keeps the views of open pages and removes those of older builds', async () => {
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

  it('that fails reports why and leaves the earlier build unchanged', async () => {
    await makeOf('first');
    const failed = create((folder) => {
      write(join(folder, 'renderer/index.html'), 'half of it');
      return Promise.resolve('a bracket is missing');
    });
    expect(await failed.make()).toBe('a bracket is missing');
    expect(await served('/')).toContain('page-first000.js');
    expect(failed.isFresh()).toBe(true);
  });

  it('that cannot be moved into place completely is not used by the page', async () => {
    await makeOf('first');
    // A folder blocks the name of a file that the new page would load.
    write(inRoot('out/renderer/assets/view-second00.js/in-the-way'), '');
    await expect(makeOf('second')).rejects.toThrow();
    expect(await served('/')).toContain('page-first000.js');
    expect(create().isFresh()).toBe(false);
  });

  it('removes the partial build of a killed process, but not that of a running one', async () => {
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
  const scripts = names.filter((name) => /^renderer\/assets\/.*\.js$/.test(name));
  const loaded = (name: string) => /^(?:renderer\/assets|node\/chunks)\//.test(name);

  it('names each loaded file with a hash of its content', () => {
    const hashed = names.filter(loaded);
    expect(hashed.length).toBeGreaterThan(100);
    for (const name of hashed) expect(name).toMatch(/-[\w-]{8,}\.\w+$/);
    expect(names.filter((name) => !loaded(name)).sort()).toEqual(
      words(
        'bom.cdx.json declarations/control.d.ts node/cases.cjs node/cases.d.cts',
        'node/cases.d.mts node/cases.mjs node/cli.cjs node/index.cjs node/index.d.cts',
        'node/index.d.mts node/index.mjs node/window.cjs packages/node.json',
        'packages/preload.json packages/renderer.json preload/preload.cjs renderer/index.html',
        'third-party-licenses.txt',
      ),
    );
  });

  it('loads from a file with a hash only files with a hash', () => {
    for (const name of names.filter((file) => loaded(file) && file.endsWith('.cjs')))
      expect(readFileSync(join(out, name), 'utf8'), name).not.toMatch(
        /\.\.\/(?:cases|cli|index|window)\.cjs/,
      );
  });

  it('has no code in the page that is compiled from text, which its policy forbids: schemas use zod/mini', () => {
    expect(scripts).not.toEqual([]);
    for (const name of scripts)
      expect(readFileSync(join(out, name), 'utf8'), name).not.toMatch(/new Function\(|\beval\(/);
  });

  it('has the styles of the component library’s parts that the page uses, and no others', () => {
    const library = dirname(fileURLToPath(import.meta.resolve('@mantine/core/styles.css')));
    const classesIn = (text: string) => text.match(/\bm_[0-9a-f]{6,8}\b/g) ?? [];
    const used = new Set(
      scripts.flatMap((name) => classesIn(readFileSync(join(out, name), 'utf8'))),
    );
    const ending = '.layer.css';
    const sheets = readdirSync(join(library, 'styles')).filter((name) => name.endsWith(ending));
    const needed = sheets.filter((name) => {
      const classes = classesIn(readFileSync(join(library, 'styles', name), 'utf8'));
      // A sheet without classes is for the whole page.
      return classes.length === 0 || classes.some((one) => used.has(one));
    });
    const imports = readFileSync(join(out, '../src/renderer/ui/components.css'), 'utf8');
    const imported = [...imports.matchAll(/core\/styles\/([\w.-]+)'/g)].map(([, name]) => name);
    expect(imported.sort()).toEqual(needed.sort());
  });
});
