// Runs every command in the documents. The `sh` blocks of a document run in order, with one `grantbench serve`; node
// runs `js` blocks afterwards; `json` and Python are only parsed. A `console` block shows commands after
// `$` and their output: such a document is run from its beginning with its own server, and each output is compared.
// Other blocks need missing runtimes or never end. Needs a build.

import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServe, stopCli, type CliProcess, type Ready } from '../support/cli-process.ts';
import { DOCUMENTS } from '../support/documents.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLI = join(ROOT, 'out', 'node', 'cli.cjs');

/** Documents whose blocks test/package/package.test.ts runs, where `grantbench` is a package. */
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

/** Replaces the default addresses in the text by those of a server. */
const addressedTo =
  ({ issuer, control }: Ready) =>
  (text: string) =>
    text
      .replaceAll('http://localhost:4280', issuer)
      .replaceAll('http%3A%2F%2Flocalhost%3A4280', encodeURIComponent(issuer))
      .replaceAll('http://localhost:4281', control.url);

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
  const ready = await server.ready();
  const { control } = ready;
  here = addressedTo(ready);
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

/** A shell that stops at the first failing command and reports it. */
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

test('sh blocks are found in the documents', () => {
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

/** Documents whose blocks use what earlier ones define: they form one script. */
const ONE_SCRIPT = [
  'guides/break-things',
  'guides/connect-your-app',
  'reference/control-api',
  'reference/tokens',
].map(file);

function scriptsOf(name: string): string[] {
  const blocks = blocksOf(name, 'sh');
  return ONE_SCRIPT.includes(name) ? [blocks.join('\n')] : blocks;
}

/** A block, named by its first line. */
const named = (block: string) => ({ title: block.split('\n', 1)[0] ?? '', block });

describe.skipIf(process.platform === 'win32').each(having('sh').filter((name) => !isWalked(name)))(
  'each sh block of %s succeeds, in order (Windows has no bash):',
  (name) => {
    beforeAll(() => reset());

    test.each(scriptsOf(name).map(named))('$title', async ({ block }) => {
      await shell(here(block));
    });

    test.each(blocksOf(name, 'js').map(named))('$title', async ({ block }) => {
      await writeFile(join(folder, 'shown.mjs'), here(block));
      await run(process.execPath, ['shown.mjs'], { cwd: folder, env });
    });
  },
);

interface Shown {
  readonly command: string;
  readonly output: readonly string[];
}

/** The commands of a console block, each with the lines that it prints. */
const commandsIn = (block: string): Shown[] =>
  block
    .split(/^\$ /m)
    .filter(Boolean)
    .map((part) => {
      const [command = '', ...output] = part.trimEnd().split('\n');
      return { command, output };
    });

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** `…` alone stands for any lines, and in a line for any text. */
function patternOf(output: readonly string[]): RegExp {
  const lines = output.map((line) =>
    line === '…' ? '(?:.*\n)*' : `${escaped(line).replaceAll('…', '.*')}\n`,
  );
  return new RegExp(`^${lines.join('')}$`);
}

test('console blocks are in the tutorial', () => {
  expect(having('console')).toContain(file('tutorial'));
});

describe.skipIf(process.platform === 'win32').each(having('console'))(
  'each console block of %s prints the shown output (Windows has no bash):',
  (name) => {
    let own: CliProcess;
    let addressed: (text: string) => string;
    let variables: NodeJS.ProcessEnv;

    beforeAll(async () => {
      own = startServe('--quiet');
      const ready = await own.ready();
      const { url, token } = ready.control;
      addressed = addressedTo(ready);
      variables = { ...env, GRANTBENCH_CONTROL: url, GRANTBENCH_CONTROL_TOKEN: token };
    });
    afterAll(() => stopCli(own));

    async function shellOf(command: string): Promise<string> {
      const { stdout } = await run('bash', ['-c', `exec 2>&1\n${command}\ntrue`], {
        cwd: folder,
        env: variables,
      });
      return stdout;
    }

    const blocks = (texts.get(name) ?? '').matchAll(/^```(sh|console)\n([^]*?)^```/gm);
    const steps = [...blocks].map(([, language, block = '']) => ({ language, ...named(block) }));

    test.each(steps)('$title', async ({ language, block }) => {
      if (language === 'sh') {
        await shell(addressed(block));
        return;
      }
      for (const { command, output } of commandsIn(block))
        expect(await shellOf(addressed(command)), command).toMatch(
          patternOf(output.map(addressed)),
        );
    });
  },
);

function isWalked(name: string): boolean {
  return blocksOf(name, 'console').length > 0;
}

function file(name: string): string {
  return `docs/${name}.md`;
}

describe('other blocks', () => {
  test('of json contain JSON', () => {
    for (const name of having('json')) {
      for (const block of blocksOf(name, 'json'))
        expect(() => JSON.parse(block) as unknown).not.toThrow();
    }
  });

  const python = spawnSync('python3', ['--version']).status === 0;
  test.skipIf(!python)('of Python can be parsed (if python3 is installed)', async () => {
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
