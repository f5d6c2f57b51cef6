// `grantbench clients | users | audiences`: their subcommands and flags.

import type { Command } from 'commander';
import type { RecordKind } from '../records/kinds.ts';
import { GROUPS, type CommandFile } from './command.ts';
import { begin, connected } from './connection.ts';
import type { RecordOptions } from '../records/members.ts';

interface Names {
  readonly kind: RecordKind;
  /** One of them: "client". */
  readonly one: string;
  readonly key: string;
  readonly description: string;
  readonly example: string;
  readonly pairs: string;
}

const KINDS: readonly Names[] = [
  {
    kind: 'clients',
    one: 'client',
    key: 'client_id',
    description: 'list, add, change and remove clients',
    example: 'my-app',
    pairs: 'access_token_expires_in=60',
  },
  {
    kind: 'users',
    one: 'user',
    key: 'sub',
    description: 'list, add, change and remove users',
    example: 'grace',
    pairs: 'claims.roles=\'["admin"]\'',
  },
  {
    kind: 'audiences',
    one: 'audience',
    key: 'uri',
    description: 'list, add, change and remove audiences',
    example: 'https://stock.example/api',
    pairs: 'name=Stock',
  },
];

const more = (value: string, former: readonly string[] = []): readonly string[] => [
  ...former,
  value,
];

function withMembers(command: Command, { kind }: Names): Command {
  command.argument(
    '[members...]',
    'members as name=value; a value may be JSON, a.b=value goes deeper',
  );
  command.option('--name <text>', 'its name for people');
  if (kind === 'clients') {
    command
      .option('--redirect-uri <uri>', 'a redirect URI; may be given again', more)
      .option('--grant <type>', 'a grant it may use; may be given again', more);
  }
  if (kind === 'users') command.option('--email <address>', 'its e-mail address');
  if (kind === 'audiences')
    command.option('--scope <scope>', 'a scope it knows; may be given again', more);
  return command.option(
    '--file <file>',
    'take the members from this JSON file; - is standard input',
  );
}

function declareReading(group: Command, { kind, one, key, example }: Names): void {
  connected(
    group.command('list').description(`list the ${kind}`),
    `  grantbench ${kind} list\n  grantbench ${kind} list --json | jq -r .[].${key}`,
  ).action(async (given: RecordOptions) => {
    await begin();
    const { listRecords } = await import('../records/records.ts');
    await listRecords(kind, given);
  });
  connected(
    group.command('get').description(`show one ${one}, with all its members`).argument(`<${key}>`),
    `  grantbench ${kind} get ${example}`,
  ).action(async (id: string, given: RecordOptions) => {
    await begin();
    const { getRecord } = await import('../records/records.ts');
    await getRecord(kind, id, given);
  });
}

function declareWriting(group: Command, names: Names): void {
  const { kind, one, key, example, pairs } = names;
  const add = group.command('add').description(`add a ${one}`).argument(`[${key}]`, `its ${key}`);
  connected(
    withMembers(add, names),
    `  grantbench ${kind} add ${example} --name Example\n  grantbench ${kind} add --file ${one}.json`,
  ).action(async (id: string | undefined, members: readonly string[], given: RecordOptions) => {
    await begin();
    const { addRecord } = await import('../records/records.ts');
    await addRecord(kind, id, members, given);
  });
  const set = group.command('set').description(`change a ${one}`).argument(`<${key}>`);
  connected(
    withMembers(set, names),
    `  grantbench ${kind} set ${example} ${pairs}\n  grantbench ${kind} set ${example} name=null   back to its default`,
  ).action(async (id: string, members: readonly string[], given: RecordOptions) => {
    await begin();
    const { setRecord } = await import('../records/records.ts');
    await setRecord(kind, id, members, given);
  });
  connected(
    group.command('remove').description(`remove a ${one}`).argument(`<${key}>`),
    `  grantbench ${kind} remove ${example}`,
  ).action(async (id: string, given: RecordOptions) => {
    await begin();
    const { removeRecord } = await import('../records/records.ts');
    await removeRecord(kind, id, given);
  });
}

const fileOf = (names: Names): CommandFile => ({
  fallback: 'list',
  declare: (program) => {
    const group = program
      .command(names.kind)
      .helpGroup(GROUPS.records)
      .description(names.description);
    declareReading(group, names);
    declareWriting(group, names);
  },
});

export const [clients, users, audiences] = KINDS.map(fileOf) as [
  CommandFile,
  CommandFile,
  CommandFile,
];
