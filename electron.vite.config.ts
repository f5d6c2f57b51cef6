import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { recordShippedPackages } from './scripts/packaging/shipped-packages.mjs';

const root = import.meta.dirname;
// scripts/build.mjs names a temporary folder.
const out = process.env['GRANTBENCH_BUILD_FOLDER'] ?? resolve(root, 'out');
const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
  version: string;
};
const define = { __APP_VERSION__: JSON.stringify(version) };

// By default, electron-vite targets the Node of the installed Electron, but users may choose an older Electron.
const node = 'node20.18';

// electron-vite adds the Chrome of its Electron to a given list of targets, so the list is set after its own plugins.
const pageTargets: Plugin = {
  name: 'page-targets',
  enforce: 'post',
  config(config) {
    config.build = { ...config.build, target: ['chrome120', 'firefox121', 'safari17'] };
  },
};

/**
 * The window's process for `npm run dev`. `npm run build` makes it together with the command line and the library
 * (tsdown.config.ts), so that the engine is in the package once.
 */
const main: UserConfig['main'] = {
  define,
  build: {
    target: node,
    outDir: resolve(out, 'node'),
    emptyOutDir: false,
    externalizeDeps: false,
    rolldownOptions: {
      input: { window: resolve(root, 'src/main/main.ts') },
      output: { format: 'cjs', entryFileNames: '[name].cjs' },
    },
  },
};

export default defineConfig(({ command }) => ({
  ...(command === 'serve' && { main }),
  preload: {
    plugins: [recordShippedPackages(root, out, 'preload')],
    build: {
      target: node,
      outDir: resolve(out, 'preload'),
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: resolve(root, 'src/preload/preload.ts') },
        // A sandboxed preload cannot be an ES module.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(root, 'src/renderer'),
    define,
    plugins: [react(), pageTargets, recordShippedPackages(root, out, 'renderer')],
    build: {
      outDir: resolve(out, 'renderer'),
      emptyOutDir: true,
      minify: true,
      rolldownOptions: {
        input: resolve(root, 'src/renderer/index.html'),
        // Two files instead of a hundred: what the first view needs, and what several views use.
        output: {
          codeSplitting: {
            groups: [
              { name: 'frame', tags: ['$initial'] },
              { name: 'shared', minShareCount: 3 },
            ],
          },
        },
      },
    },
  },
}));
