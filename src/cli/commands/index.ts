// The commands, by name, in the order of --help. Each file is loaded when it is named, or when all are
// listed.

import type { CommandFile } from './command.ts';

export const COMMANDS: Readonly<Record<string, () => Promise<CommandFile>>> = {
  serve: () => import('./serve.ts'),
  exec: () => import('./exec.ts'),
  code: () => import('./code.ts'),
  token: () => import('./token.ts'),
  refresh: () => import('./refresh.ts'),
};
