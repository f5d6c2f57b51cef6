// The commands, by name, in the order of --help. Each file is loaded when it is named, or when all are
// listed.

import type { CommandFile } from './command.ts';

export const COMMANDS: Readonly<Record<string, () => Promise<CommandFile>>> = {
  serve: () => import('./serve.ts'),
  exec: () => import('./exec.ts'),
  run: () => import('./run.ts'),
  code: () => import('./code.ts'),
  token: () => import('./token.ts'),
  refresh: () => import('./refresh.ts'),
  decode: () => import('./decode.ts'),
  clients: async () => (await import('./records.ts')).clients,
  users: async () => (await import('./records.ts')).users,
  audiences: async () => (await import('./records.ts')).audiences,
  throttle: () => import('./throttle.ts'),
  clock: () => import('./clock.ts'),
  faults: () => import('./faults.ts'),
  keys: () => import('./keys.ts'),
  reset: () => import('./reset.ts'),
  traffic: () => import('./traffic.ts'),
  workspace: () => import('./workspace.ts'),
  openapi: () => import('./openapi.ts'),
  completion: () => import('./completion.ts'),
};
