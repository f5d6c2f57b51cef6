// The cases of a client check for `import`, as index.mjs has the library.
import { createRequire } from 'node:module';

export const { clientCases } = createRequire(import.meta.url)('./cases.cjs');
