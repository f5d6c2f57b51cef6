// `grantbench workspace`: checks, imports and exports files, and lists and restores former workspaces.

import type { Command } from 'commander';
import { MOST_FORMER } from '../../control/names.ts';
import type { FormerWorkspace } from '../../control/schemas.ts';
import { checkWorkspaceText, type PlacedProblem } from '../../engine/workspace/document.ts';
import { CommandError } from '../command-error.ts';
import { readText, saveText } from '../files.ts';
import { withControl } from '../connect.ts';
import { print, printJson, remark } from '../terminal/print.ts';
import { table, type Column } from '../terminal/table.ts';
import { connected, type Connection, EXIT_CODES, GROUPS } from './command.ts';

const read = (file: string): Promise<string> =>
  readText(file, 'a workspace', (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes));

const nameOf = (file: string) => (file === '-' ? 'standard input' : file);

function problemLines(file: string, problems: readonly PlacedProblem[]): string {
  const lines = problems.map(
    ({ path, message, line, column }) =>
      `${nameOf(file)}:${line}:${column}: ${path === '' ? '' : `${path} `}${message}`,
  );
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  return [...lines, `${nameOf(file)} is not a workspace: ${count}.`].join('\n');
}

/** @throws CommandError with the path and position of every problem */
async function readWorkspace(file: string) {
  const text = await read(file);
  const checked = await checkWorkspaceText(text);
  if ('problems' in checked) throw new CommandError(2, problemLines(file, checked.problems));
  return { text, workspace: checked.value };
}

async function validateWorkspace(
  file: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  if (json) {
    const checked = await checkWorkspaceText(await read(file));
    const problems = 'problems' in checked ? checked.problems : [];
    printJson({ valid: problems.length === 0, problems });
    if (problems.length > 0) process.exitCode = 2;
    return;
  }
  const { name, clients, users, audiences } = (await readWorkspace(file)).workspace;
  const counts = `clients: ${clients.length}, users: ${users.length}, audiences: ${audiences.length}`;
  print(`${nameOf(file)} is a workspace: ${name} (${counts}).`);
}

async function importWorkspace(file: string, options: Connection): Promise<void> {
  const { text } = await readWorkspace(file);
  const document = JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, unknown>;
  const { before, taken, state, former } = await withControl(
    options,
    async ({ workspace, server }) => ({
      before: (await workspace.former()).items[0],
      taken: await workspace.put(document),
      state: (await server.get()).workspace,
      former: (await workspace.former()).items[0],
    }),
  );
  if (options.json) printJson(taken);
  else remark(`Imported ${taken.name}.`);
  // An unchanged workspace is not kept, nor one that is too large.
  if (!options.json && former !== undefined && former.id > (before?.id ?? 0)) {
    remark(
      `${former.name} is kept among the last ${MOST_FORMER}. To restore it: grantbench workspace restore ${former.id}`,
    );
  }
  if (state.message !== null) remark(state.message);
}

async function exportWorkspace(file: string | undefined, options: Connection): Promise<void> {
  const workspace = await withControl(options, (control) => control.workspace.get());
  if (file === undefined || file === '-') {
    printJson(workspace);
    return;
  }
  saveText(file, `${JSON.stringify(workspace, null, 2)}\n`);
  if (options.json) printJson({ file });
  else remark(`Wrote ${workspace.name} to ${file}.`);
}

const COLUMNS: readonly Column<FormerWorkspace>[] = [
  { title: 'ID', cell: ({ id }) => ({ text: String(id), style: 'bold' }) },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'CLIENTS', right: true, cell: ({ clients }) => String(clients) },
  { title: 'USERS', right: true, cell: ({ users }) => String(users) },
  { title: 'REPLACED', cell: ({ replaced_at }) => `${replaced_at.slice(0, 19)}Z` },
];

async function listFormer(options: Connection): Promise<void> {
  const listed = await withControl(options, ({ workspace }) => workspace.former());
  if (options.json) printJson(listed);
  else print(table(listed.items, COLUMNS, 'No former workspaces.'));
}

async function restoreFormer(wanted: string | undefined, options: Connection): Promise<void> {
  const restored = await withControl(options, async ({ workspace }) => {
    const id = wanted ?? (await workspace.former()).items[0]?.id;
    if (id === undefined) throw new CommandError(2, 'No former workspace.');
    // The service rejects an id that is not a number.
    return workspace.restore({ id: id as number });
  });
  if (options.json) printJson(restored);
  else remark(`Restored ${restored.name}.`);
}

export function declare(program: Command): void {
  const group = program
    .command('workspace')
    .helpGroup(GROUPS.files)
    .description('check, import, export and restore workspaces');
  group
    .command('validate')
    .description('check a workspace file and list all problems; needs no instance')
    .argument('<file>', 'the file; - is standard input')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExamples:\n  grantbench workspace validate team.json\n${EXIT_CODES}`)
    .action(validateWorkspace);
  connected(
    group
      .command('import')
      .description('replace the workspace of the instance with a file')
      .argument('<file>', 'the file; - is standard input'),
    '  grantbench workspace import team.json',
  ).action(importWorkspace);
  connected(
    group
      .command('export')
      .description('export the workspace of the instance, including secrets')
      .argument('[file]', 'the file; default: standard output'),
    '  grantbench workspace export team.json\n  grantbench workspace export | jq .clients',
  ).action(exportWorkspace);
  connected(
    group.command('former').description('list the workspaces that were replaced, newest first'),
    '  grantbench workspace former',
  ).action(listFormer);
  connected(
    group
      .command('restore')
      .description('restore a former workspace, which replaces the current one')
      .argument('[id]', 'its id (default: the one replaced last)'),
    '  grantbench workspace restore\n  grantbench workspace restore 3',
  ).action(restoreFormer);
}
