// The workspace as a whole.

import { releaseAll, reset } from '../actions.ts';
import type { Command } from '../command.ts';

export const WORKSPACE: readonly Command[] = [
  {
    id: 'release-all',
    title: 'Release all throttle counters',
    group: 'Throttling',
    run: releaseAll,
  },
  { id: 'reset', title: 'Reset the sandbox…', group: 'Workspace', run: () => reset(false) },
  {
    id: 'reset-workspace',
    title: 'Reset to the workspace file…',
    group: 'Workspace',
    run: () => reset(true),
  },
];
