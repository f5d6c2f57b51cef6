// A workspace that a program hands over: a file or a document, and members that take the place of its
// own. Without either, the demo workspace.

import { isJsonObject } from '../../core/records/json.ts';
import type { Settings, Workspace } from '../../core/records/schemas.ts';
import { below, type Problem } from '../../core/records/problems.ts';
import { DEMO_WORKSPACE } from './demo.ts';
import { mergePatch } from '../../core/records/merge-patch.ts';
import { checkWorkspace, parseDocument, readOrExplain, WorkspaceError } from './document.ts';

export interface GivenWorkspace {
  /** A file's name, or the document itself. */
  readonly workspace?: unknown;
  /** Members in place of the document's; `settings` are merged into its own (RFC 7396). */
  readonly members: Readonly<Record<string, unknown>>;
  /** What the demo workspace signs with, unless the members say otherwise. */
  readonly signing_alg: Settings['signing_alg'];
}

type Document = Readonly<Record<string, unknown>>;

async function readDocument(file: string): Promise<unknown> {
  const { readIfThere } = await import('../files/file-text.ts');
  const found = await readOrExplain(file, () => readIfThere(file));
  if (found === null)
    throw new WorkspaceError(file, [{ path: '', message: 'there is no such file' }]);
  const parsed = await parseDocument(found.text);
  if ('problems' in parsed) throw new WorkspaceError(file, parsed.problems);
  return parsed.value;
}

function together(document: Document, members: Document): Document {
  const { settings, ...lists } = members;
  const given = Object.entries(lists).filter(([, value]) => value !== undefined);
  return {
    ...document,
    ...Object.fromEntries(given),
    ...(settings === undefined ? {} : { settings: mergePatch(document['settings'], settings) }),
  };
}

const topOf = (path: string) => /^[^.[]*/.exec(path)?.[0] ?? '';

/** Problems by the name under which the caller gave the thing. */
function namedAsGiven({ workspace, members }: GivenWorkspace, problems: readonly Problem[]) {
  if (!isJsonObject(workspace)) return problems;
  return problems.map(({ path, message }) => ({
    path: members[topOf(path)] === undefined ? below('workspace', path) : path,
    message,
  }));
}

/**
 * @param caller stands for the file in what is thrown
 * @throws WorkspaceError with every problem by its path
 */
export async function takeGivenWorkspace(
  given: GivenWorkspace,
  caller: string,
): Promise<Workspace> {
  const { workspace, members, signing_alg } = given;
  const demo: Workspace = {
    ...DEMO_WORKSPACE,
    settings: { ...DEMO_WORKSPACE.settings, signing_alg },
  };
  const plain = Object.values(members).every((value) => value === undefined);
  if (workspace === undefined && plain) return demo;
  const file = typeof workspace === 'string' ? workspace : null;
  // Only what is not the default, so that the settings of a shape can take its place.
  const base = { ...demo, settings: { signing_alg } };
  const document = file === null ? (workspace ?? base) : await readDocument(file);
  const data = isJsonObject(document) ? together({ version: 1, ...document }, members) : document;
  const checked = await checkWorkspace(data);
  if ('value' in checked) return checked.value;
  const source = file === null ? caller : plain ? file : `${caller} with ${file}`;
  throw new WorkspaceError(source, namedAsGiven(given, checked.problems));
}
