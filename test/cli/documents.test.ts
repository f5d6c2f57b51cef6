// Every command in the documents is run. Fenced `sh` blocks of a document are one script,
// in their order, against one `grantbench serve`; `js` blocks of a document are run by node after it, `json`
// and Python are only read. The rest needs runtimes that are not at hand, or never ends. Needs a build.

import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServe, stopCli, type CliProcess } from '../support/cli-process.ts';
import { DOCUMENTS } from '../support/documents.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLI = join(ROOT, 'out', 'node', 'cli.cjs');

/** Their blocks are run elsewhere: by test/package/package.test.ts, where `grantbench` is a package. */
const ELSEWHERE = ['reference/library.md', 'reference/exec.md'];

const documents = DOCUMENTS.filter((name) => !ELSEWHERE.includes(name))
  .map((name) => `docs/${name}`)
  .concat('README.md');

const texts = new Map(
  await Promise.all(
    documents.map(async (name) => [name, await readFile(join(ROOT, name), 'utf8')] as const),
  ),
);

const blocksOf = (name: string, language: string): string[] =>
  [
    ...(texts.get(name) ?? '').matchAll(
      new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'),
    ),
  ].map(([, block = '']) => block);

const having = (language: string) =>
  documents.filter((name) => blocksOf(name, language).length > 0);

let folder: string;
let server: CliProcess;
let env: NodeJS.ProcessEnv;
let here: (text: string) => string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grantbench-docs-'));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await symlink(ROOT, join(modules, 'grantbench'), 'junction');
  for (const name of ['openid-client', 'oauth4webapi']) {
    await symlink(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  }
  await mkdir(join(folder, 'bin'));
  const command = join(folder, 'bin', 'grantbench');
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  await chmod(command, 0o755);
  server = startServe('--quiet');
  const { issuer, control } = await server.ready();
  here = (text) =>
    text
      .replaceAll('http://localhost:4280', issuer)
      .replaceAll('http%3A%2F%2Flocalhost%3A4280', encodeURIComponent(issuer))
      .replaceAll('http://localhost:4281', control.url);
  env = {
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/_proxy$|^GRANTBENCH_/i.test(name)),
    ),
    PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
    GRANTBENCH_CONTROL_TOKEN: control.token,
    GRANTBENCH_CONTROL: control.url,
    GRANTBENCH_USER_DATA: folder,
  };
  const headers = {
    Authorization: `Bearer ${control.token}`,
    'Content-Type': 'application/json',
  };
  reset = async () => {
    const body = JSON.stringify({ workspace: true });
    await fetch(`${control.url}/api/reset`, { method: 'POST', headers, body });
  };
});

let reset: () => Promise<void>;

afterAll(async () => {
  await stopCli(server);
  await rm(folder, { recursive: true, force: true });
});

/** A person's shell, but one that stops at the first command that fails, and tells which that was. */
async function shell(script: string): Promise<string> {
  const { stdout, stderr } = await run('bash', ['-xeuo', 'pipefail', '-c', script], {
    cwd: folder,
    env,
  }).catch((error: unknown) => {
    const { stdout: out, stderr: trace } = error as { stdout: string; stderr: string };
    throw new Error(`${out}\n${trace.split('\n').slice(-12).join('\n')}`);
  });
  return stdout + stderr;
}

describe.skipIf(process.platform === 'win32')('every sh block (Windows has no bash)', () => {
  test('is in a document that this finds', () => {
    expect(having('sh')).toEqual(
      expect.arrayContaining(
        [
          'guides/connect-your-app',
          'guides/break-things',
          'reference/control-api',
          'internals/security',
        ].map(file),
      ),
    );
  });

  test.each(having('sh'))('of %s works, one after the other', async (name) => {
    await reset();
    await shell(here(blocksOf(name, 'sh').join('\n')));
    for (const [index, block] of blocksOf(name, 'js').entries()) {
      await writeFile(join(folder, `shown-${index}.mjs`), here(block));
      await run(process.execPath, [`shown-${index}.mjs`], { cwd: folder, env });
    }
  });
});

function file(name: string): string {
  return `docs/${name}.md`;
}

describe('what is only read', () => {
  test('json is JSON', () => {
    for (const name of having('json')) {
      for (const block of blocksOf(name, 'json'))
        expect(() => JSON.parse(block) as unknown).not.toThrow();
    }
  });

  const python = spawnSync('python3', ['--version']).status === 0;
  test.skipIf(!python)('Python parses (where there is a python3)', async () => {
    expect(having('python')).not.toEqual([]);
    for (const block of having('python').flatMap((name) => blocksOf(name, 'python'))) {
      await run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', block]);
    }
  });
});

describe('the list of documents', () => {
  test('names every document', () => {
    const index = texts.get(file('README')) ?? '';
    const shapes = /^reference\/shapes\/(?!README)/;
    const listed = DOCUMENTS.filter((name) => name !== 'README.md' && !shapes.test(name));
    expect(listed.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });
});
