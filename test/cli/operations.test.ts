// The commands that are generated from the contract, compared with it.

import { Command } from 'commander';
import { expect, test } from 'vitest';
import { loadCommand, loadCommands } from '../../src/cli/program.ts';
import { RESOURCES } from '../../src/cli/commands/operations/operation.ts';
import { kebab } from '../../src/cli/commands/operations/resource.ts';

const BUILD = { app: '', page: '', version: '0.0.0-test' };

/** Operations of hand-written commands, by the words of the command. */
const BY_HAND: Readonly<Record<string, string>> = {
  'clock.get': 'clock show',
  'clock.update': 'clock advance',
  'codes.create': 'code',
  'exchanges.list': 'traffic',
  'exchanges.get': 'traffic',
  'exchanges.export': 'traffic',
  'faults.create': 'faults add',
  'holds.start': 'hold',
  'holds.releaseAll': 'holds release-all',
  'keys.retire': 'keys retire',
  'requests.send': 'token',
  'throttle.release': 'throttle release',
  'throttle.releaseAll': 'throttle release',
  'workspace.get': 'workspace export',
  'workspace.put': 'workspace import',
  'workspace.preview': 'workspace validate',
};

const OWN_NAMES: Readonly<Record<string, string>> = { 'keys.create': 'rotate' };
const VERBS: Readonly<Record<string, string>> = {
  create: 'add',
  update: 'set',
  removeAll: 'clear',
};

async function program(): Promise<Command> {
  const all = new Command().enablePositionalOptions();
  for (const { declare } of await loadCommands()) {
    declare(all, { ...BUILD, whole: () => Promise.resolve(all) });
  }
  return all;
}

function find(all: Command, words: string): Command | undefined {
  return words
    .split(' ')
    .reduce<Command | undefined>(
      (command, word) => command?.commands.find((one) => one.name() === word),
      all,
    );
}

test('every operation of the contract has a command', async () => {
  const all = await program();
  for (const [resource, { operations }] of Object.entries(RESOURCES)) {
    for (const { name } of operations) {
      const id = `${resource}.${name}`;
      const verb = OWN_NAMES[id] ?? VERBS[name] ?? name;
      const words = BY_HAND[id] ?? `${kebab(resource)} ${verb}`;
      expect(find(all, words)?.description(), `${id} as “${words}”`).toBeTruthy();
    }
  }
});

test('the flags of an operation are the members of its input, with their choices', async () => {
  const all = await program();
  const flags = find(all, 'tokens list')?.options.map(({ long }) => long);
  expect(flags).toEqual(
    expect.arrayContaining(['--limit', '--after', '--kind', '--state', '--client-id', '--secrets']),
  );
  const alg = find(all, 'keys rotate')?.options.find(({ long }) => long === '--alg');
  expect(alg?.argChoices).toEqual(['RS256', 'ES256', 'EdDSA', 'PS256', 'HS256']);
});

test('a member with the name of a common flag is given as name=value', async () => {
  const all = await program();
  const start = find(all, 'server start');
  expect(start?.options.filter(({ long }) => long === '--port')).toHaveLength(1);
  expect(start?.registeredArguments.map((argument) => argument.name())).toEqual(['members']);
});

test('a word that is neither a resource nor a command is unknown', async () => {
  expect(await loadCommand('serv')).toBeNull();
  expect(await loadCommand('constructor')).toBeNull();
  expect(await loadCommand('events')).toBeNull();
});
