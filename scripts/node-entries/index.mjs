// The library for `import`, with one implementation for both kinds of modules. It uses require, because for an import
// of a CommonJS file Node searches the whole file for names, which takes longer than starting a sandbox.
import { createRequire } from 'node:module';

export const { startGrantbench } = createRequire(import.meta.url)('./index.cjs');
