// Runs the steps of the Dockerfile without a container engine: each stage is a folder in place of its root file system. The
// results of `npm ci` and the build come from this checkout. Needs a build.

import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Step {
  readonly name: string;
  readonly rest: string;
}

/** The instructions in order; a backslash at the end of a line continues it. */
async function readDockerfile(file: string): Promise<Step[]> {
  const text = (await readFile(file, 'utf8')).replace(/^#.*\n/gm, '').replace(/\\\n/g, ' ');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name, rest };
    });
}

/** The arguments of the last instruction with this name in exec form. */
function execForm(steps: readonly Step[], name: string): string[] {
  const { rest = '[]' } = steps.findLast((step) => step.name === name) ?? {};
  return JSON.parse(rest.slice(rest.indexOf('['))) as string[];
}

interface Building {
  /** Contains a folder for each stage; the last one is named `final`. */
  readonly folder: string;
  /** The build context. */
  readonly context: string;
  /** Executes a RUN in its working folder. */
  readonly run: (command: string, cwd: string) => Promise<void>;
  /** Whether .dockerignore excludes a path of the context. */
  readonly ignores: (path: string) => boolean;
}

/** The root folder of the last stage. */
async function carryOut(steps: readonly Step[], building: Building): Promise<string> {
  const { folder, context, run, ignores } = building;
  let [root, cwd] = ['', ''];
  for (const { name, rest } of steps) {
    if (name === 'FROM') root = join(folder, / AS (\w+)$/.exec(rest)?.[1] ?? 'final');
    if (name === 'WORKDIR') await mkdir((cwd = join(root, rest)), { recursive: true });
    if (name === 'RUN') await run(rest, cwd);
    if (name !== 'COPY') continue;
    const [, stage, list = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? [];
    const from = stage === undefined ? context : join(folder, stage);
    const paths = list.split(' ');
    const target = join(cwd, paths.pop() ?? '');
    for (const path of paths) {
      // COPY of a folder copies its content; several files are copied into the target folder.
      const into = path === '.' || !list.endsWith('./') ? target : join(target, basename(path));
      const source = join(from, path);
      const filter = (each: string) =>
        stage !== undefined || !ignores(each.slice(source.length + 1) || path);
      await cp(source, into, { recursive: true, filter });
    }
  }
  return root;
}

let folder: string;
let steps: Step[];
let image: string;
const ran: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grantbench-image-'));
  steps = await readDockerfile(join(ROOT, 'Dockerfile'));
  const ignored = (await readFile(join(ROOT, '.dockerignore'), 'utf8')).trim().split('\n');
  image = await carryOut(steps, {
    folder,
    context: ROOT,
    ignores: (path) =>
      path
        .split('/')
        .some(
          (name, depth) =>
            ignored.includes(`**/${name}`) || (depth === 0 && ignored.includes(name)),
        ),
    run: async (command, cwd) => {
      ran.push(command);
      if (command !== 'npm run build') return;
      await cp(join(ROOT, 'out'), join(cwd, 'out'), { recursive: true });
    },
  });
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Arguments of ENTRYPOINT, CMD or HEALTHCHECK, with paths below the root of the image. */
const command = (name: string) =>
  execForm(steps, name).map((part) => (part.startsWith('/') ? join(image, part) : part));

function check(env: NodeJS.ProcessEnv): Promise<number> {
  const [, ...args] = command('HEALTHCHECK');
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }).once('exit', (code) => resolve(code ?? 1));
  });
}

describe('the image', () => {
  it('is built with npm ci and the build script, without install scripts of dependencies', () => {
    expect(ran).toEqual(['npm ci --ignore-scripts --no-audit --no-fund', 'npm run build']);
  });

  it('contains no file that was built or installed in the checkout', async () => {
    const copied = await readdir(join(folder, 'build', 'build'));
    expect(copied).toEqual(expect.arrayContaining(['src', 'scripts', 'package.json', '.npmrc']));
    for (const name of ['node_modules', '.git', 'test']) expect(copied).not.toContain(name);
  });

  it('contains the command line and the page, but no dependency, Electron or source', async () => {
    const names = await readdir(join(image, 'grantbench'), { recursive: true });
    expect(names).toContain(join('out', 'node', 'cli.cjs'));
    expect(names).toContain(join('out', 'renderer', 'index.html'));
    expect(names.filter((name) => /node_modules|\.tsx?$|^out.preload/.test(name))).toEqual([]);
  });

  it('runs as an unprivileged user and exposes both ports', () => {
    const value = (name: string) => steps.findLast((step) => step.name === name)?.rest;
    expect(value('USER')).toBe('node');
    expect(value('EXPOSE')).toBe('4280 4281');
    expect(steps.findIndex(({ name }) => name === 'USER')).toBeGreaterThan(
      steps.findLastIndex(({ name }) => name === 'COPY'),
    );
  });

  it.each([
    ['HTTP', '0'],
    ['HTTPS', '1'],
  ])('starts with %s, becomes healthy, serves the page, and ends at SIGTERM', async (_, https) => {
    const [file = '', ...args] = [...command('ENTRYPOINT').slice(1), ...execForm(steps, 'CMD')];
    expect(existsSync(file)).toBe(true);
    const env = {
      ...process.env,
      GRANTBENCH_PORT: String(await freePort()),
      GRANTBENCH_CONTROL_PORT: String(await freePort()),
      GRANTBENCH_HTTPS: https,
      GRANTBENCH_JSON: '1',
      GRANTBENCH_USER_DATA: folder,
    };
    expect(await check(env)).toBe(1);
    const server = spawn(process.execPath, [file, ...args], { env, cwd: image });
    onTestFinished(() => void server.kill('SIGKILL'));
    const ended = new Promise((resolve) => server.once('exit', resolve));
    const line = await new Promise<string>((resolve) => server.stdout.once('data', resolve));
    const { control } = JSON.parse(line) as { control: { url: string } };
    expect(await check(env)).toBe(0);
    expect(await (await fetch(control.url)).text()).toContain('<div id="root">');
    server.kill('SIGTERM');
    if (process.platform !== 'win32') expect(await ended).toBe(0);
  });
});
