// Builds what runs on Node into out/node: the command line, the embeddable library and the window's process, which
// share their chunks and contain every dependency but Electron; and the library's declarations, which import nothing.
// CommonJS, because Jest loads nothing else without flags and Node starts it faster.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsdown';
import { runnerImport } from 'vite';
import { recordShippedPackages } from './scripts/packaging/shipped-packages.mjs';
import { engineChunks } from './scripts/engine-chunks.mjs';
import { CONTROL_TYPES, writeControlDeclarations } from './scripts/control-declarations.mjs';

const root = import.meta.dirname;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};
// scripts/build.mjs names a temporary folder.
const out = process.env['GRANTBENCH_BUILD_FOLDER'] ?? join(root, 'out');
const outDir = join(out, 'node');
const declarations = join(out, 'declarations', 'control.d.ts');
const common = {
  outDir,
  logLevel: 'warn',
  report: false,
  deps: { neverBundle: /^electron$/, alwaysBundle: /^(?!electron$)/, onlyBundle: false },
  // Code that two entries share is in neither, because loading an entry runs it.
  inputOptions: { checks: { pluginTimings: false }, preserveEntrySignatures: 'strict' },
} as const;

/** Writes out the types that are inferred from the contract. */
const controlTypes = {
  name: 'control-types',
  load: {
    order: 'pre',
    filter: { id: CONTROL_TYPES },
    handler: () => `export * from ${JSON.stringify(declarations)};`,
  },
} as const;

/** Reads from the contract at build time what the command line needs from it. */
const readContract = {
  name: 'read-contract',
  load: {
    order: 'pre',
    filter: { id: /[\\/]operations[\\/]operation\.ts$/ },
    handler: async (id: string) => {
      const { module } = await runnerImport<{ readonly RESOURCES: unknown }>(id);
      return `export const RESOURCES = ${JSON.stringify(module.RESOURCES)};`;
    },
  },
} as const;

export default defineConfig([
  {
    ...common,
    entry: {
      index: 'src/index.ts',
      cases: 'src/library/client-cases.ts',
      cli: 'src/cli/main.ts',
      window: 'src/main/main.ts',
    },
    format: 'cjs',
    dts: false,
    target: 'node20.18',
    define: { __APP_VERSION__: JSON.stringify(version), 'import.meta.env.DEV': 'false' },
    plugins: [readContract, recordShippedPackages(root, out, 'node')],
    // In short lines: Node prints the line in which an error was thrown that nobody catches.
    minify: { compress: true, mangle: { keepNames: true }, codegen: false },
    outputOptions: {
      // V8 reads a file a tenth faster without other characters.
      charset: 'ascii',
      comments: { legal: true, annotation: false, jsdoc: false },
      chunkFileNames: 'chunks/[name]-[hash].cjs',
      codeSplitting: { groups: engineChunks(root) },
      banner: ({ name, isEntry }) => (isEntry && name === 'cli' ? '#!/usr/bin/env node' : ''),
    },
    copy: { from: 'scripts/node-entries/*', to: outDir },
  },
  {
    ...common,
    entry: { index: 'src/index.ts' },
    clean: false,
    format: 'esm',
    dts: { emitDtsOnly: true },
    // `await using` needs these types, which the `lib` of a project may lack.
    banner: { dts: '/// <reference lib="esnext.disposable" />' },
    plugins: [controlTypes],
    hooks: {
      'build:prepare': () => writeControlDeclarations(declarations),
      // The declarations import nothing, so they apply to `require`, too; those for `import` refer to them.
      'build:done': () => {
        const [forImport, forRequire] = ['index.d.mts', 'index.d.cts'].map((name) =>
          join(outDir, name),
        ) as [string, string];
        const text = readFileSync(forImport, 'utf8');
        // Markers of regions would contain paths of this machine.
        writeFileSync(forRequire, text.replaceAll(/^\/\/#(?:end)?region.*\n/gm, ''));
        writeFileSync(forImport, "export * from './index.cjs';\n");
      },
    },
  },
]);
