// Bundles a TypeScript module for a separate Node process.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Rollup } from 'vite';
import { build } from 'vite';

export interface Bundle {
  readonly file: string;
  readonly chunks: readonly Rollup.OutputChunk[];
  readonly remove: () => Promise<void>;
}

/** @param external whether dependencies stay imports, so that a chunk lists them */
export async function bundle(entry: string, external = false): Promise<Bundle> {
  const outDir = await mkdtemp(join(tmpdir(), 'grantbench-bundle-'));
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: true,
      // Many files take longer to load than one.
      rollupOptions: {
        output: { entryFileNames: 'entry.mjs', format: 'esm', codeSplitting: external },
      },
    },
    ssr: external ? {} : { noExternal: true },
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as Rollup.RollupOutput;
  const chunks = output.filter((part) => part.type === 'chunk');
  return {
    file: join(outDir, 'entry.mjs'),
    chunks,
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}
