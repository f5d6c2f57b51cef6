// Runs snippets in each language of Copy as whose runtime is installed, one after the other, and in a single process
// where starting one is slow.

import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const execute = promisify(execFile);

/** The environment of a shell, without proxies. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name)),
);

type Command = readonly [string, ...string[]];

interface Plan {
  /** The files to write, and the commands to run. */
  readonly all: (codes: readonly string[]) => {
    readonly files: Readonly<Record<string, string>>;
    readonly run: readonly Command[];
  };
}

const each = (name: (index: number) => string, codes: readonly string[]) =>
  Object.fromEntries(codes.map((code, index) => [name(index), code]));

const separately = (name: (index: number) => string, run: (file: string) => Command): Plan => ({
  all: (codes) => ({ files: each(name, codes), run: codes.map((_, index) => run(name(index))) }),
});

/** A main file that includes the others. */
const through = (
  first: string,
  name: (index: number) => string,
  take: (file: string) => string,
  run: Command,
): Plan => ({
  all: (codes) => ({
    files: {
      ...each(name, codes),
      [first]: codes.map((_, index) => take(name(index))).join('\n'),
    },
    run: [run],
  }),
});

const javascript = through(
  'all.mjs',
  (index) => `snippet-${index}.mjs`,
  (file) => `await import('./${file}')`,
  ['node', 'all.mjs'],
);

/** One source file, whose first class is launched. */
const javaPlan: Plan = {
  all: (codes) => {
    const imports = new Set(codes.flatMap((code) => code.match(/^import .*$/gm) ?? []));
    const classes = codes.map((code, index) =>
      code.replace(/^import .*$/gm, '').replace('class Snippet', `class Snippet${index}`),
    );
    const calls = codes.map((_, index) => `Snippet${index}.main(args);`).join(' ');
    const launched = `class All { public static void main(String[] args) throws Exception { ${calls} } }`;
    const source = [...imports, launched, ...classes].join('\n');
    return { files: { 'All.java': source }, run: [['java', 'All.java']] };
  },
};

const PROJECT = `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>
<TargetFramework>net8.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings>
</PropertyGroup></Project>`;

/** One project per snippet, because a project has a single Program.cs. */
const csharpPlan: Plan = {
  all: (codes) => ({
    files: Object.fromEntries(
      codes.flatMap((code, index) => [
        [`snippet-${index}/Program.cs`, code],
        [`snippet-${index}/Snippet.csproj`, PROJECT],
      ]),
    ),
    run: codes.map((_, index) => ['dotnet', 'run', '--project', `snippet-${index}`]),
  }),
};

const shell = separately(
  (index) => `snippet-${index}.sh`,
  (file) => ['sh', file],
);

const RUNTIMES: Readonly<
  Record<string, Plan & { /** The command that detects the runtime. */ readonly probe: Command }>
> = {
  curl: { probe: ['curl', '--version'], ...shell },
  fetch: { probe: ['node', '--version'], ...javascript },
  axios: { probe: ['node', '--version'], ...javascript },
  python: {
    probe: ['python3', '-c', 'import requests'],
    ...through(
      'all.py',
      (index) => `snippet_${index}.py`,
      (file) => `import ${file.replace('.py', '')}`,
      ['python3', '-W', 'ignore', 'all.py'],
    ),
  },
  java: { probe: ['javac', '-version'], ...javaPlan },
  csharp: { probe: ['dotnet', '--version'], ...csharpPlan },
  go: {
    probe: ['go', 'version'],
    ...separately(
      (index) => `snippet-${index}.go`,
      (file) => ['go', 'run', file],
    ),
  },
  bash: {
    probe: ['bash', '--version'],
    ...separately(
      (index) => `snippet-${index}.sh`,
      (file) => ['bash', file],
    ),
  },
  httpie: { probe: ['http', '--version'], ...shell },
};

function runtimeOf(language: string) {
  const runtime = RUNTIMES[language];
  if (runtime === undefined) throw new Error(`nobody has said how to run ${language}`);
  return runtime;
}

const found = new Map<string, boolean>();

/** The reason why the runtime is unavailable, or null. */
export function missing(language: string): string | null {
  const { probe } = runtimeOf(language);
  const [command, ...args] = probe;
  const there =
    found.get(language) ??
    spawnSync(command, args, { env: environment, stdio: 'ignore' }).status === 0;
  found.set(language, there);
  return there ? null : `this machine has no ${probe.join(' ')}`;
}

/** Runs the snippets in order. @returns their output */
export async function runCode(language: string, codes: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'grantbench-snippet-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Modules resolve their imports from this folder.
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  const { files, run } = runtimeOf(language).all(codes);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const printed: string[] = [];
  for (const [command, ...args] of run) {
    const options = { cwd: folder, env: environment, maxBuffer: 2 ** 26 };
    printed.push((await execute(command, args, options)).stdout);
  }
  return printed.join('');
}
