// A workspace document: from text to a checked record, with every problem named by its path, and back
// to text. Where it is kept is workspace-file's business.

import type { Settings, SigningKeyJwk, Workspace } from '../core/schemas.ts';
import { createKeyring } from '../core/signing.ts';
import { parseJsonText } from '../core/json-text.ts';
import type { Problem } from '../core/problems.ts';
import { problemsOf, sentence } from '../core/problems.ts';

/** A workspace, or a file of keys, that cannot be taken. Nothing has been changed by it. */
export class WorkspaceError extends Error {
  /** The file's path, or what else the workspace came in. */
  readonly file: string;
  readonly problems: readonly Problem[];

  constructor(file: string, problems: readonly Problem[], options?: ErrorOptions) {
    super(`${file}: ${sentence(problems)}`, options);
    this.name = 'WorkspaceError';
    this.file = file;
    this.problems = problems;
  }
}

/** Reads from a file; what goes wrong is told with its name. @throws WorkspaceError */
export async function readOrExplain<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WorkspaceError(file, [{ path: '', message: `cannot be read: ${why}` }], { cause });
  }
}

export type Checked<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

const NEWEST_VERSION = 1;

function newer(data: unknown): Problem | null {
  if (typeof data !== 'object' || data === null || !('version' in data)) return null;
  const { version } = data;
  if (typeof version !== 'number' || version <= NEWEST_VERSION) return null;
  return {
    path: 'version',
    message: `is ${version}: written by a newer Grantbench; this one reads up to ${NEWEST_VERSION}`,
  };
}

/** A key that cannot be read, or cannot sign, would otherwise show only at the first token. */
export async function checkKeys(jwks: readonly SigningKeyJwk[]): Promise<Problem[]> {
  const checks = jwks.map(async (jwk, index): Promise<Problem[]> => {
    const keyring = createKeyring(() => 0);
    try {
      await keyring.load([jwk]);
      await keyring.sign({}, 'JWT', jwk.alg);
      return [];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return [{ path: `keys[${index}]`, message: `is not a private key that can sign (${why})` }];
    }
  });
  return (await Promise.all(checks)).flat();
}

/** Checks a whole workspace; members left out take their defaults. */
export async function checkWorkspace(data: unknown): Promise<Checked<Workspace>> {
  const tooNew = newer(data);
  if (tooNew !== null) return { problems: [tooNew] };
  const { workspaceSchema } = await import('../core/schemas.ts');
  const result = workspaceSchema.safeParse(data);
  if (!result.success) return { problems: problemsOf(result.error.issues, data) };
  const problems = await checkKeys(result.data.keys ?? []);
  return problems.length > 0 ? { problems } : { value: result.data };
}

/** @param onData told what the text says before it is checked, so that slow work can begin */
export async function parseWorkspace(
  text: string,
  onData: (data: unknown) => void = () => undefined,
): Promise<Checked<Workspace>> {
  const parsed = parseJsonText(text);
  if ('problems' in parsed) return parsed;
  onData(parsed.value);
  return checkWorkspace(parsed.value);
}

export function formatWorkspace(workspace: Workspace): string {
  return `${JSON.stringify(workspace, null, 2)}\n`;
}

/** @throws TypeError when a fixed issuer is none */
export async function checkIssuer(issuer: string): Promise<NonNullable<Settings['issuer']>> {
  const { issuerSchema } = await import('../core/schemas.ts');
  const result = issuerSchema.safeParse(issuer);
  if (result.success) return result.data;
  throw new TypeError(`issuer ${sentence(problemsOf(result.error.issues, issuer))}`);
}
