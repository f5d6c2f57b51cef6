// The library's types for `require`.
import type { Grantbench, GrantbenchOptions } from './types/index.js' with {
  'resolution-mode': 'import',
};
export type * from './types/index.js' with { 'resolution-mode': 'import' };

/** Starts a token server on a free port of this machine, with everything in memory. */
export declare function startGrantbench(options?: GrantbenchOptions): Promise<Grantbench>;
