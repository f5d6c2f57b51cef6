// Converts a workspace document between text and a checked record, with every problem named by its path. It does not
// know where the text is stored.

import type { z } from 'zod/mini';
import { isJsonObject } from '../../json.ts';
import { messageOf } from '../errors.ts';
import type { Place } from '../../core/records/json-text.ts';
import type { Settings, Shape, SigningKeyJwk, Workspace } from '../../core/records/schemas.ts';
import type { SigningKey } from '../../core/model/ports.ts';
import { readSigningKey } from '../key-material.ts';
import {
  below,
  IN_WORDS,
  type Problem,
  problemsOf,
  sentence,
} from '../../core/records/problems.ts';

/** An invalid workspace or --keep file. Nothing was changed. */
export class WorkspaceError extends Error {
  /** The path of the file, or another name of the source. */
  readonly file: string;
  readonly problems: readonly Problem[];

  constructor(file: string, problems: readonly Problem[], options?: ErrorOptions) {
    super(`${file}: ${sentence(problems)}`, options);
    this.name = 'WorkspaceError';
    this.file = file;
    this.problems = problems;
  }
}

/** Reads a file. @throws WorkspaceError naming the file */
export async function readOrExplain<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const message = `cannot be read: ${messageOf(cause)}`;
    throw new WorkspaceError(file, [{ path: '', message }], { cause });
  }
}

export type Checked<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

const NEWEST_VERSION = 1;

/** Returns the problem of a file with a newer version. */
export function newer(data: unknown): Problem | null {
  if (!isJsonObject(data)) return null;
  const { version } = data;
  if (typeof version !== 'number' || version <= NEWEST_VERSION) return null;
  return {
    path: 'version',
    message: `is ${version}: written by a newer Grantbench; this one supports up to ${NEWEST_VERSION}`,
  };
}

/** Checks keys now; an invalid key would otherwise only fail at the first token. */
export async function checkKey(
  jwk: SigningKeyJwk,
  created_at: number,
  path: string,
): Promise<Checked<SigningKey>> {
  try {
    return { value: await readSigningKey(jwk, created_at) };
  } catch (error) {
    const message = `is not a private key that can sign: ${messageOf(error)}`;
    return { problems: [{ path, message }] };
  }
}

/** Returns the problems of a list of keys. @param pathOf returns the path of a key in the document */
export async function checkKeys(
  jwks: readonly SigningKeyJwk[],
  pathOf = (index: number) => `keys[${index}]`,
): Promise<Problem[]> {
  const checks = await Promise.all(jwks.map((jwk, index) => checkKey(jwk, 0, pathOf(index))));
  const kids = checks.map((checked) => ('value' in checked ? checked.value.kid : null));
  return checks.flatMap((checked, index): readonly Problem[] => {
    if ('problems' in checked) return checked.problems;
    const { kid } = checked.value;
    if (kids.indexOf(kid) === index) return [];
    return [{ path: below(pathOf(index), 'kid'), message: `repeats "${kid}"` }];
  });
}

/** Creates the schemas of the members that few workspaces have only for those. */
async function schemaFor(data: unknown): Promise<z.ZodMiniType<Workspace>> {
  const { isUsualWorkspace, usualWorkspaceSchema } =
    await import('../../core/records/usual-workspace.ts');
  if (isUsualWorkspace(data)) return usualWorkspaceSchema;
  return (await import('../../core/records/workspace.ts')).workspaceSchema;
}

const hasShape = (data: unknown): boolean => isJsonObject(data) && data['shape'] !== undefined;

/**
 * Checks a whole workspace; omitted members get their defaults.
 * @param imitated the shape that will override that of the workspace, whose names of grants are valid as well
 */
export async function checkWorkspace(
  data: unknown,
  imitated: Shape | null = null,
): Promise<Checked<Workspace>> {
  const tooNew = newer(data);
  if (tooNew !== null) return { problems: [tooNew] };
  const shapes = hasShape(data) || imitated !== null ? await import('./workspace-shape.ts') : null;
  const own = (await shapes?.withShapeMembers(data)) ?? data;
  const given = imitated === null ? own : shapes?.withGrantsOf(imitated, own);
  const result = (await schemaFor(given)).safeParse(given, IN_WORDS);
  if (!result.success) return { problems: problemsOf(result.error.issues, given) };
  const problems = [
    ...((await shapes?.shapeProblems(result.data.shape)) ?? []),
    ...(await checkKeys(result.data.keys ?? [])),
  ];
  return problems.length > 0 ? { problems } : { value: result.data };
}

export type PlacedProblem = Problem & Place;

/**
 * Checks a workspace file without using it.
 * @param others returns additional problems of a valid workspace
 * @returns the workspace with its defaults, or every problem in the order of the file
 */
export async function checkWorkspaceText(
  text: string,
  others: (workspace: Workspace) => readonly Problem[] = () => [],
): Promise<{ readonly value: Workspace } | { readonly problems: readonly PlacedProblem[] }> {
  const { readPlacedJson } = await import('../../core/records/json-text.ts');
  const { value, problems: ofText, placeOf } = readPlacedJson(text);
  const checked = value === undefined ? { problems: [] } : await checkWorkspace(value);
  const ofWorkspace = 'problems' in checked ? checked.problems : others(checked.value);
  const problems = [...ofText, ...ofWorkspace];
  if (problems.length === 0 && 'value' in checked) return checked;
  return {
    problems: problems
      .map((problem) => ({ ...problem, ...placeOf(problem.path) }))
      .sort((a, b) => a.line - b.line || a.column - b.column),
  };
}

/** Parses any JSON document; problems are syntax errors with their positions. */
export async function parseDocument(text: string): Promise<Checked<unknown>> {
  const { parseJsonText } = await import('../../core/records/json-text.ts');
  return parseJsonText(text);
}

export async function parseWorkspace(
  text: string,
  imitated: Shape | null = null,
): Promise<Checked<Workspace>> {
  const parsed = await parseDocument(text);
  if ('problems' in parsed) return parsed;
  return checkWorkspace(parsed.value, imitated);
}

const INDENT = '  ';

function* formatList(items: readonly unknown[]): Generator<string> {
  let lead = `[\n${INDENT}${INDENT}`;
  for (const item of items) {
    yield lead + indented(item, INDENT + INDENT);
    lead = `,\n${INDENT}${INDENT}`;
  }
  yield items.length === 0 ? '[]' : `\n${INDENT}]`;
}

/** Raw line breaks occur only between members, never inside JSON strings. */
const indented = (value: unknown, by: string) =>
  JSON.stringify(value, null, INDENT).replaceAll('\n', `\n${by}`);

/**
 * Generates the document as `JSON.stringify` would indent it, one record at a time, because it may be too large for a
 * string and other work must continue.
 */
export function* formatWorkspace(workspace: Workspace): Generator<string> {
  let lead = '{\n';
  for (const [name, value] of Object.entries(workspace)) {
    yield `${lead}${INDENT}${JSON.stringify(name)}: `;
    if (Array.isArray(value)) yield* formatList(value);
    else yield indented(value, INDENT);
    lead = ',\n';
  }
  yield '\n}\n';
}

/** @throws TypeError if a fixed issuer is invalid */
export async function checkIssuer(issuer: string): Promise<NonNullable<Settings['issuer']>> {
  const { issuerSchema } = await import('../../core/records/members.ts');
  const result = issuerSchema.safeParse(issuer, IN_WORDS);
  if (result.success) return result.data;
  throw new TypeError(`issuer ${sentence(problemsOf(result.error.issues, issuer))}`);
}
