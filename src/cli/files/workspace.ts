// `grantbench workspace`: a file checked, imported, exported.

import { readFile } from 'node:fs/promises';
import { checkWorkspaceText, type PlacedProblem } from '../../engine/workspace-check.ts';
import type { Connection } from '../commands/connection.ts';
import { CommandError } from '../command-error.ts';
import { withControl } from '../instance/connect.ts';
import { print, printJson, readInput, remark } from '../terminal/print.ts';
import { saveText } from './save-text.ts';

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
  const count = problems.length === 1 ? 'one mistake' : `${problems.length} mistakes`;
  return [...lines, `${nameOf(file)} is no workspace: ${count}.`].join('\n');
}

/** @throws CommandError with every problem, by path and place */
async function readWorkspace(file: string) {
  const text = await read(file);
  const checked = await checkWorkspaceText(text);
  if ('problems' in checked) throw new CommandError(2, problemLines(file, checked.problems));
  return { text, workspace: checked.value };
}

export async function validateWorkspace(
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

export async function importWorkspace(file: string, options: Connection): Promise<void> {
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

export async function exportWorkspace(
  file: string | undefined,
  options: Connection,
): Promise<void> {
  const workspace = await withControl(options, (control) => control.workspace.get());
  if (file === undefined || file === '-') {
    printJson(workspace);
    return;
  }
  saveText(file, `${JSON.stringify(workspace, null, 2)}\n`);
  if (options.json) printJson({ file });
  else remark(`Wrote ${workspace.name} to ${file}.`);
}
