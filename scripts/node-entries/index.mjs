// The library for `import`: one implementation for both kinds of modules. Required, as importing a
// CommonJS file has Node search all of it for names, which takes longer than starting a sandbox.
import { createRequire } from 'node:module';

export const { startGrantbench } = createRequire(import.meta.url)('./index.cjs');
