// The commands, by name, in the order of --help. Each file is loaded when it is named, or when all are
// listed. A resource of the contract without a file of its own gets its commands from its operations.

import type { CommandFile } from './command.ts';

const COMMANDS: Readonly<Record<string, () => Promise<CommandFile>>> = {
  serve: () => import('./serve.ts'),
  exec: () => import('./exec.ts'),
  run: () => import('./run.ts'),
  code: () => import('./code.ts'),
  token: () => import('./token.ts'),
  refresh: () => import('./refresh.ts'),
  tokens: () => import('./tokens.ts'),
  devices: () => import('./devices.ts'),
  decode: () => import('./decode.ts'),
  clients: () => import('./clients.ts'),
  users: () => import('./users.ts'),
  audiences: () => import('./audiences.ts'),
  throttle: () => import('./throttle.ts'),
  clock: () => import('./clock.ts'),
  faults: () => import('./faults.ts'),
  keys: () => import('./keys.ts'),
  reset: () => import('./reset.ts'),
  traffic: () => import('./traffic.ts'),
  workspace: () => import('./workspace.ts'),
  'saved-flows': () => import('./saved-flows.ts'),
  'saved-requests': () => import('./saved-requests.ts'),
  mirror: () => import('./mirror.ts'),
  openapi: () => import('./openapi.ts'),
  completion: () => import('./completion.ts'),
};

/** Resources whose operations are carried out by a command of another name. */
const COVERED: Readonly<Record<string, string>> = {
  codes: 'code',
  exchanges: 'traffic',
  requests: 'token',
};

async function derivedResources(): Promise<string[]> {
  const { RESOURCES } = await import('./operations/operation.ts');
  const { kebab } = await import('./operations/resource.ts');
  return RESOURCES.filter(
    (resource) => !Object.hasOwn(COMMANDS, kebab(resource)) && !Object.hasOwn(COVERED, resource),
  );
}

async function derivedCommand(name: string): Promise<CommandFile> {
  const { resourceCommand } = await import('./operations/resource.ts');
  return resourceCommand({ name });
}

/** The command of this name alone; null where there is none. */
export async function loadCommand(name: string): Promise<CommandFile | null> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load !== undefined) return load();
  return (await derivedResources()).includes(name) ? derivedCommand(name) : null;
}

export async function loadCommands(): Promise<CommandFile[]> {
  const derived = await derivedResources();
  return Promise.all([
    ...Object.values(COMMANDS).map((load) => load()),
    ...derived.map(derivedCommand),
  ]);
}
