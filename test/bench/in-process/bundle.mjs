// Bundles a bench entry that imports the product's TypeScript sources, with Vite as the build does.

import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** @returns the path of the bundled entry in `outDir` */
export async function bundle(entry, outDir) {
  await build({
    root: fileURLToPath(new URL('../../../', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    define: { __APP_VERSION__: JSON.stringify('bench') },
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL(entry, import.meta.url)),
      outDir,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'bench.mjs' } },
    },
  });
  return `${outDir}/bench.mjs`;
}
