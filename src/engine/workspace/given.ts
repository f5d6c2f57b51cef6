// A workspace given by a program: a file or a document, and members that replace its own. Without either, the demo
// workspace is used.

import { isJsonObject } from '../../json.ts';
import type { Settings, Workspace } from '../../core/records/schemas.ts';
import { below, type Problem } from '../../core/records/problems.ts';
import { DEMO_WORKSPACE } from './demo.ts';
import { mergePatch } from '../../core/records/merge-patch.ts';
import { checkWorkspace, parseDocument, readOrExplain, WorkspaceError } from './document.ts';

export interface GivenWorkspace {
  /** The name of a file, or the document. */
  readonly workspace?: unknown;
  /** Members that replace those of the document; `settings` are merged (RFC 7396). */
  readonly members: Readonly<Record<string, unknown>>;
  /** The signing algorithm of the demo workspace, unless the members set one. */
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
    ...(settings === undefined
      ? {}
      : { settings: mergePatch(document['settings'], settings, true) }),
  };
}

const topOf = (path: string) => /^[^.[]*/.exec(path)?.[0] ?? '';

/** Returns problems with the caller's name of the option. */
function namedAsGiven({ workspace, members }: GivenWorkspace, problems: readonly Problem[]) {
  if (workspace === undefined || typeof workspace === 'string') return problems;
  return problems.map(({ path, message }) => ({
    path: members[topOf(path)] === undefined ? below('workspace', path) : path,
    message,
  }));
}

/** @param caller replaces the file name in errors @throws WorkspaceError with every problem and its path */
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
  // Only non-default settings, so that the settings of a shape can apply.
  const base = { ...demo, settings: { signing_alg } };
  const document = file === null ? (workspace ?? base) : await readDocument(file);
  const data = isJsonObject(document) ? together({ version: 1, ...document }, members) : document;
  const checked = await checkWorkspace(data);
  if ('value' in checked) return checked.value;
  const source = file === null ? caller : plain ? file : `${caller} with ${file}`;
  throw new WorkspaceError(source, namedAsGiven(given, checked.problems));
}
