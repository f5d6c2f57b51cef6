// Bundles a TypeScript module for a separate Node process.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';

export interface Bundle {
  readonly file: string;
  readonly remove: () => Promise<void>;
}

export async function bundle(entry: string): Promise<Bundle> {
  const outDir = await mkdtemp(join(tmpdir(), 'grantbench-bundle-'));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: true,
      // Many files take longer to load than one.
      rollupOptions: {
        output: { entryFileNames: 'entry.mjs', format: 'esm', codeSplitting: false },
      },
    },
    ssr: { noExternal: true },
  });
  return {
    file: join(outDir, 'entry.mjs'),
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}
