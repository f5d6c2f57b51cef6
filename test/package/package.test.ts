// The result of `npm pack`, installed in a new project. Needs a build; contacts no registry.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FreshProject } from '../support/packed.ts';
import { createFreshProject } from '../support/packed.ts';
import { createStandInBrowser } from '../support/stand-in-browser.ts';

const run = promisify(execFile);
const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const TYPES = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));

/** Returns what the compiler prints: nothing without an error. */
async function compile(args: readonly string[], cwd: string): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [COMPILER, ...args], { cwd }).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  return stdout + stderr;
}

let project: FreshProject;

beforeAll(async () => {
  project = await createFreshProject();
}, 60_000);

afterAll(() => project.remove());

const USE = `
const grantbench = await startGrantbench({ settings: { throttle: { limit: 5 } } });
const { code } = await grantbench.issueCode();
const { client_id, client_secret, redirect_uri } = grantbench.client;
const response = await fetch(grantbench.tokenEndpoint, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'authorization_code', audience: grantbench.issuer, client_id, client_secret, redirect_uri, code,
  }),
});
console.log(await grantbench.explain(response));
await grantbench.close();
`;

const node = async (...args: string[]) =>
  (await run(process.execPath, args, { cwd: project.folder })).stdout;

const cli = () =>
  join(project.folder, 'node_modules', 'grantbench', project.manifest.bin['grantbench']!);

const readDocument = (name: string) =>
  readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

const EXPLAINED = /^exchange 1: POST \/oauth\/token got 200\n$/;

describe('the package', () => {
  it('contains the build and the documents, but no sources or source maps', () => {
    const kinds = new Set(project.files.map((file) => file.split('/')[0]));
    expect([...kinds].sort()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'docs', 'out', 'package.json', 'resources'].sort(),
    );
    expect(project.files.filter((file) => /\.(map|tsx?)$/.test(file.replace('.d.ts', '')))).toEqual(
      [],
    );
    expect(project.size).toBeLessThan(1_700_000);
  });

  it('installs no other package', () => {
    expect(project.installed).toEqual(['grantbench']);
  });

  it('passes publint, and Are the types wrong for every kind of module resolution', async () => {
    const tarball = await readFile(project.tarball);
    const pack = { tarball: new Uint8Array(tarball).buffer };
    expect((await publint({ pack, strict: true })).messages).toEqual([]);
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    expect(analysis).toMatchObject({ types: { kind: 'included' }, problems: [] });
  });

  it('has a command that serves the page', async () => {
    const child = execFile(
      process.execPath,
      [cli(), 'serve', '--port', '0', '--control-port', '0', '--json'],
      {
        cwd: project.folder,
      },
    );
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      const line = await new Promise<string>((resolve) => child.stdout?.once('data', resolve));
      const { control } = JSON.parse(line) as { control: { url: string } };
      const page = await (await fetch(control.url)).text();
      expect(page).toContain('<div id="root">');
      const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? [];
      expect((await fetch(new URL(script, control.url))).status).toBe(200);
    } finally {
      child.kill();
      await ended;
    }
  });

  it.skipIf(process.platform === 'win32')(
    'has a command that, without arguments and Electron, prints the URL of the page and opens it in the browser',
    async () => {
      const empty = await mkdtemp(join(project.folder, 'empty-'));
      const browser = await createStandInBrowser();
      const env = { ...process.env, ...browser.env, GRANTBENCH_USER_DATA: join(empty, 'data') };
      const ports = ['--port', '0', '--control-port', '0'];
      const child = execFile(process.execPath, [cli(), ...ports], { cwd: empty, env });
      const ended = once(child, 'exit');
      try {
        let shown = '';
        child.stdout?.on('data', (text: string) => (shown += text));
        const link = await browser.opened;
        const [, printed = '', token = ''] = /Workbench +(\S+)\/#token=(\S+)/.exec(shown) ?? [];
        expect(link.startsWith(`${printed}/`)).toBe(true);
        expect(link).not.toContain(token);
        const page = await fetch(link);
        expect(page.redirected).toBe(true);
        expect(await page.text()).toContain('<div id="root">');
      } finally {
        child.kill();
        await ended;
        browser.close();
      }
    },
  );

  it('runs the examples of docs/reference/library.md and docs/reference/exec.md', async () => {
    const blocks = [...readDocument('reference/library.md').matchAll(/```js\n([\s\S]*?)```/g)];
    expect(blocks).toHaveLength(2);
    for (const [index, [, block = '']] of blocks.entries()) {
      await node(await project.write(`shown-${index}.mjs`, block));
    }
    await project.write('tests.mjs', 'await fetch(process.env.GRANTBENCH_ISSUER);');
    const commands = [...readDocument('reference/exec.md').matchAll(/^npx grantbench (.+)$/gm)];
    expect(commands).toHaveLength(3);
    for (const [, command = ''] of commands) await node(cli(), ...command.split(' '));
    expect(existsSync(join(project.folder, 'out', 'grantbench.xml'))).toBe(true);
  }, 60_000);

  it('can be imported by an ES module, and the process ends by itself', async () => {
    const file = await project.write(
      'use.mjs',
      `import { startGrantbench } from 'grantbench';
      import { clientCases } from 'grantbench/cases';
      if (clientCases.length === 0) throw new Error('no cases');\n${USE}`,
    );
    expect(await node(file)).toMatch(EXPLAINED);
  });

  it('can be required by a CommonJS module whose loader does not support ES modules, as in Jest', async () => {
    const file = await project.write(
      'use.cjs',
      `const { startGrantbench } = require('grantbench');\n(async () => {${USE}})();\n`,
    );
    const flag = '--no-experimental-require-module';
    const flags = process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : [];
    expect(await node(...flags, file)).toMatch(EXPLAINED);
  });

  it('loads neither Electron, React nor any dependency', async () => {
    const file = await project.write(
      'loaded.cjs',
      `const { startGrantbench } = require('grantbench');
      (async () => {${USE}
        const foreign = Object.keys(require.cache).filter((name) => !/[\\\\/]out[\\\\/]node[\\\\/]|loaded\\.cjs$/.test(name));
        console.log(JSON.stringify(foreign));
      })();`,
    );
    expect((await node(file)).trim().split('\n').at(-1)).toBe('[]');
  });

  it('ends for an uncaught error with its message, after one short line of code', async () => {
    const file = await project.write(
      'uncaught.mjs',
      `import { startGrantbench } from 'grantbench';
      const { issuer } = await startGrantbench();
      await startGrantbench({ port: Number(new URL(issuer).port) });`,
    );
    const ended = run(process.execPath, [file], { cwd: project.folder });
    const { stderr } = await ended.catch((error: unknown) => error as { stderr: string });
    const [place = '', code = '', mark = ''] = stderr.split('\n');
    expect(place).toMatch(/\.cjs:\d+$/);
    expect(code.length).toBeLessThan(300);
    expect(mark.trim()).toBe('^');
    expect(stderr).toContain('PortInUseError: port ');
  });

  it('reads at most 500 kB to start a sandbox', async () => {
    const file = await project.write(
      'size.cjs',
      `const { statSync } = require('node:fs');
      const { startGrantbench } = require('grantbench');
      startGrantbench().then(async (grantbench) => {
        const loaded = Object.keys(require.cache).filter((name) => !name.endsWith('size.cjs'));
        console.log(loaded.reduce((sum, name) => sum + statSync(name).size, 0));
        await grantbench.close();
      });`,
    );
    const bytes = Number(await node(file));
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(500_000);
  });

  it.each([
    ['nodenext', ['use.mts', 'use.cts']],
    ['bundler', ['use.ts']],
  ] as const)(
    'has types that TypeScript compiles under %s in %j, in strict mode with library checks',
    async (moduleResolution, names) => {
      const text = `import { startGrantbench, type Exchange, type Grantbench } from 'grantbench';
export async function use(): Promise<Exchange | null> {
  const grantbench: Grantbench = await startGrantbench({ clients: [{ client_id: 'a' }], port: 0 });
  await grantbench.fail({ times: 2, status: 429 });
  const { items } = await grantbench.control.clients.list({ limit: 5 });
  const names: string[] = items.map(({ client_id }) => client_id);
  // @ts-expect-error an unknown option
  await startGrantbench({ prot: names.length });
  await grantbench.control.settings.update({ throttle: { limit: 5 }, issuer: null });
  // @ts-expect-error a list, no text
  await grantbench.control.clients.create({ redirect_uris: 'http://localhost/' });
  const last = await grantbench.lastExchange();
  await grantbench.close();
  return last;
}
`;
      const files = await Promise.all(names.map((name) => project.write(name, text)));
      const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext';
      const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom'];
      const types = existsSync(TYPES) ? ['--typeRoots', TYPES, '--types', 'node'] : [];
      const args = [
        ...options,
        ...types,
        '--module',
        module,
        '--moduleResolution',
        moduleResolution,
      ];
      expect(await compile([...args, ...files], project.folder)).toBe('');
    },
    60_000,
  );

  it('declares the control client of the contract', async () => {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const file = join(root, 'out', 'declared.ts');
    await writeFile(
      file,
      `import type { ControlClient as Inferred } from '../src/control/contract.ts';
import type { ControlClient as Declared } from './node/index.d.mts';
export const declared = (client: Inferred): Declared => client;
export const inferred = (client: Declared): Inferred => client;
`,
    );
    const config = join(root, 'out', 'declared.json');
    await writeFile(
      config,
      JSON.stringify({ extends: '../tsconfig.json', include: ['declared.ts'], exclude: [] }),
    );
    expect(await compile(['-p', config], root)).toBe('');
    await Promise.all([rm(file), rm(config)]);
  }, 60_000);
});
