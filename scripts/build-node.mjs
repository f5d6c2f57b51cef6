// Builds what runs on plain Node into out/node: the command line and the embeddable library, as CommonJS (Jest
// reads nothing else without flags, and Node starts it faster), an ES module over the library, and the types
// that it offers, without those it hides.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { build } from 'vite';
import { ROOT } from './run.mjs';

const ENTRY = join(ROOT, 'src', 'index.ts');
const OUT = join(ROOT, process.argv[2] ?? join('out', 'node'));
const COMMAND_LINE = join(ROOT, 'src', 'cli', 'main.ts');
const NODE = 'node20.18';

async function bundle() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    define: { __APP_VERSION__: JSON.stringify(version) },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: NODE,
      outDir: OUT,
      emptyOutDir: true,
      rolldownOptions: {
        input: { index: ENTRY, cli: COMMAND_LINE },
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/[name]-[hash].cjs',
          // Half as much to read at each start; a stack trace still names its functions.
          minify: { compress: true, mangle: { keepNames: true }, codegen: true },
          banner: ({ name, isEntry }) => (isEntry && name === 'cli' ? '#!/usr/bin/env node' : ''),
        },
      },
    },
  });
  for (const name of ['index.mjs', 'index.d.cts']) {
    copyFileSync(join(ROOT, 'scripts', 'node-entries', name), join(OUT, name));
  }
}

const FORMAT = {
  getCanonicalFileName: (/** @type {string} */ name) => name,
  getCurrentDirectory: () => ROOT,
  getNewLine: () => '\n',
};

/** Declarations say `./start.ts`, as the sources do; a package has `./start.js`. */
const RELATIVE = /((?:from |import\()['"])(\.[^'"]+)\.ts(['"])/g;

/** The declarations of one source file. @param {ts.Program} program @param {string} file */
function declare(program, file) {
  const source = program.getSourceFile(file);
  // Without this, TypeScript would write an empty file for what it cannot name.
  const problems = program.getDeclarationDiagnostics(source);
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, FORMAT));
  let text = '';
  program.emit(source, (_name, emitted) => (text = emitted), undefined, true);
  return text;
}

/** Follows the declarations' own imports from the entry, so that nothing else is published. */
function emitTypes() {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(ROOT, 'tsconfig.json'),
    { noEmit: false, declaration: true, emitDeclarationOnly: true },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  const program = ts.createProgram([ENTRY], { ...config?.options, rootDir: join(ROOT, 'src') });
  const seen = new Set([ENTRY]);
  for (const file of seen) {
    const text = declare(program, file);
    for (const [, , path] of text.matchAll(RELATIVE)) seen.add(join(dirname(file), `${path}.ts`));
    const target = join(OUT, 'types', relative(join(ROOT, 'src'), file).replace(/\.ts$/, '.d.ts'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text.replace(RELATIVE, '$1$2.js$3'));
  }
}

await bundle();
emitTypes();
