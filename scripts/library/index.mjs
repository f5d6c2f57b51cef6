// The library for `import`: one implementation for both kinds of modules.
import library from './index.cjs';

export const { startGrantbench } = library;
