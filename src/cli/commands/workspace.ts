// `grantbench workspace`: a file checked, imported, exported.

import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { checkWorkspaceText, type PlacedProblem } from '../../engine/workspace/check.ts';
import { CommandError } from '../command-error.ts';
import { saveText } from '../files/save-text.ts';
import { withControl } from '../instance/connect.ts';
import { print, printJson, readInput, remark } from '../terminal/print.ts';
import { GROUPS } from './command.ts';
import { begin, connected, EXIT_CODES, type Connection } from './connection.ts';

async function read(file: string): Promise<string> {
  if (file === '-') return readInput('a workspace');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw new CommandError(2, `${file} cannot be read: ${(error as Error).message}.`);
  }
}

const nameOf = (file: string) => (file === '-' ? 'standard input' : file);

function problemLines(file: string, problems: readonly PlacedProblem[]): string {
  const lines = problems.map(
    ({ path, message, line, column }) =>
      `${nameOf(file)}:${line}:${column}: ${path === '' ? '' : `${path} `}${message}`,
  );
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  return [...lines, `${nameOf(file)} is not a workspace: ${count}.`].join('\n');
}

/** @throws CommandError with every problem, by path and place */
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
  await begin();
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
  await begin();
  const { text } = await readWorkspace(file);
  const document = JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, unknown>;
  const [taken, state] = await withControl(options, async ({ workspace, server }) => [
    await workspace.put(document),
    (await server.get()).workspace,
  ]);
  if (options.json) printJson(taken);
  else remark(`Imported ${taken.name}.`);
  if (state.message !== null) remark(state.message);
}

async function exportWorkspace(file: string | undefined, options: Connection): Promise<void> {
  await begin();
  const workspace = await withControl(options, (control) => control.workspace.get());
  if (file === undefined || file === '-') {
    printJson(workspace);
    return;
  }
  saveText(file, `${JSON.stringify(workspace, null, 2)}\n`);
  if (options.json) printJson({ file });
  else remark(`Wrote ${workspace.name} to ${file}.`);
}

export function declare(program: Command): void {
  const group = program
    .command('workspace')
    .helpGroup(GROUPS.files)
    .description('check, import and export workspace files');
  group
    .command('validate')
    .description('check a workspace file and list every problem; needs no instance')
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
      .description('write the workspace of the instance, including secrets')
      .argument('[file]', 'the file; default: standard output'),
    '  grantbench workspace export team.json\n  grantbench workspace export | jq .clients',
  ).action(exportWorkspace);
}
